// Countries in the language of the page: the browser knows their names.
import { createElement, useEffect, useState } from "react";
import { useTexts } from "$/public/i18n";

export function CountryOptions({ codes = [], dialling = {} }) {
  const { language } = useTexts();
  const [isInBrowser, setInBrowser] = useState(false);
  // The builder knows other names than the browser: the prerendered list has the bare codes.
  useEffect(() => setInBrowser(true), []);
  const names = new Intl.DisplayNames([language], { type: "region" });
  const rows = codes.map((code) => [code, isInBrowser ? names.of(code) : code]);
  const inOrder = new Intl.Collator(language).compare;
  return rows
    .sort((one, other) => (isInBrowser ? inOrder(one[1], other[1]) : 0))
    .map(([code, name]) =>
      createElement("option", { key: code, value: code }, dialling[code] ? `${name} +${dialling[code]}` : name),
    );
}

export function CountryName({ code = "" }) {
  const { language } = useTexts();
  return code ? new Intl.DisplayNames([language], { type: "region" }).of(code) : "";
}
