"""Personal data at rest: a text column that only this app's key can read."""

import base64
import hmac
import os
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import String, TypeDecorator

from rewards_app.core.settings import settings

_NONCE = 12


@lru_cache(maxsize=1)
def _cipher() -> AESGCM:
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"personal data at rest")
    return AESGCM(derive.derive(settings().secret.encode()))


def seal(text: str) -> str:
    nonce = os.urandom(_NONCE)
    return base64.urlsafe_b64encode(nonce + _cipher().encrypt(nonce, text.encode(), None)).decode()


def unseal(sealed: str) -> str:
    raw = base64.urlsafe_b64decode(sealed)
    return _cipher().decrypt(raw[:_NONCE], raw[_NONCE:], None).decode()


@lru_cache(maxsize=1)
def _marker() -> bytes:
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"fingerprints")
    return derive.derive(settings().secret.encode())


def fingerprint(text: str) -> str:
    """Tells equal texts without telling what they are."""
    return hmac.new(_marker(), text.encode(), "sha256").hexdigest()


class Sealed(TypeDecorator[str]):
    """Encrypted on the way in, readable on the way out."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        return None if value is None else seal(value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        return None if value is None else unseal(value)
