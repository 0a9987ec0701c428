// A small chart of one or two lines, drawn by itself, and the same as a table.
import { createElement as h, useState } from "react";
import { useTexts } from "$/public/i18n";
import { useFormats } from "$/public/formats";

const WIDTH = 600;
const HEIGHT = 120;
const COLOURS = ["var(--purple)", "var(--quiet)"];
const MINUTE = 60_000;
// Between two points of time lie ten minutes, unless nothing was measured.
const GAP = 15 * MINUTE;

function useWords(written, scale) {
  const { number, kronor, time, shortDay, dateAndTime, day } = useFormats();
  const { t } = useTexts();
  const ways = { number, kronor, ms: (value) => t("health.milliseconds", { shown: number(value, 1) }) };
  return scale === "time"
    ? { value: ways[written], at: time, long: dateAndTime }
    : { value: ways[written], at: shortDay, long: day };
}

export function SmallChart({ name, points, lines, written = "number", scale = "day" }) {
  const words = useWords(written, scale);
  const { t } = useTexts();
  const known = points ?? [];
  const values = known.flatMap((point) => lines.map((line) => point[line.key] ?? 0));
  const most = Math.max(...values, 0);
  return h(
    "figure",
    { className: "min-w-0" },
    h(
      "figcaption",
      { className: "mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1" },
      h("span", { className: "min-w-0 flex-[1_1_220px] font-semibold" }, name),
      lines.length > 1
        ? h("span", { className: "flex flex-wrap gap-x-4" }, lines.map((line, index) => h(Key, { key: line.key, line, index })))
        : null,
    ),
    known.length
      ? h(
          "div",
          { role: "img", "aria-label": t("ui.chart_says", { name, most: words.value(most), last: words.value(known.at(-1)[lines[0].key] ?? 0) }) },
          h("div", { className: "tnum text-sm text-quiet", "aria-hidden": true }, words.value(most)),
          h(Drawing, { points: known, lines, most, scale }),
          h(
            "div",
            { className: "tnum mt-1 flex justify-between text-sm text-quiet", "aria-hidden": true },
            h("span", null, words.at(known[0].at)),
            h("span", null, scale === "day" ? t("analytics.today") : words.at(known.at(-1).at)),
          ),
        )
      : h("p", { className: "text-sm text-quiet" }, t("ui.chart_empty")),
    known.length ? h(Table, { name, points: known, lines, words }) : null,
  );
}

function Key({ line, index }) {
  return h(
    "span",
    { className: "inline-flex items-center gap-2 text-sm text-quiet" },
    h("span", { className: `w-4 border-t-2 ${index ? "border-dotted border-quiet" : "border-purple"}`, "aria-hidden": true }),
    line.name,
  );
}

function Drawing({ points, lines, most, scale }) {
  const first = Date.parse(points[0].at);
  const length = Date.parse(points.at(-1).at) - first || 1;
  const place = (point, key) => [
    (WIDTH * (Date.parse(point.at) - first)) / length,
    HEIGHT - 2 - ((HEIGHT - 4) * (point[key] ?? 0)) / (most || 1),
  ];
  const stroke = { fill: "none", vectorEffect: "non-scaling-stroke", strokeLinejoin: "round" };
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", className: "h-24 w-full overflow-visible border-b border-edge", "aria-hidden": true },
    lines.flatMap((line, index) => {
      const look = { ...stroke, stroke: COLOURS[index], strokeWidth: index ? 1.5 : 2, strokeDasharray: index ? "2 3" : undefined };
      // Today goes on: its part is dashed.
      const open = scale === "day" && !index && points.length > 1;
      const ended = open ? points.slice(0, -1) : points;
      const parts = [h("path", { key: line.key, ...look, d: path(ended, line.key, place, scale) })];
      if (open)
        parts.push(h("path", { key: `${line.key}-open`, ...look, strokeDasharray: "5 4", d: path(points.slice(-2), line.key, place, scale) }));
      return parts;
    }),
  );
}

// Where nothing was measured, no line says that something was.
function path(points, key, place, scale) {
  return points
    .map((point, index) => {
      const [x, y] = place(point, key);
      const before = index ? Date.parse(point.at) - Date.parse(points[index - 1].at) : 0;
      const breaks = !index || (scale === "time" && before > GAP);
      // A single point is a short stroke.
      return `${breaks ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}${breaks ? "h0.1" : ""}`;
    })
    .join("");
}

function Table({ name, points, lines, words }) {
  const [isOpen, setOpen] = useState(false);
  const { t } = useTexts();
  const heading = (text, className) => h("th", { key: text, scope: "col", className: `px-3 py-2 font-medium ${className}` }, text);
  const table = () =>
    h(
      "div",
      { className: "mt-3 max-h-72 overflow-auto rounded-control border border-line", tabIndex: 0, role: "region", "aria-label": name },
      h(
        "table",
        { className: "tnum w-full border-collapse text-sm" },
        h("caption", { className: "sr-only" }, name),
        h(
          "thead",
          { className: "sticky top-0 bg-panel text-quiet" },
          h("tr", null, heading(t("ui.chart_when"), "text-start"), lines.map((line) => heading(line.name, "text-end"))),
        ),
        h(
          "tbody",
          null,
          [...points].reverse().map((point) =>
            h(
              "tr",
              { key: point.at, className: "border-t border-line" },
              h("th", { scope: "row", className: "px-3 py-1.5 text-start font-normal" }, words.long(point.at)),
              lines.map((line) => h("td", { key: line.key, className: "px-3 py-1.5 text-end whitespace-nowrap" }, words.value(point[line.key] ?? 0))),
            ),
          ),
        ),
      ),
    );
  return h(
    "details",
    { className: "mt-3", onToggle: (event) => setOpen(event.currentTarget.open) },
    h("summary", { className: "target w-fit text-sm text-cyan underline underline-offset-4", "aria-label": `${t("analytics.as_table")}: ${name}` }, t("analytics.as_table")),
    isOpen ? table() : null,
  );
}
