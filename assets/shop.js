// Buying: a slider that follows the finger, a checkout in a tab of its own, and the code at the end.
import { createContext, createElement as h, useContext, useEffect, useRef, useState } from "react";
import { useTexts } from "$/public/i18n";
import { pressing } from "$/public/connection";
import { notify, useRefusal } from "$/public/notices";
import { useFormats } from "$/public/formats";
import { copySign, useCopying } from "$/public/copying";

const TELL_EVERY = 100;
// Longer than the server takes at worst, which waits for the card checkout in between.
const ANSWER_WITHIN = 35_000;
// What the hand chose gives way to what the server says, even if that came differently.
const SETTLE_AFTER = 3000;

const Shop = createContext(null);

// Around all of it. `answer` changes with whatever the server says to a purchase.
export function Checkout({ offer, chosen, opened, attempt, answer, isBusy, onUseCoins, onPurchase, children }) {
  const slider = useSlider(offer?.coins ?? 0, attempt, chosen.package, onUseCoins);
  const purchase = usePurchase({ offer, chosen, opened, attempt, answer, isBusy, onPurchase });
  const isHeld = useChoosing(chosen) || slider.isMoving || purchase.isWaiting;
  return h(Shop.Provider, { value: { offer, slider, purchase, isHeld } }, children);
}

// A radio moves at once; what it costs, and what would be bought, follow with the server's answer.
function useChoosing(chosen) {
  const [isChoosing, setChoosing] = useState(false);
  const look = () => {
    const isAhead = ([name, value]) => (document.querySelector(`[name=${name}]:checked`)?.value ?? value) !== value;
    setChoosing(Object.entries(chosen).some(isAhead));
  };
  // The radios inside have obeyed by then.
  useEffect(() => {
    look();
    addEventListener("change", look);
    return () => removeEventListener("change", look);
  });
  useRefusal(() => setTimeout(look));
  return isChoosing;
}

function useSlider(coins, attempt, pack, onUseCoins) {
  const [moved, setMoved] = useState(null);
  const unsent = useRef(null);
  const sentAt = useRef(0);
  const timers = useRef({});

  const forget = () => {
    Object.values(timers.current).forEach(clearTimeout);
    timers.current = {};
    unsent.current = null;
    setMoved(null);
  };
  const tell = () => {
    clearTimeout(timers.current.tell);
    timers.current.tell = undefined;
    if (unsent.current === null) return;
    const value = unsent.current;
    unsent.current = null;
    sentAt.current = performance.now();
    clearTimeout(timers.current.settle);
    timers.current.settle = setTimeout(() => unsent.current === null && setMoved(null), SETTLE_AFTER);
    onUseCoins(value);
  };
  const move = (value) => {
    setMoved(value);
    unsent.current = value;
    const wait = sentAt.current + TELL_EVERY - performance.now();
    if (wait <= 0) tell();
    else timers.current.tell ??= setTimeout(tell, wait);
  };
  useEffect(() => {
    if (unsent.current === null && moved === coins) setMoved(null);
  }, [coins, attempt]);
  useEffect(() => forget, [pack]);
  return { coins: moved ?? coins, isMoving: moved !== null, move, tell };
}

