// What is typed into a form, kept in the browser for whatever on the page follows it.
import { createElement as h, useEffect, useRef, useSyncExternalStore } from "react";

const NOTHING = {};
// An address that is half typed leads somewhere else.
const ADDRESS_SETTLES_AFTER = 600;
const forms = new Map();
const followers = new Set();

function follow(follower) {
  followers.add(follower);
  return () => followers.delete(follower);
}

function keep(name, fields) {
  const text = JSON.stringify(fields);
  if (text === forms.get(name)?.text) return;
  forms.set(name, { text, fields });
  followers.forEach((tell) => tell());
}

const read = (form) =>
  Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string"));

export function Typing({ name }) {
  const place = useRef(null);
  useEffect(() => {
    const form = place.current.closest("form");
    let later;
    const note = () => keep(name, read(form));
    const hear = ({ target, type }) => {
      clearTimeout(later);
      if (target.type === "url" && type === "input") later = setTimeout(note, ADDRESS_SETTLES_AFTER);
      else note();
    };
    // Fields come and go with what is chosen.
    const changes = new MutationObserver(note);
    note();
    form.addEventListener("input", hear);
    form.addEventListener("change", hear);
    changes.observe(form, { childList: true, subtree: true });
    return () => {
      clearTimeout(later);
      form.removeEventListener("input", hear);
      form.removeEventListener("change", hear);
      changes.disconnect();
      keep(name, NOTHING);
    };
  }, [name]);
  return h("span", { ref: place, hidden: true });
}

export function useTyped(name) {
  return useSyncExternalStore(
    follow,
    () => forms.get(name)?.fields ?? NOTHING,
    () => NOTHING,
  );
}

// Only what the app would accept may be asked for: foreign pages by name, and files of our own.
export const shownAddress = (text) => (/^(https?:\/\/[^/\s@]+\.[^/\s@]+|\/ads\/)/i.test(text.trim()) ? text.trim() : "");
