"""What browsers and devices say of passkeys: what is asked of them, and what is believed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import webauthn
from webauthn.helpers import (
    base64url_to_bytes,
    options_to_json_dict,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from rewards_app.core.house import NAME
from rewards_app.core.settings import settings
from rewards_app.features.factors import rules

UNREADABLE = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What a made-up answer may lead to; none of it is a defect of ours."""


@dataclass(frozen=True, slots=True)
class Added:
    credential_id: bytes
    public_key: bytes
    uses: int
    transports: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What an answer says of itself, before anything of it is believed."""

    challenge: bytes
    credential_id: bytes


def site() -> str:
    """Passkeys are bound to a host name: they are worth nothing on any other."""
    return urlsplit(settings().origin).hostname or "localhost"


def to_add(account_id: UUID, label: str, known: Sequence[bytes]) -> dict[str, Any]:
    """What a browser needs to make one; a device that holds one already refuses."""
    asked = webauthn.generate_registration_options(
        rp_id=site(),
        rp_name=NAME,
        user_id=account_id.bytes,
        user_name=label,
        user_display_name=label,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
    )
    return options_to_json_dict(asked)


def to_show(known: Sequence[bytes]) -> dict[str, Any]:
    """What a browser needs to show one of these."""
    asked = webauthn.generate_authentication_options(
        rp_id=site(),
        allow_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json_dict(asked)


def challenge_in(options: dict[str, Any]) -> bytes:
    return base64url_to_bytes(options["challenge"])


def said_in(answer: str) -> Shown:
    """Which challenge it answers, with which passkey."""
    if len(answer) > rules.LONGEST_ANSWER:
        raise rules.PasskeyRefused
    try:
        told: Any = json.loads(answer)
        client = parse_client_data_json(base64url_to_bytes(told["response"]["clientDataJSON"]))
        return Shown(client.challenge, base64url_to_bytes(told["rawId"]))
    except UNREADABLE:
        raise rules.PasskeyRefused from None


def added(answer: str, challenge: bytes) -> Added:
    """A new passkey whose device has signed this challenge for this site."""
    try:
        credential = parse_registration_credential_json(answer)
        verified = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site(),
            expected_origin=settings().origins,
        )
    except UNREADABLE:
        raise rules.PasskeyRefused from None
    transports = ",".join(each.value for each in credential.response.transports or ())
    return Added(
        verified.credential_id,
        verified.credential_public_key,
        verified.sign_count,
        transports[:100],
    )


def uses_in(answer: str, challenge: bytes, public_key: bytes) -> int:
    """How often the device says it was used, where its signature is right."""
    try:
        verified = webauthn.verify_authentication_response(
            credential=parse_authentication_credential_json(answer),
            expected_challenge=challenge,
            expected_rp_id=site(),
            expected_origin=settings().origins,
            credential_public_key=public_key,
            # What it counts is judged by our own rule, which raises an alert.
            credential_current_sign_count=0,
        )
    except UNREADABLE:
        raise rules.PasskeyRefused from None
    return verified.new_sign_count
