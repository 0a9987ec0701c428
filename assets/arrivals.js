// Which campaign led here, for those who allow marketing: told once a visit, and remembered by this
// tab alone. Before somebody has answered the question, the address is known to this page only.
import { useEffect, useSyncExternalStore } from "react";
import { answerTo, useAllowed, useAnswerTo } from "$/public/consent";

const KIND = "marketing";
const KEPT = "campaign";
const PARTS = ["utm_source", "utm_medium", "utm_campaign"];
const FITS = /^[a-z0-9][a-z0-9._-]{0,39}$/;
const followers = new Set();

// The words of an address that could be ours; the server looks at them again.
function campaignIn(query) {
  const told = new URLSearchParams(query);
  const words = PARTS.map((part) => (told.get(part) ?? "").toLowerCase());
  const fitting = words.map((word) => (FITS.test(word) ? word : ""));
  return fitting.some(Boolean) ? fitting.join("/") : "";
}

function remembered() {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

function keep(campaign) {
  try {
    if (campaign) sessionStorage.setItem(KEPT, campaign);
    else sessionStorage.removeItem(KEPT);
  } catch {
    // Then a sign-up is not counted for it.
  }
  followers.forEach((follow) => follow());
}

let arrivedBy = null;

export function Arrival({ isCounted, onCome }) {
  const answer = useAnswerTo(KIND);
  useEffect(() => {
    arrivedBy ??= campaignIn(location.search);
    // Read anew: the first effect after a page was painted on the server runs before the answer is known.
    const allowed = answerTo(KIND);
    if (!allowed) keep("");
    if (allowed === false) arrivedBy = "";
    if (!allowed || !isCounted || !arrivedBy) return;
    const campaign = arrivedBy;
    arrivedBy = "";
    if (campaign === remembered()) return;
    keep(campaign);
    onCome(campaign);
  }, [answer, isCounted]);
  return null;
}

function follow(listener) {
  followers.add(listener);
  return () => followers.delete(listener);
}

// For a sign-up in the same visit.
export function useCampaign() {
  const isAllowed = useAllowed(KIND);
  const campaign = useSyncExternalStore(follow, remembered, () => "");
  return isAllowed ? campaign : "";
}
