// What nobody had answered when its page was left. The end of an ad is reported beside whatever page comes; an ad that
// begins there is given up, since nobody sees it.
import { useEffect, useRef, useState } from "react";
import { isWhole } from "$/public/connection";

const LEFT = "end-left";
const START_LEFT = "start-left";
const WATCHING = "watching";
const UNANSWERED = [WATCHING, "saving"];
const ASK_AGAIN_AFTER = [2000, 4000, 8000, 30_000];
// By then it is over on the server, too: it waits for half an hour where it is the one that is late.
const MOST_TRIES = 64;

// Null where its page is shown again, which asks for itself.
export const leaveEnd = (end) => dispatchEvent(new CustomEvent(LEFT, { detail: end }));

// `place` is the page that was left.
export const leaveStart = (place) => dispatchEvent(new CustomEvent(START_LEFT, { detail: place }));

// The reward is told by a toast, and is not shown once more on the page that was left.
export function LeftEnd({ running, stage, ...tell }) {
  const [left, setLeft] = useState(null);
  const now = useRef(tell);
  now.current = tell;
  useUnseenStart(running?.session_id, stage, now);
  const isIts = left !== null && running?.session_id === left.id;
  useEffect(() => {
    const hear = ({ detail }) => setLeft(detail);
    addEventListener(LEFT, hear);
    return () => removeEventListener(LEFT, hear);
  }, []);
  useEffect(() => {
    if (!isIts || !UNANSWERED.includes(stage)) {
      if (isIts && stage !== "") now.current.onClose();
      setLeft(null);
      return undefined;
    }
    let timer;
    let tries = 0;
    const wait = () => {
      if (tries === MOST_TRIES) return;
      timer = setTimeout(ask, ASK_AGAIN_AFTER[Math.min(tries++, ASK_AGAIN_AFTER.length - 1)]);
    };
    const ask = () => {
      if (isWhole()) now.current.onAskAgain(left.id, left.seconds);
      wait();
    };
    wait();
    return () => clearTimeout(timer);
  }, [isIts, stage]);
  return null;
}

function useUnseenStart(id, stage, now) {
  const left = useRef("");
  useEffect(() => {
    const hear = ({ detail }) => (left.current = detail);
    addEventListener(START_LEFT, hear);
    return () => removeEventListener(START_LEFT, hear);
  }, []);
  useEffect(() => {
    if (stage !== WATCHING || !id || !left.current) return;
    if (location.pathname !== left.current) now.current.onLeave(id);
    left.current = "";
  }, [id, stage]);
}
