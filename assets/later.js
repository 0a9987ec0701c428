// Parts of a page that are fetched when they are first shown.
import { createElement as h, lazy, Suspense } from "react";

const LONGEST_PAUSE = 8000;

const pause = (ms) => new Promise((over) => setTimeout(over, ms));

// Tried until it is there: what it was to show is not lost.
export async function fetched(bring) {
  for (let wait = 500; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    try {
      return await bring();
    } catch {
      await pause(wait);
    }
  }
}

// A component in the place of one that `bring` imports.
export function later(bring) {
  const Part = lazy(async () => ({ default: await fetched(bring) }));
  return (props) => h(Suspense, { fallback: null }, h(Part, props));
}
