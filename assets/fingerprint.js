// What the server weighs, beside many other things, when accounts look alike.
const LONGEST = 300;

export const fingerprint = () =>
  [navigator.userAgent, `${screen.width}x${screen.height}`, new Date().getTimezoneOffset()]
    .join(" ")
    .slice(0, LONGEST);
