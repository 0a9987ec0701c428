// One page view for each page that somebody sees, if they allow it: told to whatever listens in the
// page, and to the counter that the server names.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { allows, useAllowed } from "$/public/consent";

const KIND = "analytics";
const HOOK = "watchcoins:pageview";

// `place` is what the server let this person see: not where they are led away from, nor what is not there.
export function PageViews({ place, counter }) {
  const path = useLocation().pathname.replace(/(.)\/$/, "$1");
  const seen = path === place ? place : "";
  const isAllowed = useAllowed(KIND);
  const told = useRef(new Set());
  useEffect(() => () => told.current.clear(), [seen]);
  useEffect(() => {
    if (!seen || !isAllowed) return;
    const tell = (whom, how) => {
      if (told.current.has(whom)) return;
      told.current.add(whom);
      how();
    };
    tell(HOOK, () => dispatchEvent(new CustomEvent(HOOK, { detail: { path: seen } })));
    if (!counter.kind) return;
    tell(counter.kind, async () => {
      const { count } = await import("./analytics");
      if (allows(KIND)) count(counter, seen);
    });
  }, [seen, isAllowed, counter.kind]);
  return null;
}
