"""Sealing with a key that is handed in: for programs that know no settings and no tables."""

import base64
import os
from dataclasses import dataclass
from functools import cached_property

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE = 12


@dataclass(frozen=True)
class Seal:
    """What it seals opens only with the same key, and only as it was sealed."""

    key: bytes

    @cached_property
    def _cipher(self) -> AESGCM:
        return AESGCM(self.key)

    def seal(self, text: str) -> str:
        return base64.urlsafe_b64encode(self.seal_bytes(text.encode(), None)).decode()

    def unseal(self, sealed: str) -> str:
        return self.unseal_bytes(base64.urlsafe_b64decode(sealed), None).decode()

    def seal_bytes(self, content: bytes, place: bytes | None) -> bytes:
        """`place` is where it belongs: elsewhere it does not open."""
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, content, place)

    def unseal_bytes(self, sealed: bytes, place: bytes | None) -> bytes:
        return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], place)
