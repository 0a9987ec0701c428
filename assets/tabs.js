// A row of tabs that is swiped where it is narrow: the current one is always in sight.
import { createElement as h, useLayoutEffect, useRef } from "react";

const CURRENT = "[aria-current=page]";

function middleOf(element) {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

export function TabRow({ children, className }) {
  const row = useRef(null);
  useLayoutEffect(() => {
    const show = () => {
      const tab = row.current.querySelector(CURRENT);
      if (tab) row.current.scrollLeft += middleOf(tab) - middleOf(row.current);
    };
    show();
    const another = new MutationObserver(show);
    another.observe(row.current, { subtree: true, attributeFilter: ["aria-current"] });
    return () => another.disconnect();
  }, []);
  return h("ul", { ref: row, className }, children);
}
