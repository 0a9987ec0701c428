// Controls that answer at once: what is chosen shows before the server knows it.
import { createElement as h, useContext, useEffect, useId, useRef, useState } from "react";
import { ColorModeContext } from "$/utils/context";
import Eye from "lucide-react/dist/esm/icons/eye.mjs";
import EyeOff from "lucide-react/dist/esm/icons/eye-off.mjs";
import Monitor from "lucide-react/dist/esm/icons/monitor.mjs";
import Moon from "lucide-react/dist/esm/icons/moon.mjs";
import Sun from "lucide-react/dist/esm/icons/sun.mjs";
import { sending } from "$/public/connection";
import { useRefusal } from "$/public/notices";

const PILL =
  "target relative inline-flex h-8 items-center gap-2 rounded-full border border-line bg-panel px-3 text-sm whitespace-nowrap " +
  "hover:border-edge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-cyan";
const sign = (Icon, size) => h(Icon, { size, strokeWidth: 1.75, "aria-hidden": true });

// The chosen value: at once what the hand chose, then what the server says.
function useChoice(value, onChange) {
  const [chosen, setChosen] = useState(value);
  useEffect(() => setChosen(value), [value]);
  useRefusal(() => setChosen(value));
  const choose = (next) => {
    setChosen(next);
    onChange?.(next);
  };
  return [chosen, choose];
}

// What is longer is refused for that alone, when it is sent.
const WEIGHED = 300;

// `weighedWith` names fields of the form that matter to how strong the password is: they may be typed after it.
export function PasswordInput({ showLabel, hideLabel, weighedWith = [], onChange, className, ...rest }) {
  const [isShown, setShown] = useState(false);
  const field = useRef(null);
  const tell = () => {
    const { form, value } = field.current;
    const besides = weighedWith.map((name) => form?.elements[name]?.value ?? "");
    onChange?.(value.slice(0, WEIGHED), besides.map((typed) => typed.slice(0, WEIGHED)));
  };
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    const { form } = field.current;
    const hear = ({ target }) => {
      if (weighedWith.includes(target.name) && field.current.value) latest.current();
    };
    form?.addEventListener("change", hear);
    return () => form?.removeEventListener("change", hear);
  }, []);
  return h(
    "div",
    { className: "relative" },
    h("input", {
      ...rest,
      ref: field,
      className,
      type: isShown ? "text" : "password",
      autoCapitalize: "none",
      spellCheck: false,
      onChange: onChange && tell,
    }),
    h(
      "button",
      {
        type: "button",
        className: "absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-quiet hover:text-text",
        "aria-label": isShown ? hideLabel : showLabel,
        "aria-controls": rest.id,
        onClick: () => setShown(!isShown),
      },
      sign(isShown ? EyeOff : Eye, 18),
    ),
  );
}

export function Segments({ name, label, value, options, onChange }) {
  const [chosen, choose] = useChoice(value, onChange);
  const group = useId();
  return h(
    "div",
    {
      role: "radiogroup",
      "aria-label": label,
      // Four and more would leave one alone in a second row of a phone: they stand in pairs there,
      // below the first one where that leaves one over.
      className:
        "inline-flex max-w-full flex-wrap gap-0.5 rounded-[10px] border border-line bg-panel p-[3px] max-sm:w-full " +
        (options.length > 3 ? "max-sm:grid max-sm:grid-cols-2 " : "max-sm:flex ") +
        (options.length > 3 && options.length % 2 ? "max-sm:*:first:col-span-2" : ""),
    },
    options.map((option) =>
      h(
        "label",
        {
          key: option.value,
          className:
            "relative inline-flex min-h-9 flex-auto cursor-pointer items-center justify-center gap-1.5 rounded-[7px] px-3.5 text-center text-sm " +
            "font-semibold text-quiet hover:text-text has-checked:bg-raised has-checked:text-text has-checked:ring-1 has-checked:ring-inset has-checked:ring-purple pointer-coarse:min-h-11 " +
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-cyan",
        },
        h("input", {
          type: "radio",
          name: `${name}${group}`,
          value: option.value,
          checked: chosen === option.value,
          onChange: () => choose(option.value),
          className: "absolute inset-0 cursor-pointer appearance-none rounded-[7px] outline-none",
        }),
        option.label,
        option.count === undefined ? null : h("span", { className: "tnum font-normal" }, option.count),
      ),
    ),
  );
}

export function MenuSelect({ label, value, options, shows, onChange, children }) {
  const [chosen, choose] = useChoice(value, onChange);
  const shown = shows === "value" ? h("span", { "aria-hidden": true, className: "uppercase" }, chosen) : null;
  return h(
    "span",
    { className: PILL },
    children,
    shown,
    h(
      "select",
      {
        "aria-label": label,
        title: label,
        value: chosen,
        onChange: (event) => choose(event.target.value),
        className: "absolute inset-y-[-6px] inset-x-0 z-1 w-full cursor-pointer opacity-0",
      },
      options.map((option) => h("option", { key: option.value, value: option.value }, option.label)),
    ),
  );
}

// One radio of a group that looks like cards. The browser moves the choice at once; the server follows,
// and its word is the last.
export function RadioInput({ name, value, chosen, onChoose, ...rest }) {
  const radio = useRef(null);
  const obey = () => {
    radio.current.checked = chosen === value;
  };
  useEffect(obey, [chosen, value]);
  useRefusal(obey);
  const choose = () => onChoose(value);
  return h("input", { ...rest, ref: radio, type: "radio", name, value, onChange: choose });
}

// Several lines to be sent: more than a form's fields may hold. What is wrong with them is said beside the field in
// the language of the page, not in the browser's.
export function MessageForm({ onSend, children, ...rest }) {
  const send = (event) => {
    event.preventDefault();
    const { value } = event.currentTarget.elements.message;
    sending(() => onSend(value));
  };
  return h("form", { ...rest, noValidate: true, onSubmit: send }, children);
}

const MODES = { system: Monitor, light: Sun, dark: Moon };

export function ThemeSelect({ label, options }) {
  const { rawColorMode, setColorMode } = useContext(ColorModeContext);
  const icon = sign(MODES[rawColorMode] ?? Monitor, 16);
  return h(MenuSelect, { label, options, value: rawColorMode, onChange: setColorMode }, icon);
}
