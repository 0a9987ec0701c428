// A picture that cannot be shown leaves its place to what lies behind it.
import { createElement as h } from "react";

export function Thumbnail({ alt = "", ...rest }) {
  return h("img", { ...rest, alt, onError: (event) => (event.currentTarget.hidden = true) });
}
