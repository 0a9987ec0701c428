"""Personal data at rest: a text column that only this app's key can read."""

import hmac
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import String, TypeDecorator

from rewards_app.core.sealing import Seal
from rewards_app.core.settings import settings


@lru_cache(maxsize=1)
def _cipher() -> Seal:
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"personal data at rest")
    return Seal(derive.derive(settings().secret.encode()))


def key() -> bytes:
    """For a program of ours that has to open what is sealed."""
    return _cipher().key


def seal(text: str) -> str:
    return _cipher().seal(text)


def unseal(sealed: str) -> str:
    return _cipher().unseal(sealed)


def seal_bytes(content: bytes, place: bytes) -> bytes:
    """A piece of a file, which opens at its place only."""
    return _cipher().seal_bytes(content, place)


def unseal_bytes(sealed: bytes, place: bytes) -> bytes:
    return _cipher().unseal_bytes(sealed, place)


@lru_cache(maxsize=1)
def _marker() -> bytes:
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"fingerprints")
    return derive.derive(settings().secret.encode())


def fingerprint(text: str) -> str:
    """Tells equal texts without telling what they are."""
    return hmac.new(_marker(), text.encode(), "sha256").hexdigest()


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
