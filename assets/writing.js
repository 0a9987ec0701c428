// How numbers and dates are written in a language, by the browser's own Intl.
const MILLION = 1_000_000;
const TIMES = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];
const GIGA = 1e9;
const PARTS_A_CENT = 1000;

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const moment = (iso) => (iso ? new Date(iso) : null);
// Russian ends a year with the full stop of an abbreviation: at the end of a sentence it would be a second one.
const unended = (written) => written.replaceAll(/\sг\./g, "");
// A clock's hour stays with its half of the day.
const unbroken = (written) => written.replace(/\s(?=[AP]M$)/, "\u00a0");

// Writers are dear to make, and few of them are needed on one page: each is made when it first writes.
function once(make) {
  const made = new Map();
  return (options) => {
    const key = JSON.stringify(options);
    if (!made.has(key)) made.set(key, make(options));
    return made.get(key);
  };
}

export function write(language) {
  const numbers = once((options) => new Intl.NumberFormat(language, options));
  const moments = once((options) => new Intl.DateTimeFormat(language, options));
  const dates = (options) => () => moments(options);
  const days = dates({ dateStyle: "medium" });
  const hours = dates({ dateStyle: "medium", timeStyle: "short" });
  const clock = dates({ timeStyle: "short" });
  const months = dates({ month: "long", year: "numeric" });
  // Days of the platform's calendar: no reader's time zone moves them.
  const calendar = (options) => dates({ ...options, timeZone: "UTC" });
  const day = calendar({ dateStyle: "medium" });
  const shortDay = calendar({ day: "numeric", month: "short" });
  const longDay = calendar({ weekday: "long", day: "numeric", month: "short" });
  const number = (value, decimals = 0) =>
    numbers({ minimumFractionDigits: decimals, maximumFractionDigits: decimals })
      .format(value ?? 0)
      .replace("-", "−");
  // In millions, however many they are: Intl would go on to billions.
  const millions = (value) => {
    const shown = numbers(TENTHS).format(value / MILLION);
    const one = numbers({ notation: "compact", ...TENTHS }).formatToParts(MILLION);
    const rest = one.filter(({ type }) => type !== "decimal" && type !== "fraction");
    return rest.map(({ type, value: words }) => (type === "integer" ? shown : words)).join("");
  };
  const dollars = (cents, most = 2) =>
    numbers({
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: 2,
      maximumFractionDigits: most,
    })
      .format((cents ?? 0) / 100)
      .replace("-", "−");
  return {
    number,
    dollars: (cents) => dollars(cents),
    dollarsOfParts: (parts, most) => dollars((parts ?? 0) / PARTS_A_CENT, most),
    // Only what can be spent: a cent that is not all there is none.
    balance: (parts) => dollars(Math.floor((parts ?? 0) / PARTS_A_CENT)),
    // The two largest units of a length of time: 3 d 4 h.
    duration: (seconds) => {
      const parts = TIMES.map(([unit, size], index) => {
        const above = TIMES[index - 1]?.[1];
        return [unit, Math.floor((above ? (seconds ?? 0) % above : (seconds ?? 0)) / size)];
      });
      const first = Math.max(0, parts.findIndex(([, value]) => value));
      const shown = parts.findIndex(([, value]) => value) < 0 ? parts.slice(-1) : parts.slice(first, first + 2);
      return shown
        .filter(([, value], index) => value || !index)
        .map(([unit, value]) => numbers({ style: "unit", unit, unitDisplay: "short" }).format(value).replace(" ", "\u00a0"))
        .join(" ");
    },
    gigabytes: (bytes) =>
      numbers({ style: "unit", unit: "gigabyte", maximumFractionDigits: 1 }).format((bytes ?? 0) / GIGA).replace(" ", "\u00a0"),
    signed: (value) =>
      numbers({ signDisplay: "exceptZero" }).format(value ?? 0).replace("-", "−"),
    compact: (value) => (value <= MILLION ? number(value) : millions(value)),
    percent: (share, decimals = 0) =>
      numbers({ style: "percent", minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(share ?? 0),
    change: (share) =>
      numbers({ style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" })
        .format(share ?? 0)
        .replace("-", "−"),
    points: (share) =>
      numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" })
        .format(100 * (share ?? 0))
        .replace("-", "−"),
    length: (value, maximum) => `${Math.max(0, Math.min(100, (100 * value) / (maximum || 1)))}%`,
    kronor: (ore) => `${number((ore ?? 0) / 100, ore % 100 ? 2 : 0)}\u00a0kr`,
    money: (value, code) =>
      numbers({
        style: "currency",
        currency: code || "SEK",
        currencyDisplay: "narrowSymbol",
        maximumFractionDigits: 0,
      })
        .format(value ?? 0)
        // Italian writes Norway's kronor as NKr.
        .replace("NKr", "kr"),
    day: (iso) => (iso ? unended(day().format(moment(iso))) : ""),
    shortDay: (iso) => (iso ? shortDay().format(moment(iso)) : ""),
    longDay: (iso) => (iso ? longDay().format(moment(iso)) : ""),
    days: (first, last) => (first && last ? unended(day().formatRange(moment(first), moment(last))) : ""),
    date: (iso) => (iso ? unended(days().format(moment(iso))) : ""),
    time: (iso) => (iso ? unbroken(clock().format(moment(iso))) : ""),
    dateAndTime: (iso) => (iso ? unbroken(unended(hours().format(moment(iso)))) : ""),
    today: () => {
      const now = new Date();
      return new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    },
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "",
    month: (iso) => (iso ? unended(months().format(moment(iso))) : ""),
  };
}
