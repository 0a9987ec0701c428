"""The providers that may vouch for a person: a row each."""

from dataclasses import dataclass
from typing import Any

from rewards_app.core.settings import Settings, is_in_the_open

METADATA = "/.well-known/openid-configuration"
LEADING = ("authorization_endpoint", "token_endpoint", "jwks_uri")
"""What of its metadata says where people and our secret go, and whence its keys come."""


@dataclass(frozen=True, slots=True)
class Provider:
    name: str
    label: str
    issuer: str = ""
    """Empty when the setting `<NAME>_ISSUER` says it."""

    def client_id(self, chosen: Settings) -> str:
        return getattr(chosen, f"{self.name}_client_id")

    def client_secret(self, chosen: Settings) -> str:
        return getattr(chosen, f"{self.name}_client_secret").get_secret_value()

    def issuers(self, chosen: Settings) -> tuple[str, str]:
        """What it may call itself: some end their own name with a slash."""
        known = (self.issuer or getattr(chosen, f"{self.name}_issuer")).rstrip("/")
        return known, f"{known}/"

    def metadata_url(self, chosen: Settings) -> str:
        return self.issuers(chosen)[0] + METADATA

    def shown_as(self, chosen: Settings) -> str:
        return self.label or getattr(chosen, f"{self.name}_name")


PROVIDERS = {
    provider.name: provider
    for provider in (
        Provider("google", "Google", "https://accounts.google.com"),
        Provider("discord", "Discord", "https://discord.com"),
        Provider("oidc", ""),
    )
}


def configured(chosen: Settings) -> list[Provider]:
    return [provider for provider in PROVIDERS.values() if provider.client_id(chosen)]


def in_the_open(metadata: dict[str, Any], chosen: Settings) -> list[str]:
    """What in the metadata leads away without https, which production does not follow."""
    if not chosen.is_production:
        return []
    return [name for name in LEADING if is_in_the_open(str(metadata.get(name, "")))]
