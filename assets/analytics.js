// Page views in the words of Plausible and of Umami, without a script of theirs. A path and nothing
// of a person: no query, no title, no size of a screen.
const WAYS = {
  plausible: {
    path: "/api/event",
    // Read as JSON all the same, and no browser has to ask for leave first.
    type: "text/plain",
    body: (site, path, referrer) => ({
      name: "pageview",
      url: location.origin + path,
      domain: site,
      referrer: referrer || undefined,
    }),
  },
  umami: {
    path: "/api/send",
    type: "application/json",
    body: (site, path, referrer) => ({
      type: "event",
      payload: {
        website: site,
        hostname: location.hostname,
        language: document.documentElement.lang,
        url: path,
        referrer,
      },
    }),
  },
};

// Which site led here, not which page of it; told with the first view alone.
function otherSite() {
  try {
    const { origin } = new URL(document.referrer);
    return origin === location.origin ? "" : origin;
  } catch {
    return "";
  }
}

let referrer = otherSite();

// A counter that is away is no trouble of the page.
export function count({ kind, url, site }, path) {
  const way = WAYS[kind];
  fetch(url + way.path, {
    method: "POST",
    headers: { "Content-Type": way.type },
    body: JSON.stringify(way.body(site, path, referrer)),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    keepalive: true,
  }).catch(() => {});
  referrer = "";
}
