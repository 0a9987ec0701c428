// The page while the server cannot be reached: what is pressed then is done once, or said not to be.
import { createElement as h, useContext, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { Manager } from "socket.io-client";
import { EventLoopContext, eventLoop } from "$/utils/context-registry";
import { keepTyped } from "$/public/kept";
import { announce, notify, refuse } from "$/public/notices";

// A blip is no news.
const SHOWN_AFTER = 1000;
// What was pressed in a blip is meant still when it is over.
const MEANT_FOR = 5000;
const TRIED_AGAIN_AFTER = 500;
const STAYS_AFTER = 1000;
// What is said once more is answered by then.
const ANSWERED_WITHIN = 1000;
// A page of which nothing more is heard goes on with what it shows.
const WHOLE_WITHIN = 5000;
// How old an unanswered press can be when the connection is found to be lost.
const UNANSWERED = { "ping timeout": 45_000 };
const USUALLY_ANSWERED = 5000;
// Two clicks that are one double click, however quick the server is.
const DOUBLE_CLICK = 400;
const PRESSES = ["click", "submit"];
const SERVERS = "reflex___state";
const CALM = { isShown: false, isOffline: false, isUnsent: false };
const PLAIN_PRESS = { unsent: () => {} };
const NO_FORM = { words: "", at: 0 };

const followers = new Set();
let shown = CALM;
let send = () => {};
let known = { visit: "", notice: "", isBusy: false };
let isOpen = false;
let pressedAt = 0;
// What was true when the connection was lost; null while there is one, and the page is whole.
let lost = null;
let held = [];
let timer;
let waiting;
// The press of a part of our own whose events are being sent: they carry no trace of it.
let ownPress = null;
// The last press that was sent: cut off right after it, nobody answers it any more.
let sentPress = PLAIN_PRESS;
// The form that was sent last, and when the server last said anything.
let sentForm = NO_FORM;
let heardAt = 0;
let clickedAt = 0;

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
  clearTimeout(waiting);
  // What was sent may not have come: whoever sends it again means it.
  sentForm = NO_FORM;
  timer = setTimeout(() => show({ isShown: true, isOffline: !navigator.onLine }), SHOWN_AFTER);
}

function find() {
  if (!lost?.isAway) return;
  lost.isAway = false;
  clearTimeout(timer);
  waiting = setTimeout(() => settle(known.visit || lost?.visit || "unheard", known.notice), WHOLE_WITHIN);
  show({ isOffline: false });
}

// The page is whole again. What it did before is known to the server only under the same mark.
function settle(visit, notice) {
  if (!visit || !lost || lost.isAway) return;
  clearTimeout(waiting);
  const { isUnsure, ...was } = lost;
  const isSame = !was.visit || visit.split(".")[0] === was.visit.split(".")[0];
  const isMeant = ({ at, press }) => !press || (isSame && Date.now() - at < MEANT_FOR);
  const meant = held.filter(isMeant);
  const unsent = held.filter((one) => !isMeant(one));
  lost = null;
  held = [];
  show(CALM);
  // Their names are in the order of time: a worker that takes over may know an older one.
  // A tab that was told nothing yet has none.
  const isAnswered = (notice ?? "") > (was.notice ?? "");
  // Who was answered in this very moment has seen it by then.
  if (isUnsure && !isAnswered && !known.isBusy) setTimeout(sentPress.unsent);
  unsent.forEach(({ press }) => press.unsent());
  meant.forEach(({ what, press }) => {
    noteSent(press);
    send(...what);
  });
  // What was chosen or closed while nobody heard it shows what the server knows.
  setTimeout(refuse, meant.length && ANSWERED_WITHIN);
  if (isAnswered) return;
  if (unsent.length) notify({ style: "default", title: "frame.back", text: "frame.unsent" });
  else if (isUnsure) notify({ style: "default", title: "frame.back", text: "frame.unsure" });
}

// For how long nothing that the server says has come.
export const awayFor = () => (lost?.isAway ? Date.now() - lost.since : 0);

export const isWhole = () => lost === null;

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

// Whatever it says may be the answer.
const take = Manager.prototype.ondecoded;
Manager.prototype.ondecoded = function (packet) {
  heardAt = Date.now();
  take.call(this, packet);
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
      // The page itself has closed it: it is being left, or a link to another program was followed and it stays.
      if (reason === "io client disconnect") return void setTimeout(tryAgain, STAYS_AFTER);
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

const pressIn = (args) => [args].flat().find((one) => one?.preventDefault && PRESSES.includes(one.type));
const all = (events) => [events].flat(Infinity);
const isForServer = (events) => all(events).some((one) => one?.name?.startsWith(SERVERS));
// Only for the moment, which passes.
const isFleeting = (events, actions) => actions?.temporal || all(events).some((one) => one?.event_actions?.temporal);

// For parts of our own that tell the server what was pressed; `unsent` hears that it was not told, or may not have been.
export function pressing(tell, unsent = PLAIN_PRESS.unsent, isForm = false) {
  ownPress = { unsent, isForm };
  try {
    tell();
  } finally {
    ownPress = null;
  }
}

// For forms of our own.
export const sending = (tell) => pressing(tell, undefined, true);

const wordsOf = (events) => JSON.stringify(all(events).map((one) => [one?.name, one?.payload]));

// A form that is sent again as it is, before there was an answer, is meant once. Enter sends it although its
// button is busy.
function isSentAlready(events, args) {
  if (!ownPress?.isForm && ![args].flat().some((one) => one?.type === "submit")) return false;
  const [words, at] = [wordsOf(events), Date.now()];
  const patience = known.isBusy || heardAt < sentForm.at ? USUALLY_ANSWERED : DOUBLE_CLICK;
  if (words === sentForm.words && at - sentForm.at < patience) return true;
  sentForm = { words, at };
  return false;
}

// A double click is meant once. By its second click something else may be where the first one was.
function isClickedAlready(args) {
  const press = pressIn(args);
  if (ownPress || press?.type !== "click") return false;
  // The browser counts them: at one place, in quick succession.
  if (press.detail > 1 && Date.now() - clickedAt < DOUBLE_CLICK) return true;
  clickedAt = Date.now();
  return false;
}

// What a page says again and again by itself is said once.
function hold(events, own) {
  const words = wordsOf(events);
  if (!own && held.at(-1)?.words === words) return;
  held.push({ at: Date.now(), press: own, words, what: [events, [], {}] });
}

function noteSent(press) {
  if (!press) return;
  pressedAt = Date.now();
  sentPress = press;
}

// The browser's own answer is prevented all the same.
function sendNothing(args, { preventDefault, stopPropagation } = {}) {
  send([], args, { preventDefault, stopPropagation });
}

// Until the page is whole nothing goes out: what it loads then would come over the answer.
function pass(events, args, actions) {
  if (!isForServer(events)) return send(events, args, actions);
  if (isClickedAlready(args)) return sendNothing(args, actions);
  if (!lost && isSentAlready(events, args)) return sendNothing(args, actions);
  const own = ownPress ?? (pressIn(args) ? PLAIN_PRESS : null);
  if (!lost) noteSent(own);
  if (!lost || isFleeting(events, actions)) return send(events, args, actions);
  // The connection is tried.
  sendNothing(args, actions);
  if (!own || !shown.isShown) return hold(events, own);
  own.unsent();
  show({ isUnsent: true });
}

// Whatever is sent goes through here: Reflex sets anew what sends it, again and again.
Object.defineProperty(eventLoop, "addEvents", {
  configurable: true,
  get: () => pass,
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
