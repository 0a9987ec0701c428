// Links of the app. The router's own look up far more than ours need, and a page has dozens of them.
import { createElement as h } from "react";
import { useLocation, useNavigate } from "react-router";

const FOREIGN = /^[a-z][a-z+.-]*:|^\/\//i;

// A new tab or window, a download: what the browser does by itself.
const isForBrowser = ({ button, metaKey, ctrlKey, shiftKey, altKey }, { to, target, download }) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey ||
  (target && target !== "_self") || download !== undefined || !to || FOREIGN.test(to);

const here = () => location.pathname + location.search + location.hash;

const GOING = "going";
const MEANT_FOR = 10_000;

// Where a new version serves, files of the one before are gone. The router then loads the page anew
// that was to be left: from there it goes on.
function goOn() {
  const { from, to, at } = JSON.parse(sessionStorage.getItem(GOING) ?? "{}");
  sessionStorage.removeItem(GOING);
  const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (isReloaded && from === here() && Date.now() - at < MEANT_FOR) location.assign(to);
}

if (typeof window !== "undefined") goOn();

async function go(navigate, to) {
  const going = JSON.stringify({ from: here(), to, at: Date.now() });
  sessionStorage.setItem(GOING, going);
  await navigate(to, { replace: to === here() });
  if (sessionStorage.getItem(GOING) === going) sessionStorage.removeItem(GOING);
}

export function PageLink({ onClick, ...rest }) {
  const { to, ...shown } = rest;
  const navigate = useNavigate();
  const follow = (event) => {
    onClick?.(event);
    if (event.defaultPrevented || isForBrowser(event, rest)) return;
    event.preventDefault();
    go(navigate, to);
  };
  return h("a", { ...shown, href: to, onClick: follow });
}

// `end`: only this page itself is the current place, and none below it. All that one page shows, whatever its
// address asks for besides, is one place.
export function PlaceLink({ end, ...rest }) {
  const { pathname } = useLocation();
  const [place] = rest.to.split("?");
  const isHere = pathname === place || (!end && pathname.startsWith(`${place}/`));
  return h(PageLink, { ...rest, "aria-current": isHere ? "page" : undefined });
}
