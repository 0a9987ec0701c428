// What was typed, kept while the page is built anew: after a lost connection, or in another language.
import { useLayoutEffect } from "react";

const FIELDS = "input, textarea, select";
const NOT_TYPED = ["hidden", "file", "submit", "button", "reset", "image"];
const REBUILT_WITHIN = 10_000;
const CHOICES = ["checkbox", "radio"];

const isChoice = ({ type }) => CHOICES.includes(type);
const fields = () => [...document.querySelectorAll(FIELDS)].filter(({ type }) => !NOT_TYPED.includes(type));

// Two of the same name are told apart by their order.
function named() {
  const counts = new Map();
  return fields().map((field) => {
    const name = [field.id, field.name, field.type, isChoice(field) ? field.value : ""].join("|");
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return [`${name}|${counts.get(name)}`, field];
  });
}

const valueOf = (field) => (isChoice(field) ? field.checked : field.value);
const beginning = (field) => {
  if (isChoice(field)) return field.defaultChecked;
  if (field.tagName !== "SELECT") return field.defaultValue;
  return ([...field.options].find(({ defaultSelected }) => defaultSelected) ?? field.options[0])?.value;
};
const isTouched = (field) => valueOf(field) !== beginning(field);

// As if it were typed: whoever listens to the field hears of it.
function fill(field, value) {
  if (isChoice(field)) {
    if (field.checked !== value) field.click();
    return;
  }
  if (field.tagName === "SELECT" && ![...field.options].some((option) => option.value === value)) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

const isWritingIn = (field) => field === document.activeElement;

function remember(field) {
  const { selectionStart: start, selectionEnd: end } = field;
  return { field, value: valueOf(field), isTouched: isTouched(field), isWritingIn: isWritingIn(field), start, end };
}

// Whoever is in the middle of a word writes on where they were.
function writeOn(field, { start, end }) {
  field.focus({ preventScroll: true });
  // Fields for addresses have no place within: the end it is.
  if (Number.isInteger(start)) field.setSelectionRange(start, end);
}

let stop = () => {};

// Fields that the page brings again within a moment are filled; those that stayed are let alone.
export function keepTyped() {
  stop();
  const typed = new Map(named().map(([name, field]) => [name, remember(field)]).filter(([, was]) => was.isTouched || was.isWritingIn));
  if (!typed.size) return;
  const restore = () => {
    for (const [name, field] of named()) {
      const kept = typed.get(name);
      if (!kept || kept.field === field || kept.field.isConnected) continue;
      typed.delete(name);
      if (kept.isTouched && !isTouched(field)) fill(field, kept.value);
      if (kept.isWritingIn && document.activeElement === document.body) writeOn(field, kept);
    }
    if (!typed.size) stop();
  };
  const changes = new MutationObserver(restore);
  const over = setTimeout(() => stop(), REBUILT_WITHIN);
  stop = () => {
    changes.disconnect();
    clearTimeout(over);
    stop = () => {};
  };
  changes.observe(document.body, { childList: true, subtree: true });
}

// On a page that another takes the place of: fields that both have go on with what was typed.
export function KeepsTyped() {
  useLayoutEffect(() => keepTyped, []);
  return null;
}