// The range that coins reach, of the price; the rest is hatched.
export function CoinSlider({ label }) {
  const { t } = useTexts();
  const { number } = useFormats();
  const { offer, slider } = useContext(Shop);
  const { most, price } = offer;
  const value = Math.min(slider.coins, most);
  const reach = most ? `${most}fr` : "10fr";
  const rest = most ? `${price - most}fr` : "90fr";
  const isWhole = most === price;
  const columns = { "--reach": reach, "--rest": rest, "--at": most ? value / most : 0 };
  const whole = isWhole ? " whole" : "";
  const amount = { coins: number(most) };
  const owned = most ? t(isWhole ? "shop.full_price_end" : "shop.all_you_have", amount) : t("shop.no_coins");
  return h(
    "div",
    { style: columns, className: "grid gap-3" },
    h(
      "div",
      { className: `price-track${whole}` },
      h("input", {
        type: "range",
        min: 0,
        max: most,
        step: 1,
        value,
        disabled: most === 0,
        className: "coin-slider",
        "aria-label": label,
        "aria-valuetext": t("shop.coins_of", { done: number(value), all: number(price) }),
        onChange: (event) => slider.move(Number(event.target.value)),
        onPointerUp: slider.tell,
        onKeyUp: slider.tell,
        onBlur: slider.tell,
      }),
      isWhole ? null : h("span", { className: "beyond", "aria-hidden": true }),
    ),
    h(
      "div",
      { className: `tnum price-ends text-sm text-quiet${whole}`, "aria-hidden": true },
      h(
        "span",
        { className: "flex flex-wrap justify-between gap-x-3" },
        most ? h("span", null, "0") : null,
        h("span", null, owned),
      ),
      isWhole ? null : h("span", { className: "text-right" }, number(price)),
    ),
  );
}

// The coins under the finger, before the server knows.
export function CoinsOnIt() {
  const { number } = useFormats();
  const { offer, slider } = useContext(Shop);
  return number(Math.min(slider.coins, offer.most));
}

function isSafe(address) {
  try {
    const { protocol, origin, hostname } = new URL(address, location.origin);
    const isNear = hostname === "localhost" || hostname === "127.0.0.1";
    return protocol === "https:" || origin === location.origin || (protocol === "http:" && isNear);
  } catch {
    return false;
  }
}

// Browsers let a page open a tab within a press only, so it is opened before anybody knows where it leads.
function openTab(words) {
  const tab = window.open("", "_blank");
  if (!tab) return null;
  const { document: page } = tab;
  const paint = getComputedStyle(document.documentElement);
  const { style } = page.body;
  page.documentElement.lang = document.documentElement.lang;
  page.title = words;
  page.body.textContent = words;
  style.cssText = "display:grid;place-items:center;min-height:100dvh;margin:0;font:500 18px system-ui,sans-serif";
  style.background = paint.getPropertyValue("--bg");
  style.color = paint.getPropertyValue("--text");
  tab.opener = null;
  return tab;
}

const needsCard = (offer) => offer.to_pay > 0 && !offer.is_sold_out && !offer.fewer_for_card;

// One press at a time: its tab is led to the checkout, or closed when there is none.
function usePurchase({ offer, chosen, opened, attempt, answer, isBusy, onPurchase }) {
  const { t } = useTexts();
  const [isWaiting, setWaiting] = useState(false);
  const pressed = useRef(null);

  const settle = (address) => {
    const { tab, timer } = pressed.current;
    pressed.current = null;
    clearTimeout(timer);
    setWaiting(false);
    if (!tab || tab.closed) return;
    if (address) tab.location.replace(address);
    else tab.close();
  };
  // Never as failed: it may be made, or is being made still.
  const giveUp = () => {
    settle();
    notify({ style: "destructive", title: "errors.title", text: "errors.shop.no_answer" });
  };
  const press = () => {
    if (pressed.current) return;
    const tab = needsCard(offer) ? openTab(t("shop.opening")) : null;
    const mine = { tab, answer, wasBusy: false, timer: setTimeout(giveUp, ANSWER_WITHIN) };
    pressed.current = mine;
    setWaiting(true);
    pressing(
      () => onPurchase(chosen.currency, chosen.package, offer.coins, attempt),
      () => pressed.current === mine && settle(),
    );
  };
  useEffect(() => {
    const { current } = pressed;
    if (!current) return;
    if (isBusy) current.wasBusy = true;
    else if (current.wasBusy || current.answer !== answer)
      settle(opened.url && isSafe(opened.url) ? opened.url : undefined);
  }, [isBusy, answer]);
  useEffect(() => () => pressed.current && settle(), []);
  return { isWaiting, press };
}

