"""What can be paid for: each purpose is told when its payment was made, ended or was returned."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString, TypeAlias
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.features.payments.rules import Status

Told: TypeAlias = Callable[[AsyncSession, UUID, datetime], Awaitable[None]]
"""Told in the payment's own transaction: the session, the subject, and when."""
ToldHowMuch: TypeAlias = Callable[[AsyncSession, UUID, int, datetime], Awaitable[None]]
"""The same, and how much has gone back by now, all parts together."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """A row: who is told what of a payment."""

    name: str
    return_path: str
    """Where the payer comes back to; the subject's id and how they came are added."""
    giving: LiteralString
    """Parts of the statement that takes the money: see `payments.repository.receiving`."""
    given: Callable[[UUID, int], None]
    """Told whose it is now and how many coins went with it, once that is committed."""
    ended: Callable[[AsyncSession, UUID, Status, datetime], Awaitable[None]]
    under_way: Told
    """Its payer has done their part; the money takes days."""
    refused: Told
    """It took days and has ended: the payer's bank did not pay."""
    too_late: Told
    returned: Told
    partly_returned: ToldHowMuch | None
    """What was given can be taken again, and in parts, as money in a balance can; None for what
    cannot, as a code that was seen."""


PURPOSES: dict[str, Purpose] = {}


def offer(purpose: Purpose) -> None:
    PURPOSES[purpose.name] = purpose
