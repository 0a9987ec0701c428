// Dialogs and drawers on the native <dialog>, opened and closed without the server.
import { createElement as h, useEffect, useRef } from "react";
import { useRefusal } from "$/public/notices";

// Any button with data-opens or data-closes, wherever it stands; a link in a drawer or panel closes it.
function follow(event) {
  event.target.closest?.("[popover=auto] a[href]")?.closest("[popover]").hidePopover?.();
  const trigger = event.target.closest?.("[data-opens], [data-closes], dialog[data-drawer] a[href]");
  if (!trigger || trigger.disabled) return;
  const { opens, closes } = trigger.dataset;
  if (closes) leave(document.getElementById(closes));
  if (opens && !document.getElementById(opens)?.open) show(document.getElementById(opens));
  if (!opens && !closes) leave(trigger.closest("dialog"));
}

if (typeof document !== "undefined") document.addEventListener("click", follow);

const tellers = new WeakMap();

// The person closes it, and the app hears so at once: the browser says it later, maybe after the next press.
function leave(dialog) {
  if (!dialog?.open) return;
  tellers.get(dialog)();
  dialog.close();
}

const openedFrom = new WeakMap();
// The server's answer may take away what opened the dialog, some time after it was closed.
const LOOKS_MS = [0, 200, 600, 1500];

function show(dialog) {
  if (!dialog) return;
  const within = [];
  for (let one = document.activeElement; one && one !== document.body; one = one.parentElement) within.push(one);
  openedFrom.set(dialog, within);
  dialog.showModal();
}

// Browsers give the focus back to what opened the dialog; where that is gone, what it stood in takes it. One that
// its address had opened leaves it to the page.
function keepPlace(dialog) {
  const within = openedFrom.get(dialog) ?? [];
  const look = () => {
    if (document.activeElement !== document.body) return;
    const left = within.find((one) => one.isConnected) ?? document.getElementById("main");
    if (!left) return;
    if (!left.hasAttribute("tabindex")) {
      left.tabIndex = -1;
      left.addEventListener("blur", () => left.removeAttribute("tabindex"), { once: true });
    }
    left.focus({ preventScroll: true });
  };
  LOOKS_MS.forEach((wait) => setTimeout(look, wait));
}

export function Overlay({ open, pinned = false, onClose, children, ...rest }) {
  const dialog = useRef(null);
  const pressed = useRef(false);
  const isTold = useRef(false);
  const tell = () => {
    if (open !== false && !isTold.current) onClose?.();
    isTold.current = true;
  };
  useEffect(() => void tellers.set(dialog.current, tell));
  const obey = () => {
    const element = dialog.current;
    if (open === true && !element.open) show(element);
    if (open === false && element.open) element.close();
  };
  useEffect(obey, [open]);
  // Closed by hand, and nobody has heard it: who opens the next thing would find it closed.
  useRefusal(obey);

  // The person closed it, not the app. Browsers let a second Escape through, even where the first was refused.
  const closed = (event) => {
    if (event.target !== dialog.current) return;
    if (pinned && open) dialog.current.showModal();
    else {
      keepPlace(dialog.current);
      tell();
    }
    isTold.current = false;
  };
  const isOutside = (event) => event.target === dialog.current;
  return h(
    "dialog",
    {
      ...rest,
      ref: dialog,
      onClose: closed,
      onCancel: (event) => isOutside(event) && (pinned ? event.preventDefault() : tell()),
      onKeyDown: (event) => pinned && event.key === "Escape" && event.preventDefault(),
      onPointerDown: (event) => (pressed.current = isOutside(event)),
      onClick: (event) => !pinned && pressed.current && isOutside(event) && leave(dialog.current),
    },
    children,
    h("p", { "data-announcer": "", role: "status", className: "sr-only" }),
  );
}

// Above everything, also above a modal dialog that opened later. Browsers without popovers show it in its place.
export function TopLayer({ shown, children, ...rest }) {
  const layer = useRef(null);
  useEffect(() => {
    if (!layer.current.showPopover) return;
    if (shown) layer.current.showPopover();
    else if (layer.current.matches(":popover-open")) layer.current.hidePopover();
  }, [shown]);
  return h("div", { ...rest, ref: layer, popover: "manual" }, children);
}
