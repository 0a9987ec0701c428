// Starting an ad: one press at a time, and a word when no answer comes.
import { createElement as h, useEffect, useLayoutEffect, useRef } from "react";
import { pressing } from "$/public/connection";
import { fingerprint } from "$/public/fingerprint";
import { leaveStart } from "$/public/left_end";
import { notify } from "$/public/notices";

const ANSWER_WITHIN = 10_000;
const WAITING = ["aria-busy", "aria-disabled"];

// Around all buttons with data-ad. `answer` changes with whatever the server says.
export function AdStarts({ answer, stage, onStart, onRefused, children, ...rest }) {
  const pressed = useRef(null);
  const timer = useRef(0);
  const isAwaited = useRef(false);

  const settle = () => {
    clearTimeout(timer.current);
    WAITING.forEach((name) => pressed.current?.removeAttribute(name));
    const wasWaiting = pressed.current !== null;
    pressed.current = null;
    return wasWaiting;
  };

  const press = (event) => {
    const button = event.target.closest("button[data-ad]");
    if (!button || pressed.current) return;
    pressed.current = button;
    WAITING.forEach((name) => button.setAttribute(name, "true"));
    timer.current = setTimeout(() => {
      settle();
      notify({ style: "destructive", title: "errors.ads.no_ad_title", text: "errors.ads.not_started" });
    }, ANSWER_WITHIN);
    isAwaited.current = true;
    pressing(() => onStart(button.dataset.ad, fingerprint()), settle);
  };

  useEffect(() => {
    isAwaited.current = false;
    if (settle() && stage === "") onRefused();
  }, [answer]);
  // In the layout phase: later the address may be another one again.
  useLayoutEffect(() => {
    const place = location.pathname;
    return () => {
      if (isAwaited.current && location.pathname !== place) leaveStart(place);
    };
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return h("div", { ...rest, onClick: press }, children);
}
