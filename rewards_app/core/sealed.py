"""Personal data at rest: a text column that only this app's key can read."""

import hmac
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import String, TypeDecorator

from rewards_app.core.sealing import Seal
from rewards_app.core.settings import settings


def _derived(purpose: bytes) -> list[bytes]:
    """A key of each secret for this purpose; the present one's first."""
    return [
        HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())
        for secret in settings().secrets
    ]


@lru_cache(maxsize=1)
def _cipher() -> Seal:
    return Seal.of(_derived(b"personal data at rest"))


def opening_keys() -> list[bytes]:
    """For a program of ours that has to open what is sealed."""
    return [key.secret for key in _cipher().keys]


def names_of_keys() -> list[str]:
    """As they stand in what they sealed, the present one's first."""
    return [key.name for key in _cipher().keys]


def present_head() -> str:
    """What begins otherwise was sealed with a key that is not the present one."""
    return _cipher().head


def seal(text: str) -> str:
    return _cipher().seal(text)


def unseal(sealed: str) -> str:
    return _cipher().unseal(sealed)


def unseal_bytes(sealed: bytes, place: bytes) -> bytes:
    """A piece of a file, which opens at its place only."""
    return _cipher().unseal_bytes(sealed, place)


@lru_cache(maxsize=1)
def _markers() -> list[bytes]:
    return _derived(b"fingerprints")


def fingerprint(text: str) -> str:
    """Tells equal texts without telling what they are."""
    return _mark(_markers()[0], text)


def fingerprints(text: str) -> list[str]:
    """By each key that still counts, the present one first: what was marked before is known."""
    return [_mark(key, text) for key in _markers()]


def _mark(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), "sha256").hexdigest()


def forget_keys() -> None:
    """Derive them again: the settings have changed."""
    _cipher.cache_clear()
    _markers.cache_clear()


def short_mark(text: str) -> str:
    """What a log tells addresses apart by: it is kept longer than people may want."""
    return fingerprint(text)[:16]


class Sealed(TypeDecorator[str]):
    """Encrypted on the way in, readable on the way out."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        return None if value is None else seal(value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        return None if value is None else unseal(value)
