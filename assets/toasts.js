// The toast itself: one at a time. Fetched once there is a notice to show.
import { createElement as h, useEffect } from "react";
import { Words } from "$/public/notices";
import { Toaster, toast } from "sonner";
import CircleAlert from "lucide-react/dist/esm/icons/circle-alert.mjs";
import Info from "lucide-react/dist/esm/icons/info.mjs";
import Trophy from "lucide-react/dist/esm/icons/trophy.mjs";

const DURATION = 5000;
const STYLES = {
  default: [Info, "border-line [&_svg]:text-cyan"],
  destructive: [CircleAlert, "border-danger [&_svg]:text-danger"],
  gaming: [Trophy, "glow border-purple [&_svg]:text-lilac"],
};
const TOAST =
  "pointer-events-auto flex font-sans w-full items-start gap-3 rounded-panel border bg-panel p-4 text-base text-text shadow-lg ";

function draw({ style, words }) {
  const [Icon, look] = STYLES[style] ?? STYLES.default;
  toast.dismiss();
  // Not texts but what writes them: the catalogue may come later than the notice.
  const [head, body] = words.map((says) => h(Words, { says }));
  toast(head, {
    description: body,
    className: TOAST + look,
    icon: h(Icon, { size: 20, strokeWidth: 1.75, "aria-hidden": true }),
  });
}

export function Toasts({ shown, label }) {
  // The place of the toasts is there by then: what is inside of a component has its effects first.
  useEffect(() => draw(shown), [shown]);
  return h(Toaster, {
    position: "top-center",
    visibleToasts: 1,
    duration: DURATION,
    // Over the bars, which can wait: the heading and the form below them stay in sight.
    offset: { top: 8 },
    mobileOffset: { top: 8 },
    containerAriaLabel: label,
    toastOptions: {
      unstyled: true,
      classNames: { title: "font-semibold", description: "text-quiet", content: "min-w-0 flex-1", icon: "mt-0.5 shrink-0" },
    },
  });
}
