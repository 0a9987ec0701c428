// The long texts of the terms and the privacy policy: only those pages load them.
import { createElement as h } from "react";
import { addEnglish, usePart, useTexts } from "$/public/i18n";
import english from "./locales/legal/en.json";

const PART = "legal";
const ITEM = "- ";

addEnglish(PART, english);

// Whether they are there in the language of the page.
export const useLegalTexts = () => usePart(PART);

const items = (lines) => h("ul", null, ...lines.map((line, n) => h("li", { key: n }, line.slice(ITEM.length))));

function block(text, key) {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith(ITEM));
  if (first < 0) return h("p", { key }, text);
  return h("div", { key }, first > 0 && h("p", null, lines.slice(0, first).join(" ")), items(lines.slice(first)));
}

// A text of several paragraphs; lines that begin with a dash are a list.
export function Prose({ of, params, className }) {
  const { t } = useTexts();
  return h("div", { className }, t(of, params).split("\n\n").map(block));
}
