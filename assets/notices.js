// One toast at a time. The server sends keys and parameters; the words are found here.
import { createElement as h, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { wordsOf } from "$/public/i18n";
import { Toaster, toast } from "sonner";
import CircleAlert from "lucide-react/dist/esm/icons/circle-alert.mjs";
import Info from "lucide-react/dist/esm/icons/info.mjs";
import Trophy from "lucide-react/dist/esm/icons/trophy.mjs";

const DURATION = 5000;
const SEEN = "notice-seen";
const STYLES = {
  default: [Info, "border-line [&_svg]:text-cyan"],
  destructive: [CircleAlert, "border-danger [&_svg]:text-danger"],
  gaming: [Trophy, "glow border-purple [&_svg]:text-lilac"],
};
const TOAST =
  "pointer-events-auto flex font-sans w-full items-start gap-3 rounded-panel border bg-panel p-4 text-base text-text shadow-lg ";

const keysOf = ({ title, text, params }) =>
  [title, text, ...Object.values(params ?? {}).filter(Array.isArray).flat()].filter(Boolean);

// Parameters that are lists hold keys: each is translated, and joined as the language joins.
function spoken(params, t, language) {
  const listing = new Intl.ListFormat(language, { type: "conjunction" });
  const say = (value) => (Array.isArray(value) ? listing.format(value.map((key) => t(key))) : value);
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, say(value)]));
}

const said = ({ text, params }, t, language) => t(text, spoken(params, t, language));

// A modal dialog lies above everything and silences the page behind it. So the toasts move to the
// top layer, and the open dialog's own announcer says them.
function rise(layer) {
  layer?.hidePopover?.();
  layer?.showPopover?.();
}

function announce(text) {
  const announcers = document.querySelectorAll("dialog:modal [data-announcer]");
  const last = announcers[announcers.length - 1];
  if (last) last.textContent = text;
}

const OWN = "own-notice";

// What the page says by itself: the server does not answer.
export function notify(notice) {
  dispatchEvent(new CustomEvent(OWN, { detail: notice }));
}

export function Notices({ notice, label }) {
  const { t, i18n } = useTranslation();
  const layer = useRef(null);
  const latest = useRef(null);
  const id = notice?.id ? String(notice.id) : "";
  const show = async (shown) => {
    latest.current = shown;
    await wordsOf(keysOf(shown), shown.params);
    if (latest.current !== shown) return;
    const { style, title, text, params } = shown;
    const words = [title, text].filter(Boolean).map((key) => ({ text: key, params }));
    const [Icon, look] = STYLES[style] ?? STYLES.default;
    rise(layer.current);
    announce(words.map((says) => said(says, t, i18n.language)).join("\n"));
    toast.dismiss();
    // Not texts but what writes them: the catalogue may come later than the notice.
    const [head, body] = words.map((says) => h(Words, { says }));
    toast(head, {
      description: body,
      className: TOAST + look,
      icon: h(Icon, { size: 20, strokeWidth: 1.75, "aria-hidden": true }),
    });
  };
  useEffect(() => {
    // What was shown before a reload is not shown again.
    if (!id || sessionStorage.getItem(SEEN) === id) return;
    sessionStorage.setItem(SEEN, id);
    show(notice);
  }, [id]);
  useEffect(() => {
    const hear = (event) => show(event.detail);
    addEventListener(OWN, hear);
    return () => removeEventListener(OWN, hear);
  });
  return h(
    "div",
    { ref: layer, popover: "manual", className: "toast-layer" },
    h(Toaster, {
      position: "top-center",
      visibleToasts: 1,
      duration: DURATION,
      // Over the bars, which can wait: the heading and the form below them stay in sight.
      offset: { top: 8 },
      mobileOffset: { top: 8 },
      containerAriaLabel: label,
      toastOptions: {
        unstyled: true,
        classNames: { title: "font-semibold", description: "text-quiet", content: "min-w-0 flex-1", icon: "mt-0.5 shrink-0" },
      },
    }),
  );
}

// A text that the server chose by its key.
export function Words({ says }) {
  const { t, i18n } = useTranslation();
  return says?.text ? said(says, t, i18n.language) : "";
}
