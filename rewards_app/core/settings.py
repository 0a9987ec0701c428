"""Every setting of the app, read from the environment and `.env`; a bad one stops the start."""

import secrets
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from rewards_app.core.setting_values import (
    MonthsKept,
    Origin,
    Phone,
    Port,
    PostgresUrl,
    RedisUrl,
    Sender,
    SiteName,
    WebAddress,
    address_in,
)

SHORTEST_SECRET = 32
STRIPE = "api.stripe.com"
TEST_KEYS = ("sk_test_", "rk_test_")


class Mode(StrEnum):
    DEVELOPMENT = "development"
    PRODUCTION = "production"


class BadSettings(Exception):
    """The configuration cannot work; the message names the settings and gives examples."""


def _is_stripes(url: str) -> bool:
    host = (urlsplit(url).hostname or STRIPE).rstrip(".")
    return host == "stripe.com" or host.endswith(".stripe.com")


def is_in_the_open(url: str) -> bool:
    """Who is between here and there reads along, and can answer in its place."""
    at = urlsplit(url)
    return at.scheme == "http" and at.hostname not in {"localhost", "127.0.0.1", "::1"}


class Settings(BaseSettings):
    """`.env.example` explains each value to whoever runs the app."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", env_ignore_empty=True)

    mode: Mode = Mode.DEVELOPMENT
    host: str = "127.0.0.1"
    port: Port = 8300
    data_dir: Path = Path("data")
    public_url: Origin = ""
    secret_key: SecretStr = SecretStr("")
    secret_keys_before: SecretStr = SecretStr("")
    trusted_proxy_hops: Annotated[int, Field(ge=0, le=5)] = 0

    database_url: PostgresUrl = ""
    database_owner_url: PostgresUrl = ""
    analytics_database_url: PostgresUrl = ""
    redis_url: RedisUrl = ""

    smtp_host: str = ""
    smtp_port: Port = 587
    smtp_username: str = ""
    smtp_password: SecretStr = SecretStr("")
    smtp_starttls: bool = True
    mail_from: Sender = "WatchCoins <no-reply@localhost>"
    support_email: str = "support@localhost"
    support_phone: Phone = "+46 8 465 004 00"
    """Of the numbers that Sweden keeps for films: nobody answers it."""
    office_address: str = "Exempelgatan 1, 111 22 Stockholm"

    stripe_secret_key: SecretStr = SecretStr("")
    stripe_webhook_secret: SecretStr = SecretStr("")
    stripe_api_base: Origin = ""

    google_client_id: str = ""
    google_client_secret: SecretStr = SecretStr("")
    discord_client_id: str = ""
    discord_client_secret: SecretStr = SecretStr("")
    oidc_name: str = "OpenID"
    oidc_issuer: WebAddress = ""
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr = SecretStr("")

    metrics_token: SecretStr = SecretStr("")
    backup_dir: Path | None = None
    otel_exporter_otlp_endpoint: WebAddress = ""
    trace_share: Annotated[float, Field(ge=0, le=1)] = 1.0

    analytics_kind: Literal["off", "plausible", "umami"] = "off"
    analytics_url: Origin = ""
    analytics_site: SiteName = ""

    password_rotation_days: Annotated[int, Field(ge=0, le=3650)] = 180
    coin_expiry_months: Annotated[int, Field(ge=0, le=120)] = 12
    ad_views_kept_months: MonthsKept = 96
    hide_known_accounts: bool = False
    admin_second_factor: bool | None = None
    factor_reset_hours: Annotated[int, Field(ge=1, le=720)] = 72
    reward_funding: Literal["off", "warn", "enforce"] = "warn"

    @property
    def is_production(self) -> bool:
        return self.mode is Mode.PRODUCTION

    @property
    def is_https(self) -> bool:
        return self.origin.startswith("https://")

    @property
    def origin(self) -> str:
        """The address that people type; links in mails start with it."""
        return self.public_url or f"http://localhost:{self.port}"

    @property
    def origins(self) -> list[str]:
        """The exact origins that sockets and HTTP accept."""
        if self.public_url:
            return [self.public_url]
        return [f"http://{host}:{self.port}" for host in ("localhost", "127.0.0.1")]

    @property
    def tells_visitors_apart(self) -> bool:
        """https means a proxy: where none is believed, everybody has that one's address."""
        return self.trusted_proxy_hops > 0 or not self.is_https

    @property
    def uses_stripe(self) -> bool:
        return bool(self.stripe_secret_key.get_secret_value())

    @property
    def asks_stripe_itself(self) -> bool:
        """Not a server that speaks as it does, which tests and trials have."""
        return self.uses_stripe and _is_stripes(self.stripe_api_base)

    @property
    def sells_for_money_alone(self) -> bool:
        """What happens in Stripe's test mode moves no money, and means nothing here."""
        return self.is_production and self.asks_stripe_itself

    @property
    def card_provider(self) -> str:
        """Who takes cards here, by the name of its gateway; empty where nobody does."""
        return "stripe" if self.uses_stripe else ""

    @property
    def offers_test_payments(self) -> bool:
        """For trying out: in production a code is never given for money that nobody paid."""
        return not self.card_provider and not self.is_production

    @property
    def requires_admin_factor(self) -> bool:
        """Admins do nothing before a password alone no longer opens their account."""
        chosen = self.admin_second_factor
        return self.is_production if chosen is None else chosen

    @property
    def heeds_funding(self) -> bool:
        """Somebody is told of ads whose price does not cover their reward."""
        return self.reward_funding != "off"

    @property
    def enforces_funding(self) -> bool:
        """Ads whose price does not cover their reward are not served."""
        return self.reward_funding == "enforce"

    @property
    def counts_pages(self) -> bool:
        return self.analytics_kind != "off"

    @property
    def page_counter(self) -> dict[str, str]:
        """What a page needs to know to tell which pages are seen; nothing where nobody counts."""
        if not self.counts_pages:
            return {}
        kind, url, site = self.analytics_kind, self.analytics_url, self.analytics_site
        return {"kind": kind, "url": url, "site": site}

    @property
    def sender_address(self) -> str:
        return address_in(self.mail_from)

    @property
    def keeps_mail_in_outbox(self) -> bool:
        return not self.smtp_host

    @cached_property
    def secret(self) -> str:
        """SECRET_KEY; in development one is made on the first start and kept in the data folder."""
        if given := self.secret_key.get_secret_value():
            return given
        kept = self.data_dir / "secret"
        if not kept.exists():
            self.data_dir.mkdir(parents=True, exist_ok=True)
            kept.touch(mode=0o600)
            kept.write_text(secrets.token_urlsafe(48))
        return kept.read_text()

    @property
    def secrets(self) -> list[str]:
        """The one that closes and marks, then those that only open and recognise."""
        return [self.secret, *_words(self.secret_keys_before)]

    @model_validator(mode="after")
    def _keys_are_different(self) -> Self:
        before = _words(self.secret_keys_before)
        present = self.secret_key.get_secret_value()
        if present in before or len(set(before)) < len(before):
            raise ValueError(
                "SECRET_KEYS_BEFORE: each key once, and SECRET_KEY itself is not among them"
            )
        return self

    @model_validator(mode="after")
    def _owner_is_of_a_given_database(self) -> Self:
        if self.database_owner_url and not self.database_url:
            raise ValueError("DATABASE_URL: missing, it belongs to DATABASE_OWNER_URL")
        return self

    @model_validator(mode="after")
    def _pairs_come_together(self) -> Self:
        for first, second in PAIRS:
            if bool(_plain(getattr(self, first))) != bool(_plain(getattr(self, second))):
                missing = second if _plain(getattr(self, first)) else first
                raise ValueError(f"{missing.upper()}: missing, it belongs to {first.upper()}")
        for name in ("analytics_url", "analytics_site") if self.counts_pages else ():
            if not getattr(self, name):
                raise ValueError(f"{name.upper()}: missing, it belongs to ANALYTICS_KIND")
        key = self.stripe_secret_key.get_secret_value()
        if key and not key.startswith(("sk_test_", "sk_live_", "rk_")):
            raise ValueError("STRIPE_SECRET_KEY: must start with sk_test_, sk_live_ or rk_")
        return self

    @model_validator(mode="after")
    def _production_has_no_development_defaults(self) -> Self:
        if not self.is_production:
            return self
        problems: list[str] = []
        if len(self.secret_key.get_secret_value()) < SHORTEST_SECRET:
            problems.append(
                f"SECRET_KEY: at least {SHORTEST_SECRET} random characters,"
                ' for example from: python3 -c "import secrets; print(secrets.token_urlsafe(48))"'
            )
        if not self.public_url.startswith("https://"):
            problems.append("PUBLIC_URL: the https address, for example https://play.example.com")
        if self.asks_stripe_itself and _plain(self.stripe_secret_key).startswith(TEST_KEYS):
            problems.append(
                "STRIPE_SECRET_KEY: a live key, sk_live_… or rk_live_…: with a test key"
                " everybody's test cards buy real codes"
            )
        if self.uses_stripe and len(_plain(self.stripe_webhook_secret)) < SHORTEST_SECRET:
            problems.append(
                "STRIPE_WEBHOOK_SECRET: the endpoint's whole signing secret, whsec_ and more:"
                " who guesses it is given codes for nothing"
            )
        if not self.smtp_host:
            problems.append(
                "SMTP_HOST: a mail server, for example smtp.example.com (no outbox page)"
            )
        problems += [
            f"{name.upper()}: {wanted}"
            for name, wanted in OF_THE_OPERATOR.items()
            if getattr(self, name) == type(self).model_fields[name].default
        ]
        if is_in_the_open(self.stripe_api_base):
            problems.append("STRIPE_API_BASE: https, since the key travels there")
        if is_in_the_open(self.oidc_issuer):
            problems.append(
                "OIDC_ISSUER: https, for example https://id.example.com: who answers in its place"
                " signs in as anybody"
            )
        if self.counts_pages and not self.analytics_url.startswith("https://"):
            problems.append("ANALYTICS_URL: https, for example https://plausible.io")
        if problems:
            raise ValueError("\n".join(problems))
        return self


