// Texts in the browser. Visitors' English is in the first chunk; members' texts, the other languages
// and the texts of few pages are fetched when they are needed.
import { useEffect, useSyncExternalStore } from "react";
import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import english from "./locales/visitors/en.json";

const ENGLISH = "en";
const VISITORS = "visitors";
const MEMBERS = "members";
const LEGAL = "legal";
const SIGNING_IN = "/auth";
const ANSWER_WITHIN = 10_000;
const LONGEST_PAUSE = 8000;
const addresses = import.meta.glob("./locales/*/*.json", { query: "?url", import: "default", eager: true });

i18next.use(initReactI18next).init({
  resources: { [ENGLISH]: { [VISITORS]: english } },
  lng: ENGLISH,
  fallbackLng: ENGLISH,
  ns: [VISITORS, MEMBERS, LEGAL],
  defaultNS: VISITORS,
  fallbackNS: [MEMBERS, LEGAL],
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
});

const parts = new Set([VISITORS]);
const fetching = new Map();
let chosen = ENGLISH;

const addressOf = (part, language) => addresses[`./locales/${part}/${language}.json`];
const pause = (ms) => new Promise((over) => setTimeout(over, ms));

// Tried until it is there: the page keeps what it shows meanwhile. Some browsers remember for ever that
// an import failed, so this is no import.
async function fetched(address) {
  for (let wait = 500; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_WITHIN) });
      if (answer.ok) return await answer.json();
    } catch {
      // No connection: the same as no good answer.
    }
    await pause(wait);
  }
}

function bring(part, language) {
  if (i18next.hasResourceBundle(language, part)) return undefined;
  const address = addressOf(part, language);
  if (!fetching.has(address)) {
    const adding = fetched(address).then((texts) => i18next.addResourceBundle(language, part, texts));
    fetching.set(address, adding);
  }
  return fetching.get(address);
}

// The old language stays until all of the new one is there.
async function settle() {
  const language = chosen;
  await Promise.all([...parts].map((part) => bring(part, language)));
  if (language !== chosen) return settle();
  if (language !== i18next.language) await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

function speak(language) {
  chosen = addressOf(VISITORS, language) ? language : ENGLISH;
  return settle();
}

function speakToMembers() {
  parts.add(MEMBERS);
  return settle();
}

function whenIdle(act) {
  if (!globalThis.requestIdleCallback) return void setTimeout(act, 1000);
  requestIdleCallback(act);
}

// Follows the chosen language, and whether what members read is needed or soon will be. The prerendered
// page is in English, so the first render must be too.
export function LanguageFollower({ language, isMember, visitorPaths }) {
  const path = useLocation().pathname.replace(/(.)\/$/, "$1");
  useEffect(() => {
    // The stored one is known before the server has answered.
    speak(localStorage.getItem("language") || language);
  }, [language]);
  useEffect(() => {
    if (isMember || !visitorPaths.includes(path)) speakToMembers();
    else if (path === SIGNING_IN) whenIdle(speakToMembers);
  }, [isMember, path]);
  return null;
}

function followTexts(listener) {
  i18next.on("languageChanged", listener);
  i18next.store.on("added", listener);
  return () => {
    i18next.off("languageChanged", listener);
    i18next.store.off("added", listener);
  };
}

const hasMembersTexts = () => i18next.hasResourceBundle(i18next.language, MEMBERS);

// Whether what members read is there in the language of the page.
export const useMembersTexts = () => useSyncExternalStore(followTexts, hasMembersTexts, () => false);

// What the pages of one module read: it brings the English texts, the others are fetched while
// such a page is open.
export function addEnglish(part, texts) {
  i18next.addResourceBundle(ENGLISH, part, texts);
}

export function usePart(part) {
  useEffect(() => {
    parts.add(part);
    settle();
    return () => parts.delete(part);
  }, [part]);
  return useSyncExternalStore(
    followTexts,
    () => i18next.hasResourceBundle(i18next.language, part),
    () => true,
  );
}

// Resolves when these keys have their words: a notice for members may come before their texts.
export async function wordsOf(keys, params) {
  if (!keys.every((key) => i18next.exists(key, params))) await speakToMembers();
}

// The document's title in the language of the page.
export function PageTitle({ title }) {
  const { t } = useTranslation();
  const text = t(title);
  useEffect(() => {
    document.title = text;
  }, [text]);
  return null;
}

export { useTranslation };
