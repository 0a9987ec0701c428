// Ten codes that are readable once: each is copied, or all are copied, saved or printed.
import { createElement as h, useRef } from "react";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import Printer from "lucide-react/dist/esm/icons/printer.mjs";
import { copySign, useCopying } from "$/public/copying";
import { notify } from "$/public/notices";

const SMALL =
  "target inline-flex min-h-9 flex-auto items-center justify-center gap-2 rounded-control border border-line px-3 py-1 text-sm font-semibold text-text hover:border-edge hover:bg-raised sm:flex-none";
const PRINTED = "prints-codes";

// Screen readers hear it of the toast.
const tellOfCopy = () => notify({ style: "default", title: "ui.copied" });

function Code({ number, code, labels, odd }) {
  const shown = useRef(null);
  const [isCopied, press] = useCopying(() => shown.current, tellOfCopy);
  return h(
    "li",
    { className: `flex min-h-11 items-center gap-3 border-line pl-4 pr-1 ${odd ? "sm:border-r" : ""} border-b` },
    h("span", { className: "tnum w-5 text-sm text-quiet", "aria-hidden": true }, number),
    h("span", { ref: shown, className: "min-w-0 flex-1 font-mono text-base tracking-wider" }, code),
    h(
      "button",
      {
        type: "button",
        title: labels.copyOne,
        "aria-label": `${labels.copyOne} ${number}`,
        onClick: press,
        className: `grid size-11 shrink-0 place-items-center rounded-control hover:bg-raised ${isCopied ? "text-good" : "text-quiet hover:text-text"}`,
      },
      copySign(isCopied),
    ),
  );
}

// A file of the browser's own making: the codes travel nowhere.
function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// The page prints nothing but the codes; a copy of them stands beside everything else meanwhile.
function print(text) {
  const sheet = document.createElement("pre");
  sheet.className = "printed-codes";
  sheet.textContent = text;
  document.body.append(sheet);
  document.documentElement.classList.add(PRINTED);
  const tidy = () => {
    sheet.remove();
    document.documentElement.classList.remove(PRINTED);
  };
  addEventListener("afterprint", tidy, { once: true });
  window.print();
}

export function BackupCodes({ codes, heading, labels, ...rest }) {
  const list = useRef(null);
  const [areCopied, copyAll] = useCopying(() => list.current, tellOfCopy);
  const text = `${heading}\n\n${codes.join("\n")}\n`;
  return h(
    "div",
    rest,
    h(
      "ol",
      { className: "grid overflow-hidden rounded-control border border-b-0 border-line sm:grid-cols-2" },
      codes.map((code, index) =>
        h(Code, { key: code, code, labels, number: index + 1, odd: index % 2 === 0 }),
      ),
    ),
    // What is copied as a whole: without the numbers before them.
    h("pre", { ref: list, className: "sr-only", "aria-hidden": true }, codes.join("\n")),
    h(
      "div",
      { className: "mt-4 flex flex-wrap gap-2" },
      h(
        "button",
        { type: "button", onClick: copyAll, className: SMALL },
        copySign(areCopied),
        labels.copyAll,
      ),
      h(
        "button",
        { type: "button", onClick: () => save(text, "watchcoins-backup-codes.txt"), className: SMALL },
        h(Download, { size: 18, strokeWidth: 1.75, "aria-hidden": true }),
        labels.download,
      ),
      h(
        "button",
        { type: "button", onClick: () => print(text), className: SMALL },
        h(Printer, { size: 18, strokeWidth: 1.75, "aria-hidden": true }),
        labels.print,
      ),
    ),
  );
}