PAIRS = (
    ("stripe_secret_key", "stripe_webhook_secret"),
    ("google_client_id", "google_client_secret"),
    ("discord_client_id", "discord_client_secret"),
    ("oidc_client_id", "oidc_client_secret"),
    ("oidc_client_id", "oidc_issuer"),
)

OF_THE_OPERATOR = {
    "mail_from": "a real sender, for example WatchCoins <no-reply@example.com>",
    "support_email": "a real address, for example support@example.com",
    "support_phone": "a real number, for example +46 8 123 456 78",
    "office_address": "a real one, for example Storgatan 1, 111 22 Stockholm",
}
"""What nobody can keep as it comes, in production."""

EXAMPLES = {
    "mode": "development or production",
    "port": "8300",
    "public_url": "https://play.example.com",
    "trusted_proxy_hops": "1",
    "database_url": "postgresql://app@db.example.com/rewards",
    "database_owner_url": "postgresql://owner@db.example.com/rewards",
    "analytics_database_url": "postgresql://app@replica.example.com/rewards",
    "redis_url": "redis://localhost:6379/0",
    "smtp_port": "587",
    "smtp_starttls": "true",
    "mail_from": "WatchCoins <no-reply@example.com>",
    "support_phone": "+46 8 123 456 78",
    "stripe_api_base": "https://api.stripe.com",
    "oidc_issuer": "https://id.example.com",
    "password_rotation_days": "180",
    "hide_known_accounts": "false",
    "admin_second_factor": "true",
    "factor_reset_hours": "72",
    "reward_funding": "off, warn or enforce",
    "analytics_kind": "off, plausible or umami",
    "analytics_url": "https://plausible.io",
    "analytics_site": "play.example.com",
    "otel_exporter_otlp_endpoint": "http://127.0.0.1:4318",
    "trace_share": "0.05",
}


def _words(several: SecretStr) -> list[str]:
    return several.get_secret_value().replace(",", " ").split()


def _plain(value: SecretStr | str) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def read_settings() -> Settings:
    """The settings, or BadSettings with one line for each problem."""
    try:
        return Settings()
    except ValidationError as refusal:
        raise BadSettings("\n".join(_explain(refusal))) from None


def _explain(refusal: ValidationError) -> list[str]:
    lines: list[str] = []
    for problem in refusal.errors(include_input=False, include_url=False):
        message = problem["msg"].removeprefix("Value error, ")
        if not problem["loc"]:
            lines.extend(message.splitlines())
            continue
        name = str(problem["loc"][0])
        example = f" (for example {EXAMPLES[name]})" if name in EXAMPLES else ""
        lines.append(f"{name.upper()}: {message}{example}")
    return lines


@lru_cache(maxsize=1)
def settings() -> Settings:
    return read_settings()
