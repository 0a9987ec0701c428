// Texts in the browser: English is in the first chunk, every other catalogue is fetched when chosen.
import { useEffect } from "react";
import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import en from "./locales/en.json";

const others = {
  sv: () => import("./locales/sv.json"),
  de: () => import("./locales/de.json"),
  fr: () => import("./locales/fr.json"),
  es: () => import("./locales/es.json"),
  it: () => import("./locales/it.json"),
  pl: () => import("./locales/pl.json"),
  ru: () => import("./locales/ru.json"),
};

i18next.use(initReactI18next).init({
  resources: { en: { translation: en } },
  lng: "en",
  fallbackLng: "en",
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
});

async function speak(language) {
  const load = others[language];
  if (load && !i18next.hasResourceBundle(language, "translation")) {
    const catalogue = await load();
    i18next.addResourceBundle(language, "translation", catalogue.default);
  }
  await i18next.changeLanguage(load ? language : "en");
  document.documentElement.lang = i18next.language;
}

// Follows the chosen language. The prerendered page is in English, so the first render must be too.
export function LanguageFollower({ language }) {
  useEffect(() => {
    speak(language || localStorage.getItem("language") || "en");
  }, [language]);
  return null;
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
