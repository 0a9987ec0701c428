// Texts by their keys: filled in, in the plural that a count asks for, in English where a language
// has none. Nothing here knows pages.
export const ENGLISH = "en";

const PLACE = /\{\{(\w+)\}\}/g;
// By language: the texts by their keys, and the parts of the catalogue that are there.
const known = new Map();
const rules = new Map();

function catalogueOf(language) {
  if (!known.has(language)) known.set(language, { texts: new Map(), parts: new Set() });
  return known.get(language);
}

export function add(language, part, texts) {
  const catalogue = catalogueOf(language);
  for (const [key, text] of Object.entries(texts)) catalogue.texts.set(key, text);
  catalogue.parts.add(part);
}

export const has = (language, part) => catalogueOf(language).parts.has(part);

function formOf(count, language) {
  if (!rules.has(language)) rules.set(language, new Intl.PluralRules(language));
  return rules.get(language).select(count);
}

function found(key, count, language) {
  const { texts } = catalogueOf(language);
  if (typeof count !== "number") return texts.get(key);
  return texts.get(`${key}_${formOf(count, language)}`) ?? texts.get(`${key}_other`) ?? texts.get(key);
}

const textOf = (key, params, language) =>
  found(key, params?.count, language) ?? found(key, params?.count, ENGLISH);

export const exists = (key, params, language) => textOf(key, params, language) !== undefined;

const numbers = new Map();

// As the language writes numbers; what is text already stays as it is.
function written(value, language) {
  if (typeof value !== "number") return value ?? "";
  if (!numbers.has(language)) numbers.set(language, new Intl.NumberFormat(language));
  return numbers.get(language).format(value);
}

// What is filled in is not filled in again. A key without a text is seen as it is.
export function say(key, params, language) {
  const text = textOf(key, params, language) ?? key ?? "";
  return text.replace(PLACE, (_, name) => written(params?.[name], language));
}
