// Numbers and dates in the chosen language.
import { createElement, useEffect, useRef, useState } from "react";
import { elapsed } from "$/public/elapsed";
import { useTexts } from "$/public/i18n";
import { write } from "$/public/writing";

const COUNTING_TIME = 900;
const known = new Map();

// As the reader's language writes them, or as another one does.
export function useFormats(another) {
  const { language: chosen } = useTexts();
  const language = another ?? chosen;
  if (!known.has(language)) known.set(language, { ...write(language), ...elapsed(language) });
  return known.get(language);
}

// A balance counts to its new value, it never jumps; a screen reader hears only the new value.
export function CountUp({ value = 0 }) {
  const { number } = useFormats();
  const [shown, setShown] = useState(value);
  const current = useRef(value);
  useEffect(() => {
    const from = current.current;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (from === value) return undefined;
    const start = performance.now();
    let frame;
    const step = (now) => {
      const part = still ? 1 : Math.min(1, (now - start) / COUNTING_TIME);
      current.current = Math.round(from + (value - from) * (1 - (1 - part) ** 3));
      setShown(current.current);
      if (part < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return [
    createElement("span", { key: "seen", "aria-hidden": true }, number(shown)),
    createElement("span", { key: "heard", className: "sr-only" }, number(value)),
  ];
}

// The page is built before it is read: the year is the reader's.
export function Year() {
  const [year, setYear] = useState("");
  useEffect(() => setYear(String(new Date().getFullYear())), []);
  return year;
}
