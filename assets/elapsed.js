// How long ago something was. Nothing here knows pages.
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

export function elapsed(language) {
  const made = new Map();
  const say = (numeric, count, unit) => {
    if (!made.has(numeric)) made.set(numeric, new Intl.RelativeTimeFormat(language, { numeric }));
    return made.get(numeric).format(count, unit);
  };
  return {
    // Hours are counted, not days of the calendar: of those alone "yesterday" could be said. By a clock that is slow
    // what has just been would be still to come.
    ago: (iso) => {
      if (!iso) return "";
      const seconds = Math.min(0, (new Date(iso) - Date.now()) / 1000);
      const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 0];
      return size ? say("always", Math.trunc(seconds / size), unit) : say("auto", 0, unit);
    },
    // In minutes, hours and days, however many there are.
    since: (iso, justNow) => {
      if (!iso) return "";
      const minutes = Math.floor((Date.now() - new Date(iso)) / 60_000);
      if (minutes < 1) return justNow;
      if (minutes < 60) return say("always", -minutes, "minute");
      if (minutes < 1440) return say("always", -Math.floor(minutes / 60), "hour");
      return say("always", -Math.floor(minutes / 1440), "day");
    },
  };
}
