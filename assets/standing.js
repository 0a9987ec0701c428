// For who does not see that a page changes: the new one is named, and whoever stood on something that
// is gone goes on at the beginning of the content.
import { createElement as h, useEffect, useState } from "react";

const isNowhere = () => document.activeElement === document.body && !document.querySelector("dialog:modal");

function goOnAtTheContent() {
  let last = null;
  let isPressing = false;
  const press = () => {
    isPressing = true;
    setTimeout(() => (isPressing = false));
  };
  const arrive = ({ target }) => (last = target);
  // Who leaves by a click beside it stays where they clicked: only what is gone leaves nobody anywhere.
  const leave = ({ target }) => {
    if (isPressing) last = null;
    else setTimeout(() => target === last && target.isConnected && (last = null));
  };
  const look = () => {
    if (!last || last.isConnected) return;
    last = null;
    // What took its place may take the focus by itself.
    requestAnimationFrame(() => isNowhere() && document.getElementById("main")?.focus({ preventScroll: true }));
  };
  const gone = new MutationObserver(look);
  gone.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("pointerdown", press, true);
  document.addEventListener("focusin", arrive);
  document.addEventListener("focusout", leave);
  return () => {
    gone.disconnect();
    document.removeEventListener("pointerdown", press, true);
    document.removeEventListener("focusin", arrive);
    document.removeEventListener("focusout", leave);
  };
}

export function Standing() {
  const [named, setNamed] = useState("");
  useEffect(() => {
    const root = document.documentElement;
    let page = root.dataset.page;
    const changed = new MutationObserver(() => {
      // The first page of a document is named by the browser.
      if (page && page !== root.dataset.page) setNamed(document.title);
      page = root.dataset.page;
    });
    changed.observe(root, { attributeFilter: ["data-page"] });
    return () => changed.disconnect();
  }, []);
  useEffect(goOnAtTheContent, []);
  return h("p", { role: "status", className: "sr-only", "data-page-name": "" }, named);
}
