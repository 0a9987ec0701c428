// One clock for whatever a page says of time: it ticks each minute while somebody looks, and when they look again.
import { useSyncExternalStore } from "react";

const A_MINUTE = 60 * 1000;
const followers = new Set();
let ticks = 0;
let timer;

const isHidden = () => document.visibilityState === "hidden";

function tick() {
  ticks += 1;
  followers.forEach((tell) => tell());
}

function run() {
  clearInterval(timer);
  if (!isHidden()) timer = setInterval(tick, A_MINUTE);
}

function look() {
  run();
  if (!isHidden()) tick();
}

export function followMinutes(follower) {
  if (!followers.size) {
    document.addEventListener("visibilitychange", look);
    run();
  }
  followers.add(follower);
  return () => {
    followers.delete(follower);
    if (followers.size) return;
    document.removeEventListener("visibilitychange", look);
    clearInterval(timer);
  };
}

// Whatever says how long ago something was is written again with each tick.
export const useMinutes = () =>
  useSyncExternalStore(
    followMinutes,
    () => ticks,
    () => 0,
  );
