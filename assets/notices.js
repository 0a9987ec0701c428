// One toast at a time. The server sends keys and parameters; the words are found here.
import { createElement as h, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useMembersTexts, useTexts, whenIdle, wordsOf } from "$/public/i18n";
import { fetched, later } from "$/public/later";

const SEEN = "notice-seen";

let fetching;
const bring = () => (fetching ??= fetched(async () => (await import("$/public/toasts")).Toasts));
const Toasts = later(bring);

const keysOf = ({ title, text, params }) =>
  [title, text, ...Object.values(params ?? {}).filter(Array.isArray).flat()].filter(Boolean);

const wordsIn = ({ title, text, params }) =>
  [title, text].filter(Boolean).map((key) => ({ text: key, params }));

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

export function announce(text) {
  const announcers = document.querySelectorAll("dialog:modal [data-announcer]");
  const last = announcers[announcers.length - 1];
  if (last) last.textContent = text;
}

const OWN = "own-notice";

// What the page says by itself: the server does not answer.
export function notify(notice) {
  dispatchEvent(new CustomEvent(OWN, { detail: notice }));
}

const REFUSED = "refused";

export const refuse = () => dispatchEvent(new Event(REFUSED));

// What a hand has chosen and nobody has taken is put back: `takeBack` runs with every refusal, and
// where it may not have been heard.
export function useRefusal(takeBack) {
  const latest = useRef(takeBack);
  useEffect(() => {
    latest.current = takeBack;
  });
  // As long as what it takes back to is drawn: other effects end some time after their page.
  useLayoutEffect(() => {
    const hear = () => latest.current();
    addEventListener(REFUSED, hear);
    return () => removeEventListener(REFUSED, hear);
  }, []);
}

// What draws toasts is fetched for the first one, and for members before it: visitors rarely see any.
export function Notices({ notice, label }) {
  const { t, language } = useTexts();
  const isForMember = useMembersTexts();
  const layer = useRef(null);
  const latest = useRef(null);
  const [shown, setShown] = useState(null);
  const id = notice?.id ? String(notice.id) : "";
  const show = async (next) => {
    latest.current = next;
    if (next.style === "destructive") refuse();
    await Promise.all([wordsOf(keysOf(next), next.params), bring()]);
    if (latest.current !== next) return;
    const words = wordsIn(next);
    rise(layer.current);
    announce(words.map((says) => said(says, t, language)).join("\n"));
    setShown({ style: next.style, words });
  };
  useEffect(() => {
    // What was shown before a reload is not shown again.
    if (!id || sessionStorage.getItem(SEEN) === id) return;
    show(notice).then(() => sessionStorage.setItem(SEEN, id));
  }, [id]);
  const showNow = useRef(show);
  useEffect(() => {
    showNow.current = show;
  });
  // Never deaf for a moment: the rest of the page speaks while it is drawn anew.
  useEffect(() => {
    const hear = (event) => showNow.current(event.detail);
    addEventListener(OWN, hear);
    return () => removeEventListener(OWN, hear);
  }, []);
  useEffect(() => {
    if (isForMember) whenIdle(bring);
  }, [isForMember]);
  return h(
    "div",
    { ref: layer, popover: "manual", className: "toast-layer" },
    shown && h(Toasts, { shown, label }),
  );
}

// Says a text that the server chose by its key.
export function useSaid() {
  const { t, language } = useTexts();
  return (says) => (says?.text ? said(says, t, language) : "");
}

export function Words({ says }) {
  return useSaid()(says);
}
