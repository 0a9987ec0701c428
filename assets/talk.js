// What people write to each other: likes that answer at once, why something was moderated, links and
// mentions in texts, and a form that tells what is typed while it is typed.
import { createElement as h, useEffect, useId, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import Heart from "lucide-react/dist/esm/icons/heart.mjs";
import { pressing, sending } from "$/public/connection";
import { useFormats } from "$/public/formats";
import { useRefusal } from "$/public/notices";

const WRITING_PAUSE = 400;
const LINK = "text-cyan underline decoration-1 underline-offset-4 hover:decoration-2";

// What the hand chose counts until the server has answered, whatever the answer is.
export function Like({ likes, isLiked, settled, label, onLike, className }) {
  const [isChosen, choose] = useState(isLiked);
  const formats = useFormats();
  const takeBack = () => choose(isLiked);
  useEffect(takeBack, [isLiked, likes, settled]);
  useRefusal(takeBack);
  const press = () => {
    choose(!isChosen);
    pressing(() => onLike(!isChosen), takeBack);
  };
  return h(
    "button",
    { type: "button", className, "aria-pressed": isChosen, onClick: press },
    h(Heart, { size: 18, strokeWidth: 1.75, "aria-hidden": true, className: "shrink-0" }),
    h("span", { className: "sr-only" }, `${label} `),
    h("span", { className: "tnum" }, formats.number(likes + isChosen - isLiked)),
  );
}

// A mark that says more: to a pointer above it, to who comes with the keyboard, and to a finger.
export function Explained({ mark, className, explains, children }) {
  const [isOpen, setOpen] = useState(false);
  const pointer = useRef("");
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    const escape = (event) => event.key === "Escape" && setOpen(false);
    const press = ({ target }) => !document.getElementById(id)?.parentElement.contains(target) && setOpen(false);
    document.addEventListener("keydown", escape);
    document.addEventListener("pointerdown", press);
    return () => {
      document.removeEventListener("keydown", escape);
      document.removeEventListener("pointerdown", press);
    };
  }, [isOpen, id]);
  const byMouse = (open) => (event) => event.pointerType === "mouse" && setOpen(open);
  return h(
    "span",
    { className: "inline-block sm:relative", onPointerEnter: byMouse(true), onPointerLeave: byMouse(false) },
    h(
      "button",
      {
        type: "button",
        className,
        "aria-describedby": id,
        onPointerDown: (event) => (pointer.current = event.pointerType),
        onFocus: (event) => event.target.matches(":focus-visible") && setOpen(true),
        onBlur: () => setOpen(false),
        onClick: () => setOpen(pointer.current === "mouse" || !isOpen),
      },
      mark,
    ),
    h("span", { id, role: "tooltip", hidden: !isOpen, className: explains }, children),
  );
}

const PARTS = /(https:\/\/[^\s<>"]+)|(^|[^\p{L}\p{N}_@.\-/])@([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,29})/gu;
const ENDING = /[.,;:!?)\]}'’”»…]+$/u;

function addressOf(text) {
  try {
    const url = new URL(text);
    return url.hostname.includes(".") && !url.username && !url.password ? url : null;
  } catch {
    return null;
  }
}

const BRACKETS = { ")": "(", "]": "[", "}": "{" };
const count = (text, sign) => text.split(sign).length - 1;

// What ends a sentence is no part of the address in it, but for brackets that the address itself has opened.
function withoutEnding(text) {
  let end = text.replace(ENDING, "").length;
  const closesItsOwn = (bracket) => {
    const before = text.slice(0, end);
    return BRACKETS[bracket] && count(before, BRACKETS[bracket]) > count(before, bracket);
  };
  while (closesItsOwn(text[end])) end += 1;
  return text.slice(0, end);
}

function foreign(text, key) {
  const written = withoutEnding(text);
  const url = addressOf(written);
  if (!url) return [text];
  // Letters that only look like others show what they are.
  const shown = url.hostname.includes("xn--") ? url.href : written;
  const link = h(
    "a",
    { key, href: url.href, target: "_blank", rel: "nofollow noopener noreferrer ugc", className: LINK },
    shown,
  );
  return [link, text.slice(written.length)];
}

function mention(name, calls, key) {
  const handle = name.replace(/[.-]+$/, "");
  const known = handle.toLowerCase();
  if (!calls.includes(known)) return [`@${name}`];
  const to = `/player?name=${encodeURIComponent(known)}`;
  return [h(Link, { key, to, className: LINK }, `@${handle}`), name.slice(handle.length)];
}

// Text stays text: only addresses, and names that have a page, become links.
export function Said({ text, calls = [], className }) {
  const parts = [];
  let behind = 0;
  for (const found of text.matchAll(PARTS)) {
    const [all, address, before, name] = found;
    parts.push(text.slice(behind, found.index));
    parts.push(...(address ? foreign(address, found.index) : [before, ...mention(name, calls, found.index)]));
    behind = found.index + all.length;
  }
  return h("p", { className }, ...parts, text.slice(behind));
}

const typedIn = (form) =>
  Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === "string"));

// A form that tells what is typed after a short pause, when it goes away, and before it is sent: what is refused
// waits as a whole.
export function Writing({ onNote, onSend, focusAt, children, ...rest }) {
  const form = useRef(null);
  const told = useRef({ timer: 0, fields: null, onNote });
  told.current.onNote = onNote;
  const tell = () => {
    const { timer, fields } = told.current;
    clearTimeout(timer);
    told.current.fields = null;
    if (fields) told.current.onNote(fields);
  };
  const hear = () => {
    clearTimeout(told.current.timer);
    told.current.fields = typedIn(form.current);
    told.current.timer = setTimeout(tell, WRITING_PAUSE);
  };
  const send = (event) => {
    event.preventDefault();
    tell();
    sending(() => onSend(typedIn(form.current)));
  };
  useEffect(() => tell, []);
  useEffect(() => {
    if (focusAt && location.hash === focusAt) form.current.querySelector("textarea").focus();
  }, [focusAt]);
  return h("form", { ...rest, ref: form, noValidate: true, onInput: hear, onSubmit: send }, children);
}

// What React does not hear of is no change: the field's own setter, and the event that typing makes.
function write(field, text) {
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// Whom a text is for stands before it. Who was called there before, and nothing was said to, is not meant any more.
function call(field, name) {
  const typed = field.value === field.dataset.calling ? "" : field.value;
  const text = typed.startsWith(name) ? typed : name + typed;
  if (text !== field.value) write(field, text);
  field.dataset.calling = typed ? "" : name;
}

// The text of an answer begins with the name of who is answered; what was typed there stays behind it.
export function Answer({ handle, into, children, ...rest }) {
  const begin = () => {
    const field = document.getElementById(into);
    if (!field) return;
    call(field, handle ? `@${handle} ` : "");
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    field.scrollIntoView({ block: "center" });
  };
  return h("button", { ...rest, type: "button", onClick: begin }, children);
}

const REPLY = "reply-";

// A link that led to one of many: it comes into view; where it is not among them yet, the page is asked for it.
export function Arrival({ beginsAfter, count, onLost }) {
  const { hash, key } = useLocation();
  const found = useRef("");
  const missed = useRef("");
  useEffect(() => {
    const id = hash.slice(1);
    if (!id.startsWith(REPLY) || found.current === key) return;
    const place = document.getElementById(id);
    if (place) {
      found.current = key;
      place.scrollIntoView({ block: "center" });
    } else if (missed.current !== key) {
      missed.current = key;
      onLost(id.slice(REPLY.length));
    }
  }, [key, beginsAfter, count]);
  return null;
}
