"""Codes that an app shows: the shared secret, its address for the app, and its picture."""

from datetime import datetime

import pyotp
import segno
from pyotp.totp import TOTP

from rewards_app.core.house import NAME
from rewards_app.features.factors import rules

NOBODYS = pyotp.random_base32()
"""Compared where there is no secret, so that the answer takes as long."""


def a_secret() -> str:
    return pyotp.random_base32()


def uri(secret: str, label: str) -> str:
    return TOTP(secret).provisioning_uri(name=label, issuer_name=NAME)


def picture(uri: str) -> str:
    """A QR code as an address for an image; black on white in every theme: cameras need it."""
    code = segno.make(uri, error="m")
    return code.svg_data_uri(scale=4, border=4, dark="#000", light="#fff", omitsize=True)


def matching_step(secret: str | None, typed: str, *, now: datetime) -> int | None:
    """The period whose code was typed; without a secret it takes the same time to say none."""
    codes = TOTP(secret or NOBODYS)
    step = rules.matching_step(typed, code_at=codes.generate_otp, now=now)
    return step if secret else None
