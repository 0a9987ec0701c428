// Countries in the language of the page: the browser knows their names.
import { createElement } from "react";
import { useTranslation } from "react-i18next";

export function CountryOptions({ codes = [], dialling = {} }) {
  const { i18n } = useTranslation();
  const language = i18n.language || "en";
  const names = new Intl.DisplayNames([language], { type: "region" });
  const rows = codes.map((code) => [code, names.of(code)]);
  const inOrder = new Intl.Collator(language).compare;
  return rows
    .sort((one, other) => inOrder(one[1], other[1]))
    .map(([code, name]) =>
      createElement("option", { key: code, value: code }, dialling[code] ? `${name} +${dialling[code]}` : name),
    );
}
