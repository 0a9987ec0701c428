// Parts of a page that are fetched when they are first shown.
import { createElement as h, lazy, Suspense } from "react";

const LONGEST_PAUSE = 8000;
const ANSWER_WITHIN = 10_000;
const RENEWED = "renewed";
const ONCE_IN = 60_000;

const pause = (ms) => new Promise((over) => setTimeout(over, ms));

// Each document names the list of the files that belong to it.
async function isReplaced() {
  const own = window.__reactRouterManifest?.url;
  const asking = { cache: "no-store", signal: AbortSignal.timeout(ANSWER_WITHIN) };
  try {
    const answer = await fetch(location.pathname, asking);
    return Boolean(own) && answer.ok && !(await answer.text()).includes(own);
  } catch {
    return false;
  }
}

// Where a new version serves, files of the one before are gone, and no patience brings them back. Once
// is enough: while versions change, workers of both may answer in turns.
async function renewIfReplaced() {
  if (Date.now() - Number(sessionStorage.getItem(RENEWED)) < ONCE_IN) return;
  if (!(await isReplaced())) return;
  sessionStorage.setItem(RENEWED, Date.now());
  location.reload();
}

// Tried until it is there: what it was to show is not lost.
export async function fetched(bring) {
  for (let wait = 500; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    try {
      return await bring();
    } catch {
      await renewIfReplaced();
      await pause(wait);
    }
  }
}

// A component in the place of one that `bring` imports.
export function later(bring) {
  const Part = lazy(async () => ({ default: await fetched(bring) }));
  return (props) => h(Suspense, { fallback: null }, h(Part, props));
}
