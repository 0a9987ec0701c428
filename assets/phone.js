// Beside every page, for the system that shows it: bars in the theme's colour, a worker for lost
// connections, and the native app's hooks where there is a native app.
import { useEffect } from "react";

const WORKER = "/sw.js";

// The page comes first: this waits until the browser has nothing else to do.
function whenCalm(act) {
  const soon = () => (globalThis.requestIdleCallback ?? ((later) => setTimeout(later, 1000)))(act);
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
}

const hire = () => navigator.serviceWorker.register(WORKER, { updateViaCache: "none" }).catch(() => {});

function colourBars() {
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--bg").trim();
  document.querySelectorAll("meta[name=theme-color]").forEach((bar) => (bar.content = colour));
}

// The system's scheme chooses the first colour; the page's theme may be another one.
function followTheme() {
  colourBars();
  const themes = new MutationObserver(colourBars);
  themes.observe(document.documentElement, { attributeFilter: ["class"] });
  return () => themes.disconnect();
}

export function Phone({ bars }) {
  useEffect(() => {
    const native = globalThis.Capacitor;
    if (native?.isNativePlatform?.()) import("./native").then(({ start }) => start(native.Plugins, bars));
    if (import.meta.env.PROD && navigator.serviceWorker) whenCalm(hire);
    return followTheme();
  }, []);
  return null;
}
