"""What a browser sees of a deployment, through whatever stands in front of it."""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import httpx2 as httpx

from rewards_app.core.clock import utc_now
from rewards_app.core.setting_values import origin_of
from rewards_app.doctor.findings import Finding, fine, worth_knowing, wrong

SECONDS = 15
SAFE_HEADERS = (
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options",
    "x-frame-options",
    "cross-origin-opener-policy",
    "permissions-policy",
)
STAY_ON_HTTPS = "strict-transport-security"
SOCKET = "/_event/?EIO=4&transport=websocket"
BUILT = re.compile(r"/assets/[\w./-]+\.js")
A_YEAR = 31_536_000
LEAST_LEFT = timedelta(days=14)
"""certbot and Caddy renew a month before the end: what ends so soon, nobody renews."""
TOO_MUCH = 4 * 1024 * 1024
"""More than anybody needs to send at once."""


async def findings(url: str) -> list[Finding]:
    try:
        url = origin_of(url)
    except ValueError as refusal:
        return [wrong(f"The address {refusal}.")]
    checks: list[Callable[[httpx.AsyncClient, str], Awaitable[list[Finding]]]] = [
        front_page,
        built_files,
        metrics,
        too_much,
    ]
    found = [await https(url), *await certificate(url, now=utc_now())]
    async with httpx.AsyncClient(timeout=SECONDS) as client:
        for check in checks:
            try:
                found += await check(client, url)
            except (httpx.HTTPError, OSError) as failure:
                return [*found, no_answer(url, failure)]
    return [*found, await websocket(url)]


def no_answer(url: str, failure: Exception) -> Finding:
    """A certificate is refused below the client's own error, which does not say so."""
    cause: BaseException | None = failure
    while cause and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    if cause is None:
        return wrong(f"{url} does not answer ({type(failure).__name__}).")
    return wrong(
        f"The certificate of {url} is not trusted ({cause.verify_message}): have the proxy serve"
        " one that browsers trust, for this name, with its whole chain."
    )


async def https(url: str) -> Finding:
    """Whoever types the name alone comes by http, and must be led on."""
    parts = urlsplit(url)
    if parts.scheme != "https":
        return wrong(f"{url} is not https: passwords and sessions travel in clear.")
    return await leads_to_https(f"http://{parts.hostname}/")


async def leads_to_https(plain: str) -> Finding:
    try:
        async with httpx.AsyncClient(timeout=SECONDS) as client:
            answer = await client.get(plain)
    except (httpx.HTTPError, OSError):
        return worth_knowing(f"{plain} does not answer: whoever types the name alone may not come.")
    if answer.is_redirect and answer.headers.get("location", "").startswith("https://"):
        return fine(f"{plain} leads to https.")
    return wrong(f"{plain} does not lead to https: have the proxy redirect all of it.")


async def certificate(url: str, *, now: datetime) -> list[Finding]:
    """How long it is good for. Of one that is not trusted, or of nobody, the next look tells."""
    if urlsplit(url).scheme != "https":
        return []
    try:
        async with asyncio.timeout(SECONDS):
            _, writer = await _connected(url)
    except (OSError, TimeoutError):
        return []
    shown: dict[str, str] = writer.get_extra_info("peercert")
    writer.close()
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(shown["notAfter"]), UTC)
    said = f"The certificate of {url} ends in {(ends - now).days} days"
    if ends - now < LEAST_LEFT:
        return [wrong(f"{said}: see why it is not renewed ('certbot renew', or Caddy's log).")]
    return [fine(f"{said}.")]


async def front_page(client: httpx.AsyncClient, url: str) -> list[Finding]:
    answer = await client.get(url, headers={"accept-encoding": "gzip"})
    if answer.status_code != 200:
        return [wrong(f"{url} answers {answer.status_code}: is the app running behind the proxy?")]
    return [
        safe_headers(answer, is_https=url.startswith("https")),
        packed(answer, "The front page"),
    ]


