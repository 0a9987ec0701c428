// One page as Lighthouse sees it on a phone: what it was asked for comes as JSON in the first argument,
// what it found goes out as JSON.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { connect } from "puppeteer-core";

const { url, categories, cookie, chromium, flags } = JSON.parse(process.argv[2]);

// Lighthouse empties caches before it looks, but keeps cookies: the page's socket carries this one, too.
async function signIn(port) {
  const browser = await connect({ browserURL: `http://127.0.0.1:${port}` });
  await browser.setCookie({ ...cookie, domain: new URL(url).hostname, path: "/", httpOnly: true });
  await browser.disconnect();
}

const chrome = await launch({ chromePath: chromium, chromeFlags: flags });
try {
  if (cookie) await signIn(chrome.port);
  const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: categories, logLevel: "error" });
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const scores = Object.fromEntries(Object.values(lhr.categories).map(({ id, score }) => [id, 100 * score]));
  const lacking = Object.values(lhr.audits).filter(({ score }) => score !== null && score < 0.9);
  const named = lacking.map(({ id, displayValue }) => (displayValue ? `${id} (${displayValue})` : id));
  console.log(JSON.stringify({ scores, seen: lhr.finalDisplayedUrl, lacking: named }));
} finally {
  await chrome.kill();
}
