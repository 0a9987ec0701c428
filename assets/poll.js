// Asks again and again while somebody looks: not behind another tab, and at once when it is back.
import { useEffect } from "react";

export function Poll({ seconds, onTime }) {
  useEffect(() => {
    let timer;
    const stop = () => clearInterval(timer);
    const start = () => {
      stop();
      timer = setInterval(onTime, seconds * 1000);
    };
    const follow = () => {
      if (document.visibilityState === "hidden") return stop();
      onTime();
      return start();
    };
    if (document.visibilityState !== "hidden") start();
    document.addEventListener("visibilitychange", follow);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", follow);
    };
  }, [seconds]);
  return null;
}
