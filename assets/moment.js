// A moment that is celebrated: on a tab that is looked at, once, and in nobody's way.
import { createElement as h, Fragment, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import X from "lucide-react/dist/esm/icons/x.mjs";
import { Confetti } from "$/public/confetti";

const SEEN = "moment-seen";
const STAYS_FOR = 9000;
const LOOK_AGAIN_AFTER = 500;

// An open dialog silences the page around it, and what lies above it cannot be pressed.
function onceFree(act) {
  let timer;
  const look = () => {
    if (document.querySelector("dialog:modal")) timer = setTimeout(look, LOOK_AGAIN_AFTER);
    else act();
  };
  look();
  return () => clearTimeout(timer);
}

// Somebody else's tab is asked for nothing: whoever asks first is the one who celebrates.
function useAsking(waiting, onReady) {
  useEffect(() => {
    if (!waiting) return undefined;
    let stop;
    const ask = () => {
      stop?.();
      if (document.visibilityState === "visible") stop = onceFree(onReady);
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      stop?.();
      document.removeEventListener("visibilitychange", ask);
    };
  }, [waiting]);
}

function isNews(id) {
  // What was celebrated before a reload is over.
  if (!id || sessionStorage.getItem(SEEN) === id) return false;
  sessionStorage.setItem(SEEN, id);
  return true;
}

// Goes by itself, but not while somebody reads it or stands on it.
function useEnding(id, place, end) {
  useEffect(() => {
    if (!id) return undefined;
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(end, STAYS_FOR);
    };
    const hold = () => clearTimeout(timer);
    const card = place.current;
    const changes = [["pointerenter", hold], ["pointerleave", wait], ["focusin", hold], ["focusout", wait]];
    changes.forEach(([name, change]) => card.addEventListener(name, change));
    wait();
    return () => {
      hold();
      changes.forEach(([name, change]) => card.removeEventListener(name, change));
    };
  }, [id]);
}

export function Moment({ waiting = 0, momentId = "", says, closeLabel, onReady, children }) {
  const place = useRef(null);
  const [shown, setShown] = useState("");
  const end = () => setShown("");
  useAsking(waiting, onReady);
  useEffect(() => onceFree(() => isNews(momentId) && setShown(momentId)), [momentId]);
  useEffect(() => {
    const layer = place.current;
    if (layer?.showPopover && !layer.matches(":popover-open")) layer.showPopover();
  }, [shown]);
  useEnding(shown, place, end);
  // There before it has something to say: what comes into it is announced.
  const heard = h("p", { role: "status", className: "sr-only" }, shown ? says : "");
  if (!shown) return h(Fragment, null, heard, null);
  const card = [
    h(Confetti, { key: shown }),
    h(
      "div",
      { key: "card", className: "moment-card glow" },
      h("div", { className: "min-w-0 flex-1", onClick: (event) => event.target.closest("a") && end() }, children),
      h(
        "button",
        {
          type: "button",
          className: "grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-raised hover:text-text",
          "aria-label": closeLabel,
          onClick: end,
        },
        h(X, { size: 20, strokeWidth: 1.75, "aria-hidden": true }),
      ),
    ),
  ];
  // Behind the page: what leads past the bars stays the first link there is.
  const layer = createPortal(
    h("div", { ref: place, popover: "manual", role: "region", "aria-label": says, className: "moment-layer" }, card),
    document.body,
  );
  return h(Fragment, null, heard, layer);
}
