// Which fields of a refused form are marked: those that are wrong and were not changed since.
import { useSyncExternalStore } from "react";

const followers = new Set();
const changedAt = new Map();
const toldAt = new WeakMap();
let changes = 0;

function note({ target }) {
  if (target.getAttribute?.("aria-invalid") !== "true") return;
  changes += 1;
  changedAt.set(target.name, changes);
  followers.forEach((tell) => tell());
}

function follow(follower) {
  if (!followers.size) ["input", "change"].forEach((type) => addEventListener(type, note));
  followers.add(follower);
  return () => followers.delete(follower);
}

function isMarked(refusal, field) {
  const faults = refusal?.faults;
  if (!faults?.[field]) return false;
  // Each refusal comes as an object of its own, also when it says the same again.
  if (!toldAt.has(faults)) toldAt.set(faults, changes);
  return (changedAt.get(field) ?? 0) <= toldAt.get(faults);
}

export function useMarks() {
  useSyncExternalStore(
    follow,
    () => changes,
    () => 0,
  );
  return isMarked;
}
