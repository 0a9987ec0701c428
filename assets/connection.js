// The page while the server cannot be reached: what is pressed then is done once, or said not to be.
import { createElement as h, useContext, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { Manager } from "socket.io-client";
import { EventLoopContext, eventLoop } from "$/utils/context-registry";
import { keepTyped } from "$/public/kept";
import { announce, notify } from "$/public/notices";

// A blip is no news.
const SHOWN_AFTER = 1000;
// What was pressed in a blip is meant still when it is over.
const MEANT_FOR = 5000;
const TRIED_AGAIN_AFTER = 500;
// How old an unanswered press can be when the connection is found to be lost.
const UNANSWERED = { "ping timeout": 45_000 };
const USUALLY_ANSWERED = 5000;
const PRESSES = ["click", "submit"];
const SERVERS = "reflex___state";
const CALM = { isShown: false, isOffline: false, isUnsent: false };

const followers = new Set();
let shown = CALM;
let send = () => {};
let known = { visit: "", notice: "", isBusy: false };
let isOpen = false;
let pressedAt = 0;
// What was true when the connection was lost; null while there is one.
let lost = null;
let held = [];
let timer;

function follow(follower) {
  followers.add(follower);
  return () => followers.delete(follower);
}

function show(changes) {
  shown = { ...shown, ...changes };
  followers.forEach((tell) => tell());
}

function lose(reason) {
  if (lost?.isAway) return;
  const isUnsure = known.isBusy || Date.now() - pressedAt < (UNANSWERED[reason] ?? USUALLY_ANSWERED);
  // Lost again before the page was settled: what was true at first counts.
  lost = { visit: known.visit, notice: known.notice, isUnsure, since: Date.now(), ...lost, isAway: true };
  clearTimeout(timer);
  timer = setTimeout(() => show({ isShown: true, isOffline: !navigator.onLine }), SHOWN_AFTER);
}

function find() {
  if (!lost?.isAway) return;
  lost.isAway = false;
  clearTimeout(timer);
  show(CALM);
}

// The page is whole again. What it did before is known to the server only under the same mark.
function settle(visit, notice) {
  if (!lost || lost.isAway) return;
  const { isUnsure, ...was } = lost;
  const isSame = !was.visit || visit.split(".")[0] === was.visit.split(".")[0];
  const meant = isSame ? held.filter(({ at }) => Date.now() - at < MEANT_FOR) : [];
  const isUnsent = meant.length < held.length;
  lost = null;
  held = [];
  meant.forEach((press) => send(...press.what));
  // Something newer has been said: that is the answer.
  if (notice !== was.notice) return;
  if (isUnsent) notify({ style: "default", title: "frame.back", text: "frame.unsent" });
  else if (isUnsure) notify({ style: "default", title: "frame.back", text: "frame.unsure" });
}

// For how long nothing that the server says has come.
export const awayFor = () => (lost?.isAway ? Date.now() - lost.since : 0);

const tryAgain = () => send([], [], {});

// A socket that is closed before its first word has failed. Socket.io would wait for that word.
const open = Manager.prototype.open;
Manager.prototype.open = function (done) {
  open.call(this, done);
  const { engine } = this;
  const fail = () => this._readyState === "opening" && engine.emit("error", new Error("closed before it was open"));
  if (engine.readyState === "closed") fail();
  else engine.once("close", fail);
  return this;
};

if (typeof window !== "undefined") {
  // Reflex tells whoever measures it when its socket opens and closes.
  window.__reflex_otel = {
    onSocketConnect() {
      isOpen = true;
      if (lost) keepTyped();
      find();
    },
    onSocketDisconnect(reason) {
      isOpen = false;
      // The page itself has closed it: it is being left.
      if (reason === "io client disconnect") return;
      lose(reason);
      // Reflex takes that for a farewell.
      if (reason === "io server disconnect") setTimeout(tryAgain, TRIED_AGAIN_AFTER);
    },
  };
  addEventListener("offline", () => {
    lose("offline");
    if (shown.isShown) show({ isOffline: true });
  });
  addEventListener("online", () => {
    if (shown.isShown) show({ isOffline: false });
    if (!isOpen) return void tryAgain();
    find();
    settle(known.visit, known.notice);
  });
}

const isPress = (args) => [args].flat().some((one) => one?.preventDefault && PRESSES.includes(one.type));
const isForServer = (events) => [events].flat(Infinity).some((one) => one?.name?.startsWith(SERVERS));

function press(events, args, actions) {
  if (!isPress(args) || !isForServer(events)) return send(events, args, actions);
  if (!lost?.isAway) {
    pressedAt = Date.now();
    return send(events, args, actions);
  }
  // The browser's own answer is prevented all the same, and the connection is tried.
  send([], args, { preventDefault: actions?.preventDefault, stopPropagation: actions?.stopPropagation });
  if (!shown.isShown) return void held.push({ at: Date.now(), what: [events, [], {}] });
  show({ isUnsent: true });
}

// Whatever is pressed goes through here: Reflex sets anew what sends it, again and again.
Object.defineProperty(eventLoop, "addEvents", {
  configurable: true,
  get: () => press,
  set(add) {
    send = add;
  },
});

// What the server last said of this page.
export function Visit({ visit, notice, isBusy }) {
  const errors = useContext(EventLoopContext)[1];
  useEffect(() => {
    if (errors.length && !isOpen) lose("no answer");
  }, [errors]);
  useEffect(() => {
    known = { visit, notice, isBusy };
  }, [visit, notice, isBusy]);
  useEffect(() => settle(visit, notice), [visit]);
  return null;
}

export const useConnection = () => useSyncExternalStore(follow, () => shown, () => CALM);

// A dialog silences the page behind it, this line too.
export function Said({ text }) {
  useEffect(() => {
    if (text) announce(text);
  }, [text]);
  return text;
}

let role = "";

// A server that has just started does not know yet who looks: the page stays as it is meanwhile.
export function lastKnown(now) {
  role = now || role;
  return role;
}

// Around what goes when it is pressed successfully: whoever pressed it stands in the content then.
export function KeepsFocus({ children }) {
  const place = useRef(null);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      if (!element.contains(document.activeElement)) return;
      setTimeout(() => document.activeElement === document.body && document.getElementById("main")?.focus());
    };
  }, []);
  return h("div", { ref: place }, children);
}
