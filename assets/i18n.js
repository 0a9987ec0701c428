// Texts in the browser. Visitors' English is in the first chunk; members' texts, the other languages
// and the texts of few pages are fetched when they are needed.
import { createContext, createElement, startTransition, useContext, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { fetched } from "$/public/later";
import { ENGLISH, add, exists, has, say } from "./texts";
import english from "./locales/visitors/en.json";

const VISITORS = "visitors";
const MEMBERS = "members";
const LEGAL = "legal";
const SIGNING_IN = "/auth";
// A document whose reader chose another language than it is written in: it is not seen yet.
const UNTRANSLATED = "untranslated";
const ANSWER_WITHIN = 10_000;
const addresses = import.meta.glob("./locales/*/*.json", { query: "?url", import: "default", eager: true });

add(ENGLISH, VISITORS, english);

const parts = new Set([VISITORS]);
const fetching = new Map();
let chosen = ENGLISH;

// What a page reads with: another one as soon as any of it may read otherwise.
const speaker = (language) => ({
  language,
  t: (key, params) => say(key, params, language),
  has: (part) => has(language, part),
});

let current = speaker(ENGLISH);
const Spoken = createContext(current);
const readers = new Set();

const speaking = () => current;

function follow(reader) {
  readers.add(reader);
  return () => readers.delete(reader);
}

function change(language) {
  current = speaker(language);
  readers.forEach((reader) => reader());
}

function addTexts(language, part, texts) {
  add(language, part, texts);
  if (language === current.language) change(language);
}

// The front page has an address of its own in each language but English.
function languageAt(path) {
  const [, code, more] = path.split("/");
  return code !== ENGLISH && !more && addressOf(VISITORS, code) ? code : undefined;
}

const spokenAt = (path) => {
  const language = languageAt(path);
  return language && speaker(language);
};

// Such a page brings its texts along, so that its document and the first render are in them.
export function addOwnTexts(language, texts) {
  addTexts(language, VISITORS, texts);
  if (import.meta.env.SSR || languageAt(location.pathname) !== language) return;
  chosen = language;
  change(language);
}

// Around everything: documents of several languages are written by one process. Texts that come reach
// every corner of the page: it is written anew in pieces, between which a press is heard.
export function Languages({ children }) {
  const path = useLocation().pathname;
  const [now, setNow] = useState(speaking);
  useEffect(() => {
    const hear = () => startTransition(() => setNow(speaking));
    hear();
    return follow(hear);
  }, []);
  const value = (import.meta.env.SSR && spokenAt(path)) || now;
  useEffect(() => {
    if (value.language !== chosen) return;
    document.documentElement.lang = chosen;
    document.documentElement.classList.remove(UNTRANSLATED);
  }, [value]);
  return createElement(Spoken.Provider, { value }, children);
}

export const useTexts = () => useContext(Spoken);

const addressOf = (part, language) => addresses[`./locales/${part}/${language}.json`];

// The page keeps what it shows meanwhile. Some browsers remember for ever that an import failed, so this
// is no import.
async function textsAt(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_WITHIN) });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

function bring(part, language) {
  if (has(language, part)) return undefined;
  const address = addressOf(part, language);
  if (!fetching.has(address)) {
    const adding = fetched(() => textsAt(address)).then((texts) => addTexts(language, part, texts));
    fetching.set(address, adding);
  }
  return fetching.get(address);
}

// The old language stays until all of the new one is there.
async function settle() {
  const language = chosen;
  await Promise.all([...parts].map((part) => bring(part, language)));
  if (language !== chosen) return settle();
  if (language !== current.language) change(language);
}

function speak(language) {
  chosen = addressOf(VISITORS, language) ? language : ENGLISH;
  return settle();
}

function speakToMembers() {
  parts.add(MEMBERS);
  return settle();
}

export function whenIdle(act) {
  if (!globalThis.requestIdleCallback) return void setTimeout(act, 1000);
  requestIdleCallback(act);
}

// Follows the chosen language, and whether what members read is needed or soon will be. A prerendered
// page is in English, or in the language of its address, so the first render must be too.
export function LanguageFollower({ language, isMember, visitorPaths }) {
  const path = useLocation().pathname.replace(/(.)\/$/, "$1");
  useEffect(() => {
    // The stored one is known before the server has answered.
    speak(languageAt(path) || localStorage.getItem("language") || language);
  }, [language, path]);
  useEffect(() => {
    if (isMember || !visitorPaths.includes(path)) speakToMembers();
    else if (path === SIGNING_IN) whenIdle(speakToMembers);
  }, [isMember, path]);
  return null;
}

// Whether what members read is there in the language of the page.
export const useMembersTexts = () => useTexts().has(MEMBERS);

// What the pages of one module read: it brings the English texts, the others are fetched while
// such a page is open.
export const addEnglish = (part, texts) => addTexts(ENGLISH, part, texts);

export function usePart(part) {
  useEffect(() => {
    parts.add(part);
    settle();
    return () => parts.delete(part);
  }, [part]);
  return useTexts().has(part);
}

// Resolves when these keys have their words: a notice for members may come before their texts.
export async function wordsOf(keys, params) {
  if (!keys.every((key) => exists(key, params, current.language))) await speakToMembers();
}

// The document's title in the language of the page; which page it is can be told from outside.
export function PageTitle({ title }) {
  const { t } = useTexts();
  const text = t(title);
  useEffect(() => {
    document.title = text;
    document.documentElement.dataset.page = title;
  }, [text]);
  return null;
}
