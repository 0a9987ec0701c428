// The lines themselves: Recharts, which no other page needs.
import { createElement as h } from "react";
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useFormats } from "$/public/formats";
import { Key, useWords } from "$/public/chart";

const HEIGHT = 280;
const MAIN = { views: "completions", clicks: "clicks", spend: "spend" };
const TIP = ["impressions", "completions", "clicks", "spend"];
const STILL = { isAnimationActive: false, connectNulls: false, dot: false };

// Today goes on: its line is another one, dashed, from yesterday's point to its own.
function split(days, figure) {
  const last = days.length - 1;
  return days.map((point, index) => ({
    ...point,
    ended: index < last || !last ? point[figure] : null,
    open: index >= last - 1 ? point[figure] : null,
  }));
}

export default function Lines({ days, mode }) {
  const { t, name, written } = useWords();
  const { shortDay, compact, dollarsOfParts } = useFormats();
  const figure = MAIN[mode];
  const today = days.at(-1)?.day;
  const axis = { stroke: "var(--edge)", tick: { fill: "var(--quiet)", fontSize: 13 }, tickLine: false };
  const amount = (value) => (mode === "spend" ? dollarsOfParts(value) : compact(value));
  return h(
    "div",
    { className: "chart text-sm", role: "group", "aria-label": t(`analytics.chart_${mode}`) },
    h(
      ResponsiveContainer,
      { width: "100%", height: HEIGHT, initialDimension: { width: 320, height: HEIGHT } },
      h(
        ComposedChart,
        { data: split(days, figure), margin: { top: 8, right: 12, bottom: 0, left: 0 }, accessibilityLayer: true, title: t("analytics.chart_keys") },
        h(CartesianGrid, { vertical: false, stroke: "var(--line)" }),
        h(XAxis, {
          ...axis,
          dataKey: "day",
          minTickGap: 36,
          interval: "preserveStartEnd",
          tickFormatter: (iso) => (iso === today ? t("analytics.today") : shortDay(iso)),
        }),
        h(YAxis, { ...axis, axisLine: false, width: mode === "spend" ? 76 : 48, allowDecimals: mode === "spend", tickFormatter: amount }),
        h(Tooltip, {
          cursor: { stroke: "var(--cyan)" },
          isAnimationActive: false,
          content: (tip) => h(Tip, { tip, today, name, written }),
        }),
        mode === "views" ? h(Line, { ...STILL, dataKey: "impressions", stroke: "var(--quiet)", strokeWidth: 1.5, strokeDasharray: "2 3" }) : null,
        h(Area, { ...STILL, dataKey: "ended", stroke: "var(--purple)", strokeWidth: 2, fill: "var(--purple)", fillOpacity: 0.16, activeDot: { fill: "var(--purple)", stroke: "var(--cyan)", strokeWidth: 2, r: 5 } }),
        h(Line, { ...STILL, dataKey: "open", stroke: "var(--purple)", strokeWidth: 2, strokeDasharray: "5 4", activeDot: false }),
      ),
    ),
  );
}

function Tip({ tip, today, name, written }) {
  const { longDay } = useFormats();
  const { t } = useWords();
  const point = tip.active && tip.payload?.[0]?.payload;
  if (!point) return null;
  const isToday = point.day === today;
  return h(
    "div",
    { className: "rounded-control border border-edge bg-panel px-3 py-2 shadow-lg" },
    h("p", { className: "font-semibold" }, isToday ? t("analytics.today_so_far") : longDay(point.day)),
    h(
      "dl",
      { className: "tnum mt-1 grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5 text-sm" },
      TIP.flatMap((figure) => [
        h("dt", { key: `${figure}-name`, className: "text-quiet" }, figure === "impressions" || figure === "completions"
          ? h(Key, { name: name(figure), isDotted: figure === "impressions" })
          : name(figure)),
        h("dd", { key: figure, className: "text-end font-semibold" }, written(figure, point[figure])),
      ]),
    ),
  );
}