def safe_headers(answer: httpx.Response, *, is_https: bool) -> Finding:
    wanted = (*SAFE_HEADERS, STAY_ON_HTTPS) if is_https else SAFE_HEADERS
    missing = [name for name in wanted if name not in answer.headers]
    if missing:
        return wrong(
            f"Headers are missing: {', '.join(missing)}. Let the app's own pass the proxy."
        )
    doubled = [name for name in wanted if len(answer.headers.get_list(name)) > 1]
    if doubled:
        return wrong(f"Headers come twice: {', '.join(doubled)}. Take them out of the proxy.")
    return fine("The security headers are the app's own.")


def packed(answer: httpx.Response, what: str) -> Finding:
    if answer.headers.get("content-encoding") in ("gzip", "br", "zstd"):
        return fine(f"{what} comes packed.")
    return wrong(f"{what} does not come packed: let Accept-Encoding and gzip pass the proxy.")


async def built_files(client: httpx.AsyncClient, url: str) -> list[Finding]:
    """One script stands for all that the builder named by its content."""
    script = BUILT.search((await client.get(url)).text)
    if script is None:
        return [wrong("The front page names no script: is it this app's?")]
    answer = await client.get(url + script[0], headers={"accept-encoding": "gzip"})
    if answer.status_code != 200:
        return [wrong(f"{script[0]} answers {answer.status_code}: let /assets pass the proxy.")]
    return [is_kept(answer), packed(answer, "A script")]


def is_kept(answer: httpx.Response) -> Finding:
    said = answer.headers.get("cache-control", "")
    age = re.search(r"max-age=(\d+)", said)
    if "immutable" in said and age and int(age[1]) >= A_YEAR:
        return fine("Browsers keep /assets for ever.")
    return wrong(
        f"Browsers ask for /assets again ({said or 'no Cache-Control'}): leave it as it is."
    )


async def metrics(client: httpx.AsyncClient, url: str) -> list[Finding]:
    """The app tells its figures to its own machine: a proxy that hides who asks opens them."""
    answer = await client.get(f"{url}/metrics")
    if answer.status_code == 200:
        return [
            wrong(
                "Anybody reads /metrics: the app takes visitors for its own machine. Have the proxy"
                " send X-Forwarded-For, and refuse /metrics."
            )
        ]
    return [fine("Visitors do not read /metrics.")]


async def too_much(client: httpx.AsyncClient, url: str) -> list[Finding]:
    address = f"{url}/webhooks/stripe"
    try:
        answer = await client.post(address, content=b" " * TOO_MUCH)
    except httpx.NetworkError:
        return [fine(f"{TOO_MUCH // 2**20} MB at once are cut off.")]
    if answer.status_code == 413:
        return [fine(f"{TOO_MUCH // 2**20} MB at once are refused.")]
    return [
        worth_knowing(
            f"{TOO_MUCH // 2**20} MB at once were taken and answered with {answer.status_code}: set"
            " the proxy's limit to 1 MB."
        )
    ]


async def websocket(url: str) -> Finding:
    """Pages are dead without it: the upgrade itself is asked for, as a browser does."""
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await _connected(url)
            writer.write(_upgrade(urlsplit(url).netloc, url))
            status = (await reader.readline()).decode("latin-1").strip()
            writer.close()
    except (OSError, TimeoutError) as failure:
        return wrong(f"The socket at /_event does not answer ({type(failure).__name__}).")
    if " 101 " in f"{status} ":
        return fine("The socket at /_event opens.")
    return wrong(
        f"The socket at /_event does not open ({status or 'no answer'}): let the proxy pass Upgrade"
        " and Connection, and set PUBLIC_URL to this address."
    )


async def _connected(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    secure = ssl.create_default_context() if parts.scheme == "https" else None
    port = parts.port or (443 if secure else 80)
    return await asyncio.open_connection(parts.hostname, port, ssl=secure)


def _upgrade(host: str, origin: str) -> bytes:
    lines = (
        f"GET {SOCKET} HTTP/1.1",
        f"Host: {host}",
        f"Origin: {origin}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: d2F0Y2hjb2lucyBkb2N0b3I=",
    )
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")
