// The browser's side of a session: leaving through the door, noticing that another tab came in by it, and that nobody
// is there.
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { followMinutes } from "$/public/clock";
import { awayFor } from "$/public/connection";
import { whenIdle } from "$/public/i18n";
import { notify } from "$/public/notices";

const IDLE_LIMIT = 30 * 60 * 1000;
const CHECK_EVERY = 60 * 1000;
// A machine that wakes up needs a moment for its network.
const GIVEN_UP_AFTER = 60 * 1000;
// A tab that wakes up hears late what was done in others.
const HEARS_WITHIN = 2000;
// Not all who live in one zone ask in the same second.
const ASKED_WITHIN = 30 * 1000;
const ASKED_AGAIN_AFTER = 5 * 60 * 1000;
// What people do, and what a running ad says of who watches it.
const ACTIVITY = ["mousedown", "keydown", "scroll", "touchstart", "watched"];
const PASSED = "door-passed";
const LEFT = "left-idle";
const EXPIRED = { style: "destructive", title: "errors.session_expired_title", text: "errors.session_expired" };

// Whose session was left without a connection.
function takeLeft() {
  const left = localStorage.getItem(LEFT);
  localStorage.removeItem(LEFT);
  return left;
}

// A ticket is posted: what signs somebody in stands in no history, and in nobody's log of addresses.
function pass(to) {
  const { pathname, searchParams } = new URL(to, location.origin);
  if (!searchParams.has("ticket")) {
    location.assign(to);
    return;
  }
  const form = Object.assign(document.createElement("form"), { method: "post", action: pathname });
  form.hidden = true;
  const [name, value] = ["ticket", searchParams.get("ticket")];
  form.append(Object.assign(document.createElement("input"), { name, value }));
  document.body.append(form);
  form.submit();
}

// Only HTTP can change the session's cookie, so the whole document goes there; each door once.
export function Door({ to }) {
  useEffect(() => {
    if (!to || !to.startsWith("/session/") || sessionStorage.getItem(PASSED) === to) return;
    sessionStorage.setItem(PASSED, to);
    pass(to);
  }, [to]);
  return null;
}

// A session was expected when the document was sent, but there is none any more.
export function Expectation({ isVisitor }) {
  useEffect(() => {
    if (!isVisitor) return;
    document.documentElement.classList.remove("expected");
    if (takeLeft()) notify(EXPIRED);
  }, [isVisitor]);
  return null;
}

// Whoever signs in does so in all tabs of the browser: a page that learns of its session tells the others that there is
// one, and those of visitors, whose sockets know of none, are asked for anew. What members read as well stays as it is,
// with whatever is typed there: anew comes the page after it.
export function SignIns({ session, isVisitor, visitorPages }) {
  const { pathname } = useLocation();
  const [heardAt, setHeardAt] = useState("");
  useEffect(() => {
    const others = new BroadcastChannel("sign-ins");
    others.onmessage = () => setHeardAt(location.pathname);
    if (session) others.postMessage("begun");
    return () => others.close();
  }, [session]);
  useEffect(() => {
    if (session) setHeardAt("");
    else if (!heardAt || !isVisitor) return;
    else if (visitorPages.includes(pathname.replace(/(.)\/$/, "$1"))) location.replace("/");
    else if (pathname !== heardAt) location.reload();
  }, [session, isVisitor, heardAt, pathname]);
  return null;
}

// Activity in any tab keeps all of them: each tells the others of its own, and of nothing that it has heard.
// Silence ends the session that was silent: another one may have begun before anybody hears of it.
export function IdleWatch({ session, onActive, onIdle }) {
  useEffect(() => {
    if (!session) return undefined;
    if (takeLeft() === session) {
      onIdle(session);
      return undefined;
    }
    const others = new BroadcastChannel("activity");
    let lastActive = Date.now();
    let lastHere = 0;
    let lastTold = Date.now();
    const hear = () => {
      lastActive = Date.now();
    };
    const tell = () => {
      lastTold = Date.now();
      others.postMessage("active");
      onActive();
    };
    // Whoever comes back is told of at once: by the next check the session could be over.
    const note = () => {
      lastHere = lastActive = Date.now();
      if (lastHere - lastTold >= CHECK_EVERY) tell();
    };
    // Where nobody can be told that the session is over, what it showed is taken away all the same;
    // who finds the server again with the session still alive tells it then.
    const leave = () => {
      if (awayFor() <= GIVEN_UP_AFTER) return onIdle(session);
      localStorage.setItem(LEFT, session);
      location.replace("/landing");
    };
    const isSilent = () => Date.now() - lastActive >= IDLE_LIMIT;
    let leaving;
    const check = () => {
      if (isSilent()) leaving = setTimeout(() => isSilent() && leave(), HEARS_WITHIN);
      else if (lastHere > lastTold) tell();
    };
    // A page that the browser has kept as it was left: whose it was may have gone since.
    const wake = ({ persisted }) => persisted && location.reload();
    others.onmessage = hear;
    addEventListener("pageshow", wake);
    ACTIVITY.forEach((name) => addEventListener(name, note, { passive: true, capture: true }));
    const timer = setInterval(check, CHECK_EVERY);
    return () => {
      clearInterval(timer);
      clearTimeout(leaving);
      others.close();
      removeEventListener("pageshow", wake);
      ACTIVITY.forEach((name) => removeEventListener(name, note, { capture: true }));
    };
  }, [session]);
  return null;
}

// A player's day follows the zone that the browser is in.
export function TimeZoneTeller({ isKnown, known, onDiffers }) {
  const tell = () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone && zone !== known) onDiffers(zone);
  };
  useEffect(() => {
    if (isKnown) whenIdle(tell);
  }, [isKnown]);
  return null;
}

// The player's day or break ends while the page is open, and nothing else says so: the page asks, once it is looked
// at. The seconds are counted from when they came, since its own clock may be wrong.
export function EndsLater({ endsAt, endsIn, onOver }) {
  useEffect(() => {
    if (!endsAt) return undefined;
    let due = Date.now() + endsIn * 1000 + Math.random() * ASKED_WITHIN;
    const look = () => {
      if (Date.now() < due || document.visibilityState === "hidden") return;
      // Answered, it knows of another end.
      due = Date.now() + ASKED_AGAIN_AFTER;
      onOver();
    };
    const timer = setTimeout(look, due - Date.now());
    // A sleeping computer stops its timers, not the clock.
    const unfollow = followMinutes(look);
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, [endsAt, endsIn]);
  return null;
}
