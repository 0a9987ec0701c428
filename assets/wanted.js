// Where a visitor came for something of their own, kept in this tab until they have signed in.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

const WANTED = "wanted";
const KEPT_FOR = 60 * 60 * 1000;

function take() {
  const kept = sessionStorage.getItem(WANTED);
  sessionStorage.removeItem(WANTED);
  const { at, address } = JSON.parse(kept || "{}");
  return Date.now() - at < KEPT_FOR ? address : "";
}

// Stands where visitors are led away from. They may be elsewhere before anything is kept.
export function Wanted() {
  const { pathname, search, hash } = useRef(useLocation()).current;
  useEffect(() => {
    const address = pathname + search + hash;
    sessionStorage.setItem(WANTED, JSON.stringify({ at: Date.now(), address }));
  }, []);
  return null;
}

// Stands beside every page of members: the first one after signing in hears of it.
export function WantedThen({ onBack }) {
  const { pathname, search } = useLocation();
  useEffect(() => {
    const address = take();
    if (address && address.split("#")[0] !== pathname + search) onBack(address);
  }, []);
  return null;
}
