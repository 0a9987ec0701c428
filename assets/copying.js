// Copying a text, also where the browser gives no permission: then it is selected first.
import { createElement as h, useEffect, useRef, useState } from "react";
import Check from "lucide-react/dist/esm/icons/check.mjs";
import Copy from "lucide-react/dist/esm/icons/copy.mjs";

const TICK_SEEN_FOR = 2000;

function select(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    // What is selected can at least be copied by hand.
    select(element);
    return document.execCommand("copy");
  }
}

// Copies what `element()` shows; its tick is seen for two seconds. `tell` says it in another way.
export function useCopying(element, tell) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = async () => {
    const isDone = await copy(element());
    setCopied(isDone);
    if (isDone) tell?.();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), TICK_SEEN_FOR);
  };
  return [isCopied, press];
}

export const copySign = (isCopied, size = 18) =>
  h(isCopied ? Check : Copy, { size, strokeWidth: 1.75, "aria-hidden": true, className: "shrink-0" });

// A short text in type of one width, with a button beside it.
export function Copyable({ text, label, copied, ...rest }) {
  const shown = useRef(null);
  const [isCopied, press] = useCopying(() => shown.current);
  return h(
    "span",
    rest,
    h("span", { ref: shown, className: "min-w-0 font-mono text-sm wrap-anywhere" }, text),
    h(
      "button",
      {
        type: "button",
        title: label,
        "aria-label": label,
        onClick: press,
        className:
          "target grid size-8 shrink-0 place-items-center rounded-control text-quiet hover:bg-raised hover:text-text",
      },
      copySign(isCopied, 16),
    ),
    h("span", { role: "status", className: "sr-only" }, isCopied ? copied : ""),
  );
}
