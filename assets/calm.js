// Rows that change places glide there, so that the eye can follow; who wants no motion sees none.
import { useLayoutEffect, useRef } from "react";

const TAKES = { duration: 450, easing: "cubic-bezier(.2, .7, .3, 1)" };

function isStill() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function placesIn(list) {
  const rows = document.querySelectorAll(`#${list} [data-row]`);
  return new Map([...rows].map((row) => [row.dataset.row, { row, top: row.offsetTop }]));
}

function glide(before, now) {
  for (const [name, { row, top }] of now) {
    const was = before.get(name);
    if (was === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], TAKES);
    else if (was.top !== top) {
      row.animate([{ transform: `translateY(${was.top - top}px)` }, { transform: "none" }], TAKES);
    }
  }
}

export function Calm({ list, watch, near }) {
  const before = useRef(new Map());
  useLayoutEffect(() => {
    const now = placesIn(list);
    if (before.current.size && !isStill()) glide(before.current, now);
    before.current = now;
  }, [list, watch, near]);
  return null;
}