const TURNING = h("span", {
  className: "inline-block size-[18px] shrink-0 animate-spin rounded-full border-2 border-current border-t-transparent",
  "aria-hidden": true,
});

export function PurchaseButton({ children, ...rest }) {
  const { purchase, isHeld } = useContext(Shop);
  const isBusy = purchase.isWaiting;
  return h(
    "button",
    {
      ...rest,
      type: "button",
      "aria-busy": isBusy ? "true" : undefined,
      "aria-disabled": isHeld ? "true" : undefined,
      onClick: () => !isHeld && purchase.press(),
    },
    isBusy ? TURNING : null,
    children,
  );
}

// Where an order can still be paid.
export function PayLink({ to, children, ...rest }) {
  return isSafe(to) ? h("a", { ...rest, href: to, target: "_blank", rel: "noopener" }, children) : null;
}

// Comes into sight and takes the focus: it is the answer to what was pressed.
export function Arrival({ children, ...rest }) {
  const place = useRef(null);
  useEffect(() => {
    place.current.focus({ preventScroll: true });
    place.current.scrollIntoView({ block: "nearest" });
  }, []);
  return h("div", { ...rest, ref: place, tabIndex: -1 }, children);
}

function useGiftCode(orderId) {
  const [code, setCode] = useState("");
  const [isAway, setAway] = useState(false);
  const wanted = useRef(orderId);
  wanted.current = orderId;
  const fetchIt = async () => {
    setAway(false);
    try {
      const answer = await fetch(`/orders/${orderId}/code`, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.status);
      const { code } = await answer.json();
      if (wanted.current === orderId) setCode(code);
    } catch {
      if (wanted.current === orderId) setAway(true);
    }
  };
  useEffect(() => {
    setCode("");
    fetchIt();
  }, [orderId]);
  return { code, isAway, fetchIt };
}

// The code of an order, fetched by the page itself: it is part of no state.
export function GiftCode({ orderId, primary, quiet }) {
  const { t } = useTexts();
  const shown = useRef(null);
  const [isCopied, press] = useCopying(() => shown.current);
  const { code, isAway, fetchIt } = useGiftCode(orderId);
  if (isAway)
    return h(
      "div",
      { className: "grid w-full gap-3", role: "alert" },
      h("p", null, t("shop.code_away")),
      h("button", { type: "button", className: quiet, onClick: fetchIt }, t("shop.code_again")),
    );
  return h(
    "div",
    { className: "grid w-full gap-3" },
    h(
      "p",
      {
        ref: shown,
        role: "group",
        "aria-label": t("shop.code"),
        "aria-busy": code === "",
        className:
          "grid min-h-12 place-items-center rounded-control border border-dashed border-edge px-4 py-2.5 text-center font-mono font-semibold select-all wrap-anywhere",
      },
      code || h("span", { className: "h-4 w-40 max-w-full animate-pulse rounded bg-raised" }),
    ),
    h(
      "button",
      { type: "button", className: primary, onClick: press, disabled: code === "" },
      copySign(isCopied),
      t(isCopied ? "ui.copied" : "shop.copy_code"),
    ),
    h("span", { role: "status", className: "sr-only" }, isCopied ? t("ui.copied") : ""),
  );
}

// Shows the code when it is asked for, and hides it again.
export function HiddenCode({ product, className, ...rest }) {
  const { t } = useTexts();
  const [isShown, setShown] = useState(false);
  const label = t(isShown ? "orders.hide_code" : "orders.show_code");
  return [
    h(
      "button",
      {
        key: "press",
        type: "button",
        className,
        "aria-expanded": isShown,
        "aria-label": `${label}: ${product}`,
        onClick: () => setShown(!isShown),
      },
      label,
    ),
    isShown ? h("div", { key: "code", className: "order-last w-full max-w-sm" }, h(GiftCode, rest)) : null,
  ];
}
