"""Made second factors: an app's codes, a device that holds passkeys, accounts that have one."""

import hashlib
import json
import secrets
import struct
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from argon2 import PasswordHasher
from argon2.low_level import Type
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from pyotp.totp import TOTP
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

from rewards_app.core import hashing
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.factors import service
from rewards_app.features.factors.rules import Purpose
from tests.people import NOON

IS_THERE, IS_VERIFIED, HAS_KEY = 0x01, 0x04, 0x40
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1, type=Type.ID)


@dataclass
class App:
    """An authenticator app that was set up for one account, and the ten codes that came with it."""

    secret: str
    codes: list[str]

    def code(self, at: datetime = NOON) -> str:
        return TOTP(self.secret).at(at)


async def an_app(account_id: UUID, *, has_slow_codes: bool = False, now: datetime = NOON) -> App:
    """Set up a minute before `now`, so that none of its codes of now is used.

    Ten backup codes as slow as the app's matter to who guesses, or comes twice at once.
    """
    before = now - timedelta(minutes=2)
    async with transaction() as session:
        setup = await service.begin_authenticator(session, account_id, "maja", now=before)
    code = TOTP(setup.secret).at(before)
    with nullcontext() if has_slow_codes else _hashing_quickly():
        async with transaction() as session:
            codes = await service.confirm_authenticator(session, account_id, code, now=before)
    return App(setup.secret, codes)


@contextmanager
def _hashing_quickly() -> Generator[None]:
    """A hash says itself what it costs: what is made meanwhile takes no time to compare, either."""
    usual, hashing._hasher = hashing._hasher, QUICK
    try:
        yield
    finally:
        hashing._hasher = usual


@dataclass
class Device:
    """What signs for its owner, as a browser would say it."""

    origin: str = ""
    uses: int = 0
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def made(self, options: dict[str, Any]) -> str:
        """The answer to options that ask for a new passkey."""
        owned = struct.pack(">H", len(self.credential_id)) + self.credential_id + self._public()
        data = self._data(IS_THERE | IS_VERIFIED | HAS_KEY) + owned.rjust(len(owned) + 16, b"\0")
        attested = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(
            {
                "clientDataJSON": self._client("webauthn.create", options),
                "attestationObject": bytes_to_base64url(attested),
                "transports": ["internal"],
            }
        )

    def shown(self, options: dict[str, Any], *, uses: int | None = None) -> str:
        """The answer to options that ask for one that is known."""
        self.uses = self.uses + 1 if uses is None else uses
        data = self._data(IS_THERE | IS_VERIFIED)
        client = self._client("webauthn.get", options)
        signed = data + hashlib.sha256(base64url_to_bytes(client)).digest()
        return self._answer(
            {
                "clientDataJSON": client,
                "authenticatorData": bytes_to_base64url(data),
                "signature": bytes_to_base64url(self.key.sign(signed, ec.ECDSA(SHA256()))),
            }
        )

    def _answer(self, response: dict[str, Any]) -> str:
        known = bytes_to_base64url(self.credential_id)
        return json.dumps({"id": known, "rawId": known, "type": "public-key", "response": response})

    def _client(self, kind: str, options: dict[str, Any]) -> str:
        said = {
            "type": kind,
            "challenge": options["challenge"],
            "origin": self.origin or settings().origin,
        }
        return bytes_to_base64url(json.dumps(said).encode())

    def _data(self, flags: int) -> bytes:
        site = hashlib.sha256(b"localhost").digest()
        return site + bytes([flags]) + struct.pack(">I", self.uses)

    def _public(self) -> bytes:
        point = self.key.public_key().public_numbers()
        return encode_cbor({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})


async def a_passkey(
    account_id: UUID, name: str = "Phone", *, now: datetime = NOON
) -> tuple[Device, list[str]]:
    """The device that holds it, and the ten codes where it is the first factor."""
    device = Device()
    options = await passkey_options(account_id, Purpose.ADD, now=now)
    async with transaction() as session:
        codes = await service.add_passkey(session, account_id, name, device.made(options), now=now)
    return device, codes


async def passkey_options(
    account_id: UUID, purpose: Purpose = Purpose.SIGN_IN, *, now: datetime = NOON
) -> dict[str, Any]:
    async with transaction() as session:
        return await service.passkey_options(session, account_id, purpose, "maja", now=now)
