// Passkeys: what the server asks goes to the browser, what the device answers goes back, as JSON.
import { createElement as h, useRef } from "react";

const isSupported = () => Boolean(window.PublicKeyCredential && navigator.credentials);

function bytesOf(text) {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(padded), (character) => character.charCodeAt(0));
}

function textOf(buffer) {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  return btoa(characters.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const known = (keys = []) => keys.map((key) => ({ ...key, id: bytesOf(key.id) }));

// As the browser wants it: every identifier as bytes.
function asked(options) {
  const ready = { ...options, challenge: bytesOf(options.challenge) };
  if (options.user) ready.user = { ...options.user, id: bytesOf(options.user.id) };
  if (options.excludeCredentials) ready.excludeCredentials = known(options.excludeCredentials);
  if (options.allowCredentials) ready.allowCredentials = known(options.allowCredentials);
  return ready;
}

function answerOf(credential) {
  const { response } = credential;
  const fields = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const said = fields.filter((name) => response[name]).map((name) => [name, textOf(response[name])]);
  return JSON.stringify({
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: { ...Object.fromEntries(said), transports: response.getTransports?.() ?? [] },
  });
}

// The names are the server's: it says what is wrong in the person's language.
function troubleOf(error) {
  if (error.name === "NotAllowedError" || error.name === "AbortError") return "cancelled";
  if (error.name === "InvalidStateError") return "known";
  if (error.name === "SecurityError" || error.name === "NotSupportedError") return "unsupported";
  return "failed";
}

async function ask(options) {
  const publicKey = asked(options);
  // Who is to be known is told only where a passkey is made.
  return options.user ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey });
}

// A button that makes or shows a passkey, by what `options` ask for.
export function PasskeyButton({ options, onAnswer, onTrouble, children, ...rest }) {
  const isAsking = useRef(false);
  const press = async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    try {
      if (isSupported()) onAnswer(answerOf(await ask(options)));
      else onTrouble("unsupported");
    } catch (error) {
      onTrouble(troubleOf(error));
    } finally {
      isAsking.current = false;
    }
  };
  return h("button", { ...rest, type: "button", onClick: press }, children);
}
