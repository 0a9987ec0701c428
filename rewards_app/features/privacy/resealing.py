"""Another key for what is sealed: everything that an earlier one sealed is sealed by the present.

Anybody may do it at any time and as often as they like; the app runs meanwhile.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from cryptography.exceptions import InvalidTag

from rewards_app.core import sealed
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.sealing import KeyMissing
from rewards_app.features.privacy import resealing_repository as repository
from rewards_app.features.privacy.resealing_repository import Key, Place
from rewards_app.features.shop import stock

_log = structlog.get_logger(__name__)

AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Standing:
    """How many values the present key has sealed in a column, an earlier one, and one unknown."""

    place: Place
    present: int
    earlier: int
    unknown: int


async def standings(session: AsyncSession) -> list[Standing]:
    return [
        _standing(place, await repository.keys_used(session, place))
        for place in repository.places()
    ]


def _standing(place: Place, counts: Mapping[str, int]) -> Standing:
    present, *earlier = sealed.names_of_keys()
    known = sum(counts.get(name, 0) for name in ("", *earlier))
    newest = counts.get(present, 0)
    return Standing(place, newest, known, sum(counts.values()) - newest - known)


async def reseal() -> dict[str, int]:
    """All that can be opened; what cannot is counted and left as it is."""
    done: Counter[str] = Counter(resealed=0, not_opened=0)
    for place in repository.places():
        after: Key | None = place.first
        while after is not None:
            async with transaction() as session:
                after = await _reseal_some(session, place, after, done)
    done["marked"] = await _mark_codes_anew()
    if done["not_opened"]:
        _log.error("sealed.not_opened", count=done["not_opened"])
    return dict(done)


async def _mark_codes_anew() -> int:
    """As far as the first of those that were not opened."""
    try:
        return await stock.mark_anew(now=utc_now())
    except (InvalidTag, KeyMissing):
        return 0


async def _reseal_some(
    session: AsyncSession, place: Place, after: Key, done: Counter[str]
) -> Key | None:
    """Where to go on; None at the end."""
    found = await repository.sealed_otherwise(
        session, place, head=sealed.present_head(), after=after, most=AT_ONCE
    )
    for key, before in found:
        try:
            text = sealed.unseal(before)
        except (InvalidTag, KeyMissing):
            done["not_opened"] += 1
            continue
        await repository.keep(session, place, key, sealed.seal(text))
        done["resealed"] += 1
    return found[-1][0] if found else None
