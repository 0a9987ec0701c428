// Which fields of a refused form are marked: those that are wrong and were not changed since.
import { useSyncExternalStore } from "react";

const followers = new Set();
const changedAt = new Map();
const toldAt = new Map();
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
  if (!refusal?.faults?.[field]) return false;
  if (!toldAt.has(refusal.id)) toldAt.set(refusal.id, changes);
  return (changedAt.get(field) ?? 0) <= toldAt.get(refusal.id);
}

export function useMarks() {
  useSyncExternalStore(
    follow,
    () => changes,
    () => 0,
  );
  return isMarked;
}
