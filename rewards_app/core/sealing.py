"""Sealing with keys that are handed in: for programs that know no settings and no tables.

What is sealed says how, and with which key: `1.KEY.…`. So both can be replaced while what was
sealed before still opens. What says neither is of the time before that: each key is tried.
"""

import base64
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

AES_256_GCM = "1"
_NONCE = 12
_NAME = 4


class KeyMissing(Exception):
    """It was sealed with a key that is not at hand."""

    def __init__(self, name: str) -> None:
        super().__init__(f"sealed with the key {name}, which is not in SECRET_KEYS_BEFORE")


@dataclass(frozen=True)
class Key:
    secret: bytes

    @cached_property
    def name(self) -> str:
        """Tells it from others and nothing else."""
        return sha256(b"the name of " + self.secret).digest()[:_NAME].hex()

    @cached_property
    def text_head(self) -> str:
        return f"{AES_256_GCM}.{self.name}."

    @cached_property
    def head(self) -> bytes:
        return AES_256_GCM.encode() + bytes.fromhex(self.name)

    @cached_property
    def _cipher(self) -> AESGCM:
        return AESGCM(self.secret)

    def close(self, content: bytes, place: bytes | None) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, content, place)

    def open(self, closed: bytes, place: bytes | None) -> bytes:
        return self._cipher.decrypt(closed[:_NONCE], closed[_NONCE:], place)


@dataclass(frozen=True)
class Seal:
    """What it seals opens only with the same key, and only as it was sealed.

    The first key seals; all of them open.
    """

    keys: tuple[Key, ...]

    @classmethod
    def of(cls, secrets: Iterable[bytes]) -> "Seal":
        return cls(tuple(map(Key, secrets)))

    @property
    def head(self) -> str:
        """How every text begins that is sealed from now on."""
        return self.keys[0].text_head

    def seal(self, text: str) -> str:
        closed = self.keys[0].close(text.encode(), self.head.encode())
        return self.head + base64.urlsafe_b64encode(closed).decode()

    def unseal(self, sealed: str) -> str:
        head, dot, closed = sealed.rpartition(".")
        content = base64.urlsafe_b64decode(closed)
        if not dot:
            return self._try_each(content, None).decode()
        for key in self.keys:
            if key.text_head == head + dot:
                return key.open(content, key.text_head.encode()).decode()
        raise KeyMissing(head)

    def seal_bytes(self, content: bytes, place: bytes) -> bytes:
        """`place` is where it belongs: elsewhere it does not open."""
        key = self.keys[0]
        return key.head + key.close(content, key.head + place)

    def unseal_bytes(self, sealed: bytes, place: bytes) -> bytes:
        for key in self.keys:
            if sealed.startswith(key.head):
                return key.open(sealed[len(key.head) :], key.head + place)
        return self._try_each(sealed, place)

    def _try_each(self, closed: bytes, place: bytes | None) -> bytes:
        for key in self.keys[:-1]:
            try:
                return key.open(closed, place)
            except InvalidTag:
                continue
        return self.keys[-1].open(closed, place)
