// Asks again each time so many hours have passed. A sleeping computer stops its timers, not the clock.
import { useEffect } from "react";

const LOOK_EVERY = 60 * 1000;
const HOUR = 60 * LOOK_EVERY;

export function Every({ hours, onTime }) {
  useEffect(() => {
    let last = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - last < hours * HOUR) return;
      last = Date.now();
      onTime();
    }, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [hours]);
  return null;
}
