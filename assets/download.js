// A form whose answer is a file, through a frame that nobody sees: a page that seems to be left hangs
// up. A file shows nothing there; what the frame does show was a refusal, or no answer at all.
import { createElement as h, Fragment, useRef } from "react";

export function Download({ name, action, onRefused, children }) {
  const isSent = useRef(false);
  const send = () => {
    isSent.current = true;
  };
  const loaded = () => {
    // Every frame loads once when it appears.
    if (!isSent.current) return;
    isSent.current = false;
    onRefused();
  };
  return h(
    Fragment,
    null,
    h("form", { action, method: "post", target: name, onSubmit: send }, children),
    h("iframe", { name, onLoad: loaded, className: "hidden", "aria-hidden": true, tabIndex: -1 }),
  );
}
