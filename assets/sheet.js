// A sheet on its way to the server: read from a file or pasted, refused here where it is too large,
// and forgotten once it has arrived.
import { createElement as h, useEffect, useRef, useState } from "react";
import { useTexts } from "$/public/i18n";
import { sending } from "$/public/connection";
import { useFormats } from "$/public/formats";

// The socket closes at 600,000 characters; the rest of the message needs a few of them.
const MOST_SENT = 590_000;
const MOST_SHOWN = 50;
const UNPRINTABLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\p{Surrogate}]/u;
const LINE_END = /\r\n|\r|\n/;

const problem = (line, name, params = {}) => ({ line, key: `codes.problems.${name}`, params });
const isTooLarge = (text, most) => text.length > most || JSON.stringify(text).length > MOST_SENT;

function problemsOf(text, most) {
  if (isTooLarge(text, most)) return [problem(1, "too_large", { most })];
  return text
    .split(LINE_END)
    .flatMap((line, index) => (UNPRINTABLE.test(line) ? [problem(index + 1, "unprintable")] : []));
}

async function textOf(file, most) {
  // No character takes more than four bytes: what is larger is not even read.
  if (file.size > 4 * most) return [null, problem(1, "too_large", { most })];
  try {
    return [new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()), null];
  } catch {
    return [null, problem(1, "not_utf8")];
  }
}

export function SheetForm({ most, problems, problemCount, done, onSend, children, ...rest }) {
  const form = useRef(null);
  const reading = useRef(null);
  const [own, setOwn] = useState([]);
  // What came in before is no answer to a sheet that is refused here.
  const [refusedAfter, setRefusedAfter] = useState(null);
  const refuse = (found) => {
    setOwn(found);
    if (found.length) setRefusedAfter(done);
  };
  const sheet = () => form.current.elements.sheet;
  useEffect(() => {
    if (done) sheet().value = "";
  }, [done]);
  const read = async ({ target }) => {
    const [file] = target.files ?? [];
    if (!file) return null;
    const [text, wrong] = await textOf(file, most);
    // Chosen again after it was changed, the same file must be read again.
    target.value = "";
    sheet().value = text ?? "";
    refuse(wrong ? [wrong] : []);
    if (text) sheet().focus();
    return wrong;
  };
  const send = async (event) => {
    event.preventDefault();
    // What cannot be read is told already.
    if (await reading.current) return;
    const { value } = sheet();
    const found = problemsOf(value, most);
    refuse(found);
    if (!found.length) sending(() => onSend(value));
  };
  const change = (event) => {
    if (event.target.type !== "file") return;
    // Nothing has to stand there while something is on its way there.
    sheet().required = false;
    const mine = (reading.current = read(event));
    mine.finally(() => {
      if (reading.current !== mine) return;
      reading.current = null;
      sheet().required = true;
    });
  };
  const [shown, count] = own.length ? [own.slice(0, MOST_SHOWN), own.length] : [problems, problemCount];
  return h(
    "form",
    { ...rest, ref: form, "data-refused": refusedAfter === done || undefined, onChange: change, onSubmit: send },
    children,
    h("div", { role: "alert", className: "empty:hidden" }, count ? h(Problems, { shown, count }) : null),
  );
}

function Problems({ shown, count }) {
  const { t } = useTexts();
  const { number } = useFormats();
  const written = (params) => Object.fromEntries(Object.entries(params).map(([name, value]) => [name, number(value)]));
  return [
    h("p", { key: "title", className: "font-semibold text-danger" }, t("codes.refused", { count, shown: number(count) })),
    h(
      "ol",
      { key: "list", className: "mt-2 grid max-h-80 gap-2 overflow-y-auto", tabIndex: 0, "aria-label": t("codes.problems_label") },
      shown.map(({ line, key, params }) =>
        h(
          "li",
          { key: line, className: "grid grid-cols-[5rem_minmax(0,1fr)] gap-2" },
          h("span", { className: "tnum text-quiet" }, t("codes.line", { line: number(line) })),
          h("span", null, t(key, written(params))),
        ),
      ),
    ),
    count > shown.length &&
      h("p", { key: "rest", className: "mt-2 text-quiet" }, t("codes.more", { count: count - shown.length, shown: number(count - shown.length) })),
  ];
}
