// Cookie consent: the browser's storage is the truth, in every tab; the server is only told.
import { createElement as h, useEffect, useRef, useSyncExternalStore } from "react";

const CHOICES = "cookie-consent";
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

// With `savesAtOnce` a switch counts when it is flipped, without a button.
export function ConsentForm({ onSaved, onFailed, savesAtOnce, children, ...rest }) {
  const form = useRef(null);
  const text = useStored();
  useEffect(() => {
    const choices = choicesIn(text);
    OPTIONAL.forEach((kind) => (form.current.elements[kind].checked = choices?.[kind] ?? false));
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
    if (event.type === "submit") event.preventDefault();
    save(choose((kind) => form.current.elements[kind].checked));
  };
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
  return viewer && !isKnown ? h(Question, rest, children) : null;
}

// Its height is known to the page, so that the last lines and focused fields can be brought above it.
function Question({ children, ...rest }) {
  const banner = useRef(null);
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
    if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
  };
  useEffect(() => () => void setTimeout(leave), []);
  return h("section", { ...rest, ref: banner }, children);
}
