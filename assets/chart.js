// A period's figures day by day: a chart that is fetched when it is shown, and the same as a table.
import { createElement as h, lazy, Suspense, useState } from "react";
import { useTexts } from "$/public/i18n";
import { useFormats } from "$/public/formats";
import { fetched } from "$/public/later";

const Lines = lazy(() => fetched(() => import("$/public/chart_lines")));
const MODES = ["views", "clicks", "spend"];
const COLUMNS = ["impressions", "completions", "clicks", "spend"];

export function useWords() {
  const { t } = useTexts();
  const { number, dollarsOfParts } = useFormats();
  return {
    t,
    name: (figure) => t(`analytics.${figure}`),
    written: (figure, value) => (figure === "spend" ? dollarsOfParts(value) : number(value)),
  };
}

export function DailyChart({ days, today }) {
  const [mode, setMode] = useState(MODES[0]);
  const { t } = useTexts();
  const all = [...(days ?? []), today].filter((point) => point?.day);
  return h(
    "section",
    { className: "min-w-0 rounded-panel border border-line bg-panel p-4 sm:p-5" },
    h(
      "div",
      { className: "mb-4 flex flex-wrap items-center gap-x-4 gap-y-2" },
      h("h2", { className: "min-w-0 flex-[1_1_100%] text-lg sm:flex-1" }, t(`analytics.chart_${mode}`)),
      h(Legend, { mode }),
      h(Switch, { mode, setMode }),
    ),
    h(
      Suspense,
      { fallback: h("div", { className: "h-[280px] w-full animate-pulse rounded-control bg-raised", "aria-busy": true, "aria-hidden": true }) },
      h(Lines, { days: all, mode }),
    ),
    h(Figures, { days: all }),
  );
}

function Legend({ mode }) {
  const { name } = useWords();
  if (mode !== "views") return null;
  return h(
    "div",
    { className: "flex flex-wrap gap-x-4 text-sm text-quiet" },
    h(Key, { name: name("completions") }),
    h(Key, { name: name("impressions"), isDotted: true }),
  );
}

export function Key({ name, isDotted = false }) {
  const line = isDotted ? "border-dotted border-quiet" : "border-purple";
  return h(
    "span",
    { className: "inline-flex items-center gap-2" },
    h("span", { className: `w-4 border-t-2 ${line}`, "aria-hidden": true }),
    name,
  );
}

function Switch({ mode, setMode }) {
  const { t } = useTexts();
  return h(
    "div",
    {
      role: "group",
      "aria-label": t("analytics.chart_figure"),
      className: "inline-flex gap-0.5 rounded-[10px] border border-line bg-panel p-[3px] max-sm:w-full",
    },
    MODES.map((one) =>
      h(
        "button",
        {
          key: one,
          type: "button",
          "aria-pressed": mode === one,
          onClick: () => setMode(one),
          className:
            "min-h-9 flex-auto rounded-[7px] px-3.5 text-sm font-semibold text-quiet hover:text-text aria-pressed:bg-raised " +
            "aria-pressed:text-text pointer-coarse:min-h-11",
        },
        t(`analytics.switch_${one}`),
      ),
    ),
  );
}

function Figures({ days }) {
  const [isOpen, setOpen] = useState(false);
  const { t, name, written } = useWords();
  const { day } = useFormats();
  const table = () =>
    h(
      "div",
      { className: "mt-3 max-h-96 overflow-auto rounded-control border border-line", tabIndex: 0, role: "region", "aria-label": t("analytics.table") },
      h(
        "table",
        { className: "tnum w-full border-collapse text-sm" },
        h("caption", { className: "sr-only" }, t("analytics.table")),
        h(
          "thead",
          { className: "sticky top-0 bg-panel text-quiet" },
          h(
            "tr",
            null,
            h("th", { scope: "col", className: "px-3 py-2 text-start font-medium" }, t("analytics.day")),
            COLUMNS.map((figure) => h("th", { key: figure, scope: "col", className: "px-3 py-2 text-end font-medium" }, name(figure))),
          ),
        ),
        h(
          "tbody",
          null,
          [...days].reverse().map((point) =>
            h(
              "tr",
              { key: point.day, className: "border-t border-line" },
              h("th", { scope: "row", className: "px-3 py-1.5 text-start font-normal whitespace-nowrap" }, day(point.day)),
              COLUMNS.map((figure) =>
                h("td", { key: figure, className: "px-3 py-1.5 text-end whitespace-nowrap" }, written(figure, point[figure])),
              ),
            ),
          ),
        ),
      ),
    );
  return h(
    "details",
    { className: "mt-3", onToggle: (event) => setOpen(event.currentTarget.open) },
    h("summary", { className: "target w-fit text-sm text-cyan underline underline-offset-4" }, t("analytics.as_table")),
    isOpen ? table() : null,
  );
}
