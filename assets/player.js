// The ad being watched: its clock, its picture, and what the page tells the server of both.
import {
  createContext,
  createElement as h,
  Fragment,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { isWhole } from "$/public/connection";
import { useTexts } from "$/public/i18n";
import { leaveEnd } from "$/public/left_end";
import { EventLoopContext } from "$/utils/context";
import Volume2 from "lucide-react/dist/esm/icons/volume-2.mjs";
import VolumeX from "lucide-react/dist/esm/icons/volume-x.mjs";

const WATCHING = "watching";
const SAVING = "saving";
const REWARDED = "rewarded";
const MARGIN = 150;
const ASK_AGAIN_AFTER = [3000, 2000, 4000, 8000];
const LOOK_AGAIN_AFTER = 1000;
const SEEN_AGAIN_EVERY = 3000;
const REWARD_SEEN_FOR = 3000;
const ALIVE_EVERY = 5000;
const LEAVING = ["pagehide", "beforeunload"];
// How long a page that stays after all counts as left.
const LEFT_AFTER = 1000;

const Clock = createContext(null);

// Time that was really watched: it stands still while it is stopped.
function stopwatch() {
  let counted = 0;
  let since = null;
  const passed = () => (since === null ? 0 : performance.now() - since);
  return {
    get ms() {
      return counted + passed();
    },
    get runs() {
      return since !== null;
    },
    set(ms) {
      counted = ms;
      if (since !== null) since = performance.now();
    },
    run() {
      since ??= performance.now();
    },
    stop() {
      counted += passed();
      since = null;
    },
  };
}

// How far an ad had come when its page was left. After a reload the server's count takes a moment to
// arrive; until then the bar stands where it was seen last.
const LEFT_AT = "watched";

function rememberLeaving(id, ms) {
  sessionStorage.setItem(LEFT_AT, JSON.stringify({ id, ms }));
}

function leftAt(id) {
  const left = JSON.parse(sessionStorage.getItem(LEFT_AT) ?? "{}");
  sessionStorage.removeItem(LEFT_AT);
  return left.id === id ? left.ms : 0;
}

// Always what was rendered last, for whoever asks later.
function useLatest(value) {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

// Counts what is watched and tells the server when the ad is hidden, left or over. The server's own
// clock decides; this one starts where the server's stood, and never runs ahead of it.
export function AdClock({ running, stage, children, ...tell }) {
  const [watch] = useState(stopwatch);
  const view = {
    id: running?.session_id ?? "",
    seconds: running?.seconds ?? 0,
    counted: running?.watched_ms ?? 0,
    isHeldUp: running?.is_paused ?? false,
    answer: running?.answer ?? "",
    stage,
    watch,
  };
  const asked = useRef("");
  // It is seen again, and the server may count it as hidden still.
  const unheard = useRef(false);
  const isOffline = useContext(EventLoopContext)[1].length > 0;
  const now = useLatest({ ...view, tell, isOffline });
  const isPaused = usePauses(view, asked, unheard, now);
  const isOver = useEnd(view, isPaused, asked);
  const isLate = useReports(view, isOver, asked, unheard, now);
  useActivity(view);
  useClosing(stage, now);
  useLeaving(asked, unheard, now);
  const shown = { watch, seconds: view.seconds, isPaused, isLate: isLate || stage === SAVING };
  return h(Clock.Provider, { value: shown }, children);
}

const isSeen = ({ watch, seconds }) => watch.ms >= 1000 * seconds;

// The clock runs while it is seen. Each answer of the server sets it, also one that counts as before. That it is seen
// again is said until the server counts on: it may not hear, or may have to refuse.
function usePauses(view, asked, unheard, now) {
  const { id, answer, counted, isHeldUp, stage, watch } = view;
  const [isPaused, setPaused] = useState(false);
  const isWatching = stage === WATCHING && id !== "";
  useEffect(() => {
    unheard.current = false;
    if (!isWatching) {
      watch.stop();
      return undefined;
    }
    let saying;
    const pause = () => {
      if (!watch.runs || asked.current === id || isSeen(view)) return;
      clearInterval(saying);
      watch.stop();
      setPaused(true);
      now.current.tell.onPause(id);
    };
    const resume = () => {
      if (watch.runs) return;
      watch.run();
      setPaused(false);
      saySeen();
    };
    const saySeen = () => {
      unheard.current = true;
      now.current.tell.onResume(id);
      saying = setInterval(() => isWhole() && now.current.tell.onResume(id), SEEN_AGAIN_EVERY);
    };
    const follow = () => (document.hidden ? pause() : resume());
    // The connection is closed in the same moment, so it has to be told before.
    const leave = () => {
      pause();
      rememberLeaving(id, watch.ms);
      setTimeout(stay, LEFT_AFTER);
    };
    const stay = () => {
      sessionStorage.removeItem(LEFT_AT);
      follow();
    };
    watch.set(Math.max(counted, leftAt(id)));
    watch.run();
    setPaused(false);
    if (document.hidden) pause();
    else if (isHeldUp) saySeen();
    document.addEventListener("visibilitychange", follow);
    addEventListener("pageshow", follow);
    LEAVING.forEach((name) => addEventListener(name, leave, { capture: true }));
    return () => {
      clearInterval(saying);
      document.removeEventListener("visibilitychange", follow);
      removeEventListener("pageshow", follow);
      LEAVING.forEach((name) => removeEventListener(name, leave, { capture: true }));
    };
  }, [id, answer, isWatching]);
  return isPaused;
}

function useEnd({ id, answer, seconds, counted, stage, watch }, isPaused, asked) {
  const [over, setOver] = useState("");
  useEffect(() => {
    if (stage !== WATCHING || !id || isPaused) return undefined;
    // The server may have counted less, after a pause that it heard of late.
    if (counted < 1000 * seconds) {
      setOver("");
      if (asked.current === id) asked.current = "";
    }
    const missing = Math.max(0, 1000 * seconds - watch.ms);
    const end = setTimeout(() => setOver(id), missing + MARGIN);
    return () => clearTimeout(end);
  }, [id, answer, stage, isPaused]);
  return over === id && id !== "";
}

// The end is reported until an answer comes. It waits for the connection, and until the server counts what was seen.
function useReports({ id, answer, stage, watch }, isOver, asked, unheard, now) {
  const [isLate, setLate] = useState(false);
  const isAwaited = isOver && (stage === WATCHING || stage === SAVING);
  useEffect(() => {
    if (!isAwaited) {
      setLate(false);
      return undefined;
    }
    let timer;
    let tries = 0;
    const ask = () => {
      // The server has just said that it counts less: the end is still to come.
      if (!isSeen(now.current)) return;
      if (!isWhole() || unheard.current) {
        timer = setTimeout(askAgain, LOOK_AGAIN_AFTER);
        return;
      }
      const { tell, isOffline } = now.current;
      const isFirst = asked.current !== id;
      const report = isFirst ? tell.onFinish : tell.onAskAgain;
      if (isFirst || !isOffline) report(id, Math.floor(watch.ms / 1000));
      asked.current = id;
      timer = setTimeout(askAgain, ASK_AGAIN_AFTER[Math.min(tries++, ASK_AGAIN_AFTER.length - 1)]);
    };
    const askAgain = () => {
      setLate(true);
      ask();
    };
    ask();
    return () => clearTimeout(timer);
  }, [id, answer, isAwaited]);
  return isLate;
}

// Who watches touches nothing, and is there all the same.
function useActivity({ id, seconds, stage, watch }) {
  useEffect(() => {
    if (stage !== WATCHING || !id) return undefined;
    const tell = () => watch.runs && !isSeen({ watch, seconds }) && dispatchEvent(new Event("watched"));
    const timer = setInterval(tell, ALIVE_EVERY);
    return () => clearInterval(timer);
  }, [id, seconds, stage]);
}

// A reward is seen for three seconds, and until the server has heard so. Closed without one: what the page says of the ad has changed.
function useClosing(stage, now) {
  const before = useRef(stage);
  useEffect(() => {
    const was = before.current;
    before.current = stage;
    if (stage === REWARDED) {
      const seen = setInterval(() => now.current.tell.onClose(), REWARD_SEEN_FOR);
      return () => clearInterval(seen);
    }
    if (stage === "" && was !== "") {
      if (was !== REWARDED) now.current.tell.onEnded();
      if (document.activeElement === document.body) document.getElementById("main")?.focus();
    }
    return undefined;
  }, [stage]);
}

// Another page gives the ad up, unless its end was reported or waits for the connection; a reload or a lost session
// does not. What was seen to its end, and the server counts less, waits for its player. In the layout phase: later the
// address may be another one again.
function useLeaving(asked, unheard, now) {
  useLayoutEffect(() => {
    const place = location.pathname;
    leaveEnd(null);
    return () => {
      const { id, stage, watch, tell } = now.current;
      if (location.pathname === place || stage === "") return;
      if (stage === REWARDED) return void tell.onClose();
      const seconds = Math.floor(watch.ms / 1000);
      if (stage !== SAVING && asked.current !== id) {
        const isOver = isSeen(now.current);
        if (isOver && unheard.current) return;
        if (!isOver || isWhole()) return void tell.onLeave(id);
        tell.onFinish(id, seconds);
      }
      leaveEnd({ id, seconds });
    };
  }, []);
}

// What players will see, before any of them: the clock runs on this page alone, and tells nobody.
export function PreviewClock({ shows, seconds, children }) {
  const [watch] = useState(stopwatch);
  const what = JSON.stringify([shows, seconds]);
  useEffect(() => {
    watch.set(0);
    watch.run();
    return () => watch.stop();
  }, [what]);
  const shown = { watch, seconds, isPaused: false, isLate: false };
  return h(Clock.Provider, { value: shown }, h(Fragment, { key: what }, children));
}

// Every frame moves the bar; words and what is read aloud change once a second.
export function AdProgress({ label }) {
  const { watch, seconds, isPaused } = useContext(Clock);
  const { t } = useTexts();
  const bar = useRef(null);
  const missing = () => Math.max(0, Math.ceil(seconds - watch.ms / 1000));
  const [left, setLeft] = useState(missing);
  useEffect(() => {
    let frame;
    const step = () => {
      if (!bar.current) return;
      const part = seconds ? Math.min(1, watch.ms / (1000 * seconds)) : 0;
      bar.current.style.transform = `scaleX(${part})`;
      setLeft(missing());
      frame = requestAnimationFrame(step);
    };
    step();
    return () => cancelAnimationFrame(frame);
  }, [seconds]);
  const words = t("watch.seconds_left", { count: left });
  const shown = isPaused ? t("watch.paused", { left: words }) : words;
  return h(
    "div",
    null,
    h(
      "div",
      {
        role: "progressbar",
        "aria-label": label,
        "aria-valuemin": 0,
        "aria-valuemax": seconds,
        "aria-valuenow": Math.max(0, seconds - left),
        "aria-valuetext": shown,
        className: "h-2 overflow-hidden bg-raised",
      },
      h("div", {
        ref: bar,
        className: "h-full w-full origin-left bg-linear-to-r from-purple to-cyan",
        style: { transform: "scaleX(0)" },
      }),
    ),
    h("p", { className: "tnum px-4 pt-3 text-lg font-semibold sm:px-6" }, shown),
  );
}

// Says that our answer is late, and that nothing is lost by it.
export function SavingLine({ text }) {
  const { isLate } = useContext(Clock);
  return h(
    "p",
    { role: "status", className: "font-medium text-cyan empty:hidden" },
    isLate ? text : null,
  );
}

let wantsSound = true;

export function AdVideo({ source, poster, failedText, muteLabel, unmuteLabel }) {
  const { watch, isPaused } = useContext(Clock);
  const video = useRef(null);
  const [isMuted, setMuted] = useState(!wantsSound);
  const [hasFailed, setFailed] = useState(!source);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    if (isPaused) element.pause();
    // Browsers let a page speak only after its reader has touched it.
    else element.play().catch((refusal) => refusal.name === "NotAllowedError" && setMuted(true));
  }, [isPaused, isMuted, hasFailed]);
  if (hasFailed) return h(AdPicture, { source: poster, note: failedText, failedText });
  const label = isMuted ? unmuteLabel : muteLabel;
  const toggle = () => {
    wantsSound = isMuted;
    setMuted(!isMuted);
  };
  return h(
    "div",
    { className: "relative aspect-video max-h-[56dvh] w-full" },
    h("video", {
      ref: video,
      src: source,
      poster: poster || undefined,
      muted: isMuted,
      autoPlay: true,
      playsInline: true,
      loop: true,
      preload: "auto",
      disablePictureInPicture: true,
      className: "absolute inset-0 size-full object-contain",
      onError: () => setFailed(true),
      onLoadedMetadata: ({ target }) => {
        const { duration } = target;
        if (Number.isFinite(duration)) target.currentTime = (watch.ms / 1000) % duration;
      },
    }),
    h(
      "button",
      {
        type: "button",
        title: label,
        "aria-label": label,
        onClick: toggle,
        className:
          "absolute right-3 bottom-3 grid size-11 place-items-center rounded-full border border-line bg-panel text-text hover:border-edge",
      },
      h(isMuted ? VolumeX : Volume2, { size: 20, strokeWidth: 1.75, "aria-hidden": true }),
    ),
  );
}

// A picture, or what stands in for one that cannot be shown.
export function AdPicture({ source, alt = "", note, failedText, isBanner = false }) {
  const [hasFailed, setFailed] = useState(!source);
  const words = hasFailed ? failedText : note;
  return h(
    "div",
    { className: isBanner && !hasFailed ? "relative aspect-[4/1]" : "relative aspect-video max-h-[56dvh] w-full" },
    hasFailed
      ? null
      : h("img", {
          src: source,
          alt,
          className: "absolute inset-0 size-full object-contain",
          onError: () => setFailed(true),
        }),
    words
      ? h(
          "p",
          {
            className:
              "absolute inset-x-3 bottom-3 rounded-control border border-line bg-panel px-3 py-2 text-center text-sm text-text",
          },
          words,
        )
      : null,
  );
}
