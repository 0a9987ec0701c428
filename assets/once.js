// What an address asks for once: whoever loads the page again does not ask again.
import { useEffect } from "react";

export function AskedOnce({ name }) {
  useEffect(() => {
    const { pathname, search, hash } = location;
    const asked = new URLSearchParams(search);
    asked.delete(name);
    const rest = asked.toString();
    history.replaceState(history.state, "", pathname + (rest && `?${rest}`) + hash);
  }, [name]);
  return null;
}
