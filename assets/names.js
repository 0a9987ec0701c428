// Names and addresses on narrow screens: where their lines may break, and where never.
import { createElement as h } from "react";

const WITH_A_HYPHEN = /([^\s\u00a0]*-[^\s\u00a0]*)/;
// Before the @ and after each full stop: no word in it is broken while there is room for it. In words that
// browsers know which cannot look behind.
const PARTS = /@[^@.]*\.?|[^@.]+\.?|\./g;

// V-Bucks is one word: its hyphen ends no line. What is searched and copied keeps it as it is.
export function Unbroken({ text = "" }) {
  return text
    .split(WITH_A_HYPHEN)
    .map((part, at) => (at % 2 ? h("span", { key: at, className: "whitespace-nowrap" }, part) : part));
}

export function MailAddress({ address = "" }) {
  return (address.match(PARTS) ?? []).flatMap((part, at) => (at ? [h("wbr", { key: at }), part] : [part]));
}

// A sentence in any language, in which the address leads to a mail wherever it stands.
export function WithMail({ text = "", address, className }) {
  const link = (key) => h("a", { key, href: `mailto:${address}`, className }, h(MailAddress, { address }));
  return text.split(address).flatMap((part, at) => (at ? [link(at), part] : [part]));
}
