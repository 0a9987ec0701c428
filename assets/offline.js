// The page for a lost connection: in the theme and the language that this browser chose.
(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const system = matchMedia("(prefers-color-scheme: light)");

  function dress() {
    const isLight = { light: true, system: system.matches }[stored("theme")] ?? false;
    document.documentElement.classList.toggle("light", isLight);
  }

  // Asked for by itself, it would only lead to itself.
  const again = () => (location.pathname === "/offline.html" ? location.replace("/") : location.reload());

  function speak() {
    const words = [...document.querySelectorAll("main")];
    const wanted = [location.pathname.split("/")[1], stored("language"), "en"];
    const code = wanted.find((code) => words.some(({ lang }) => lang === code));
    words.forEach((main) => (main.hidden = main.lang !== code));
    const shown = words.find((main) => !main.hidden);
    document.documentElement.lang = code;
    document.title = shown.querySelector("h1").textContent;
    shown.querySelector("button").addEventListener("click", again);
  }

  dress();
  system.addEventListener("change", dress);
  addEventListener("DOMContentLoaded", speak);
  addEventListener("online", again);
})();
