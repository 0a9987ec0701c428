// For when the connection is lost: the builder's own files as they were fetched, and a page that says
// so. Nothing of a person is ever kept: no document, no answer, no download.
// The builder writes its name here; another build has other files.
const BUILD = "";
const KIND = "shell-";
const SHELL = KIND + BUILD;
const OFFLINE = "/offline.html";
const ALWAYS = [OFFLINE, "/offline.js", "/favicon.svg"];
const BUILT = "/assets/";
const MOST = 250;

const whole = (path) => new Request(path, { cache: "reload", credentials: "omit" });

async function prepare() {
  const shell = await caches.open(SHELL);
  await shell.addAll(ALWAYS.map(whole));
}

async function forgetOlder() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(KIND) && name !== SHELL);
  await Promise.all(older.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable();
}

async function keep(request, answer) {
  const shell = await caches.open(SHELL);
  await shell.put(request, answer);
  const files = (await shell.keys()).filter(({ url }) => new URL(url).pathname.startsWith(BUILT));
  await Promise.all(files.slice(0, Math.max(files.length - MOST, 0)).map((file) => shell.delete(file)));
}

// Their names change with their content.
async function built(event) {
  const kept = await caches.match(event.request, { cacheName: SHELL }).catch(() => undefined);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200 && answer.type === "basic") {
    // A full disk is no reason to withhold a file.
    event.waitUntil(keep(event.request, answer.clone()).catch(() => {}));
  }
  return answer;
}

const prepared = (path) => caches.match(path, { cacheName: SHELL });

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (lost) {
    const offline = await prepared(OFFLINE);
    if (offline) return offline;
    throw lost;
  }
}

// What the offline page is made of.
const part = async ({ request }, path) => (await prepared(path)) ?? fetch(request);

addEventListener("install", (event) => event.waitUntil(prepare()));
addEventListener("activate", (event) => event.waitUntil(forgetOlder()));
addEventListener("fetch", (event) => {
  const { method, mode, url, headers } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (mode === "navigate") event.respondWith(page(event));
  else if (ALWAYS.includes(pathname)) event.respondWith(part(event, pathname));
  else if (pathname.startsWith(BUILT) && !headers.has("range")) event.respondWith(built(event));
});
