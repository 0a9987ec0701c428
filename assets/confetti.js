// Confetti: 500 pieces for five seconds, or fewer. Whoever wants less motion sees none.
import { createElement as h, useEffect, useRef, useState } from "react";

const CONFETTI = { pieces: 500, waves: 10, lasts: 5000, between: 120 };
const CONFETTI_COLOURS = ["--mark-purple", "--mark-cyan", "--lilac", "--good", "--chip-sky"];

const pause = (ms) => new Promise((over) => setTimeout(over, ms));

async function celebrate(canvas, pieces, isOver) {
  const { create } = (await import("canvas-confetti")).default;
  if (isOver()) return;
  // No worker: our content policy forbids scripts that are made on the way.
  const throwSome = create(canvas, { resize: true, useWorker: false });
  const paint = getComputedStyle(document.documentElement);
  const colors = CONFETTI_COLOURS.map((name) => paint.getPropertyValue(name).trim());
  const ends = performance.now() + CONFETTI.lasts;
  const particleCount = Math.round(pieces / CONFETTI.waves);
  for (let wave = 0; wave < CONFETTI.waves && !isOver(); wave++) {
    const angle = 60 + 60 * (wave % 2);
    const x = wave % 2 ? 0.95 : 0.05;
    throwSome({ particleCount, angle, spread: 70, startVelocity: 55, ticks: 260, origin: { x, y: 0.75 }, colors });
    await pause(CONFETTI.between);
  }
  // However long the waves took here.
  setTimeout(() => isOver() || throwSome.reset(), ends - performance.now());
}

let isFalling = false;

// Falls once; two reasons at the same moment are one shower.
export function Confetti({ pieces = CONFETTI.pieces }) {
  const canvas = useRef(null);
  const [isAlone] = useState(() => !isFalling);
  useEffect(() => {
    if (!isAlone) return undefined;
    let isOver = false;
    isFalling = true;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      celebrate(canvas.current, pieces, () => isOver).catch(() => {});
    return () => {
      isOver = true;
      isFalling = false;
    };
  }, []);
  if (!isAlone) return null;
  return h("canvas", { ref: canvas, className: "pointer-events-none fixed inset-0 z-40 size-full", "aria-hidden": true });
}
