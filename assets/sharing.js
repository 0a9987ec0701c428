// Handing a link to another app, where the system has a way to; elsewhere it is copied.
import { createElement as h, useEffect, useState } from "react";
import Share2 from "lucide-react/dist/esm/icons/share-2.mjs";

async function share(text, url) {
  try {
    await navigator.share({ text, url });
  } catch (refused) {
    // Closing the system's sheet is no failure, and nothing of ours can change the others.
    console.info("Not shared:", refused.name);
  }
}

export function ShareButton({ text, url, label, ...rest }) {
  const [canShare, setCanShare] = useState(false);
  useEffect(() => setCanShare(typeof navigator.share === "function"), []);
  if (!canShare) return null;
  return h(
    "button",
    { ...rest, type: "button", onClick: () => share(text, url) },
    h(Share2, { size: 18, strokeWidth: 1.75, "aria-hidden": true, className: "shrink-0" }),
    label,
  );
}
