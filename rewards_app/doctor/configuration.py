"""What the settings alone tell. Values in, findings out; a secret is measured, never shown."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from rewards_app.core.postgres.certificates import (
    CHECKED,
    SYSTEM,
    believed,
    is_here,
    unchecked_hosts,
)
from rewards_app.core.settings import SHORTEST_SECRET, TEST_KEYS, Settings, is_in_the_open
from rewards_app.doctor.findings import Finding, fine, worth_knowing, wrong
from rewards_app.doctor.rules import LOSES_STATES

SHORTEST_TOKEN = 16
OF_DEBIAN = "/etc/ssl/certs/ca-certificates.crt"
UNCHECKED = "ssl_cert_reqs=none"


def findings(chosen: Settings, *, workers: int) -> Iterable[Finding]:
    yield _mode(chosen)
    yield _address(chosen)
    yield _secret(chosen)
    yield _proxies(chosen)
    yield _workers(chosen, workers)
    yield from _cards(chosen)
    yield _factors(chosen)
    yield from _token(chosen)
    yield from _traces(chosen)
    yield from _passwords_that_travel(chosen)
    yield from _connections(chosen)


def _mode(chosen: Settings) -> Finding:
    if chosen.is_production:
        return fine("MODE is production.")
    return worth_knowing("MODE is development, which is for trying out: set it to production.")


def _address(chosen: Settings) -> Finding:
    if chosen.is_https:
        return fine(f"The address is {chosen.origin}.")
    said = f"The address is {chosen.origin}, without https: set PUBLIC_URL to the https address."
    return wrong(said) if chosen.is_production else worth_knowing(said)


def _secret(chosen: Settings) -> Finding:
    length = len(chosen.secret_key.get_secret_value())
    if length >= SHORTEST_SECRET:
        return fine("SECRET_KEY is long enough.")
    if length:
        return wrong(f"SECRET_KEY has {length} characters: it needs {SHORTEST_SECRET} random ones.")
    said = "SECRET_KEY is not set: a made-up one lies in the data folder."
    return wrong(said) if chosen.is_production else worth_knowing(said)


def _proxies(chosen: Settings) -> Finding:
    if chosen.trusted_proxy_hops:
        return fine(f"TRUSTED_PROXY_HOPS is {chosen.trusted_proxy_hops}.")
    if not chosen.tells_visitors_apart:
        return wrong(
            "TRUSTED_PROXY_HOPS is 0, but https means a proxy: all visitors share its address and"
            " one limit, and nobody counts the pages that they open. Set it to how many proxies"
            " stand in front."
        )
    return fine("TRUSTED_PROXY_HOPS is 0: no proxy is believed.")


def _workers(chosen: Settings, workers: int) -> Finding:
    if chosen.redis_url:
        here = "1 worker" if workers == 1 else f"{workers} workers"
        return fine(f"{here} here, with their pages' states in Redis.")
    if workers > 1:
        return wrong(
            f"GRANIAN_WORKERS is {workers} without Redis: {LOSES_STATES}. Set REDIS_URL, or leave"
            " GRANIAN_WORKERS away."
        )
    return fine("One worker here, which needs no Redis.")


def _cards(chosen: Settings) -> Iterator[Finding]:
    if not chosen.card_provider:
        yield _without_cards(chosen)
    if chosen.uses_stripe:
        yield from _stripe(chosen)


def _stripe(chosen: Settings) -> Iterator[Finding]:
    if chosen.is_production and chosen.stripe_secret_key.get_secret_value().startswith(TEST_KEYS):
        yield wrong("STRIPE_SECRET_KEY is a test key: nobody pays. Set the live one.")
    else:
        yield fine("STRIPE_SECRET_KEY has the shape of a key.")
    if chosen.stripe_webhook_secret.get_secret_value().startswith("whsec_"):
        yield fine("STRIPE_WEBHOOK_SECRET has the shape of a signing secret.")
    else:
        yield wrong(
            "STRIPE_WEBHOOK_SECRET does not begin with whsec_: copy the endpoint's signing secret."
        )
    if not chosen.asks_stripe_itself:
        host = urlsplit(chosen.stripe_api_base).hostname
        yield worth_knowing(f"STRIPE_API_BASE leads to {host}, not to Stripe: leave it away.")


def _without_cards(chosen: Settings) -> Finding:
    if chosen.is_production:
        return worth_knowing("No cards are taken: orders cost coins alone. See STRIPE_SECRET_KEY.")
    return worth_knowing("No cards are taken: payments are tests, and no money moves.")


def _factors(chosen: Settings) -> Finding:
    if chosen.requires_admin_factor:
        return fine("Admins need a second factor.")
    said = "Admins need no second factor: leave ADMIN_SECOND_FACTOR away, or set it to true."
    return wrong(said) if chosen.is_production else worth_knowing(said)


def _token(chosen: Settings) -> Iterator[Finding]:
    token = chosen.metrics_token.get_secret_value()
    if token and len(token) < SHORTEST_TOKEN:
        yield wrong(f"METRICS_TOKEN can be guessed: it needs {SHORTEST_TOKEN} random characters.")


def _traces(chosen: Settings) -> Iterator[Finding]:
    if not (address := chosen.otel_exporter_otlp_endpoint):
        return
    host = urlsplit(address).hostname
    if is_in_the_open(address):
        yield worth_knowing(f"Traces go to {host} in clear: let it be https.")
    else:
        yield fine(f"Traces go to {host}, {chosen.trace_share:.0%} of them.")


def _passwords_that_travel(chosen: Settings) -> Iterator[Finding]:
    host = chosen.smtp_host
    if host and not chosen.smtp_starttls and not is_here(host):
        yield worth_knowing(f"Mails and the password go to {host} in clear: set SMTP_STARTTLS.")


def _connections(chosen: Settings) -> Iterator[Finding]:
    """What leaves the machine is encrypted, and whoever answers has shown a certificate."""
    for url, name, what in (
        (chosen.database_url, "DATABASE_URL", "the database"),
        (chosen.analytics_database_url, "ANALYTICS_DATABASE_URL", "the database for figures"),
    ):
        for host in unchecked_hosts(url):
            yield from _in_clear(chosen, host, f"{what}: add sslmode={CHECKED}&sslrootcert=…")
        yield from _certificates(believed(url), name)
    address = urlsplit(chosen.redis_url)
    if address.scheme == "redis":
        yield from _in_clear(chosen, address.hostname or "", "Redis: let REDIS_URL be rediss://")
    elif UNCHECKED in address.query.replace("%20", ""):
        yield wrong("REDIS_URL believes any certificate: leave ssl_cert_reqs away.")


def _certificates(file: str, name: str) -> Iterator[Finding]:
    if file == SYSTEM:
        yield wrong(
            f"{name} has sslrootcert={SYSTEM}, and what speaks TLS here came along and does not"
            f" know where the system's are: name their file, sslrootcert={OF_DEBIAN}."
        )
    elif file:
        try:
            Path(file).open("rb").close()
        except OSError as failure:
            why = f"which cannot be read ({failure.strerror}): name the right one in sslrootcert"
            yield wrong(f"{name} believes the certificates in {file}, {why}.")


def _in_clear(chosen: Settings, host: str, what: str) -> Iterator[Finding]:
    if is_here(host):
        return
    said = f"Nobody checks that {host} is {what}"
    if "." not in host and ":" not in host:
        # A name that only a network of containers knows.
        yield worth_knowing(f"{said}, if {host} is ever on another machine.")
    elif chosen.is_production:
        yield wrong(f"{said}.")
    else:
        yield worth_knowing(f"{said}.")


def demo_file(file: Path, chosen: Settings) -> Iterator[Finding]:
    if chosen.is_production and file.exists():
        yield wrong(f"Passwords of demo accounts lie in {file}: erase the accounts, then the file.")
