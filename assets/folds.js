// Questions that unfold: one at a time, and the one that the address names unfolds by itself.
import { createElement as h, useEffect, useRef } from "react";
import { useLocation } from "react-router";

export function Folds({ children, ...rest }) {
  const place = useRef(null);
  const { hash } = useLocation();

  useEffect(() => {
    const folds = place.current;
    // Browsers that know no exclusive <details> need telling; `toggle` does not bubble.
    const onToggle = ({ target }) => {
      if (!target.open) return;
      for (const other of folds.querySelectorAll("details[open]")) {
        if (other !== target) other.open = false;
      }
      // The address names what is read, so that it can be sent to somebody.
      const { pathname, search } = window.location;
      window.history.replaceState(window.history.state, "", `${pathname}${search}#${target.id}`);
    };
    folds.addEventListener("toggle", onToggle, true);
    return () => folds.removeEventListener("toggle", onToggle, true);
  }, []);

  useEffect(() => {
    const named = hash && document.getElementById(hash.slice(1));
    if (!named || !place.current.contains(named) || named.open) return;
    named.open = true;
    named.scrollIntoView({ block: "center" });
  }, [hash]);

  return h("div", { ...rest, ref: place }, children);
}
