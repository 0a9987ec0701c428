// Cookie consent: the browser's storage is the truth, in every tab; the server is only told.
import { createElement as h, useEffect, useRef, useSyncExternalStore } from "react";

const CHOICES = "cookie-consent";
const ASKING = "asking";
const CHOSEN_AT = "consent-timestamp";
const OPTIONAL = ["analytics", "marketing", "ipLogging"];
const followers = new Set();

const choose = (isAllowed) =>
  Object.fromEntries([["essential", true], ...OPTIONAL.map((kind) => [kind, isAllowed(kind)])]);
const AT_ONCE = { all: choose(() => true), nothing: choose(() => false) };

function stored() {
  try {
    return localStorage.getItem(CHOICES) ?? "";
  } catch {
    return "";
  }
}

function store(choices) {
  localStorage.setItem(CHOSEN_AT, new Date().toISOString());
  localStorage.setItem(CHOICES, JSON.stringify(choices));
  followers.forEach((follow) => follow());
}

// What was stored by this site; anything else counts as nothing, and is asked again.
function choicesIn(text) {
  try {
    const found = JSON.parse(text);
    return found?.essential === true ? choose((kind) => found[kind] === true) : null;
  } catch {
    return null;
  }
}

function follow(listener) {
  const hear = ({ key }) => (key === CHOICES || key === null) && listener();
  followers.add(listener);
  addEventListener("storage", hear);
  return () => {
    followers.delete(listener);
    removeEventListener("storage", hear);
  };
}

const useStored = () => useSyncExternalStore(follow, stored, () => "");

// `null` while nothing was chosen.
export const answerTo = (kind) => choicesIn(stored())?.[kind] ?? null;

export const allows = (kind) => answerTo(kind) === true;

// Follows every change, in this tab and in others.
export const useAllowed = (kind) => useSyncExternalStore(follow, () => allows(kind), () => false);
export const useAnswerTo = (kind) => useSyncExternalStore(follow, () => answerTo(kind), () => null);

// What was pressed while the page was only painted, as the document's own script has kept it.
function pressedEarly(form) {
  const { pressed } = form;
  form.onclick = form.pressed = null;
  return pressed;
}

// With `savesAtOnce` a switch counts when it is flipped, without a button.
export function ConsentForm({ onSaved, onFailed, savesAtOnce, children, ...rest }) {
  const form = useRef(null);
  const text = useStored();
  useEffect(() => {
    const choices = choicesIn(text);
    // Before anything was chosen, what stands there may be what somebody is choosing.
    if (choices) OPTIONAL.forEach((kind) => (form.current.elements[kind].checked = choices[kind]));
  }, [text]);
  const save = (choices) => {
    try {
      store(choices);
    } catch {
      onFailed();
      return;
    }
    onSaved();
  };
  const saveAtOnce = ({ target }) => {
    const choices = AT_ONCE[target.closest("button")?.value];
    if (choices) save(choices);
  };
  const saveSwitches = (event) => {
    if (event?.type === "submit") event.preventDefault();
    save(choose((kind) => form.current.elements[kind].checked));
  };
  useEffect(() => {
    const pressed = pressedEarly(form.current);
    if (pressed?.closest("button")?.value) saveAtOnce({ target: pressed });
    else if (pressed) saveSwitches();
  }, []);
  const flips = savesAtOnce ? { onChange: saveSwitches } : { onClick: saveAtOnce };
  return h("form", { ...rest, ...flips, ref: form, onSubmit: saveSwitches }, children);
}

export function ConsentBanner({ viewer, onKnown, children, ...rest }) {
  const text = useStored();
  const isKnown = choicesIn(text) !== null;
  const wasKnown = useRef(false);
  useEffect(() => {
    if (!viewer || (!isKnown && !wasKnown.current)) return;
    wasKnown.current = true;
    onKnown(isKnown ? JSON.stringify(choicesIn(text)) : "");
  }, [viewer, text]);
  return isKnown ? null : h(Question, { ...rest, isDue: !!viewer }, children);
}

// Part of every document; the document's own script shows it at once where nothing is stored yet and
// where it is in the right language, else it waits until it is due. Its height is known to the page,
// so that the last lines and focused fields can be brought above it.
function Question({ isDue, children, ...rest }) {
  const banner = useRef(null);
  useEffect(() => {
    if (isDue) document.documentElement.classList.add(ASKING);
  }, [isDue]);
  useEffect(() => {
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => {
      style.setProperty("--banner", `${innerHeight - banner.current.getBoundingClientRect().top}px`);
    });
    sizes.observe(banner.current);
    return () => {
      sizes.disconnect();
      style.removeProperty("--banner");
    };
  }, []);
  // The answered question is gone: whoever pressed its button goes on with the page.
  const leave = () => {
    if (!document.documentElement.classList.contains(ASKING)) return;
    if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
  };
  useEffect(() => () => void setTimeout(leave), []);
  return h("section", { ...rest, ref: banner }, children);
}
