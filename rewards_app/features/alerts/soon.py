"""Alerts of what a refusal rolls back: kept for a moment, then raised in their own transaction.

What happens again within that moment is only counted, so that a storm costs next to nothing.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from uuid import UUID

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.rounds import rounds
from rewards_app.features.alerts import service
from rewards_app.features.alerts.rules import Kind

RAISE_EVERY_SECONDS = 0.5
MOST_OF_A_KIND = 20
"""In a minute. When more are concerned than anybody reads, one alert stands for the rest."""
MANY = "many"
A_MINUTE = 60.0
MOST_TRIES = 3


@dataclass
class _Noticed:
    params: Mapping[str, str | int]
    account_id: UUID | None
    address: str | None
    times: int = 0
    tries: int = 0


@dataclass
class _Minute:
    """Whom the alerts of one kind were about within the last minute."""

    begun: float
    abouts: set[str] = field(default_factory=set[str])


_Alerts = dict[tuple[Kind, str], _Noticed]
_noticed: _Alerts = {}
_minutes: dict[Kind, _Minute] = defaultdict(lambda: _Minute(monotonic()))


def alert(
    kind: Kind,
    *,
    about: str,
    account_id: UUID | None = None,
    address: str | None = None,
    params: Mapping[str, str | int] | None = None,
) -> None:
    """Raise the alert within a second, whatever becomes of the transaction around this."""
    if not _is_one_of_few(kind, about):
        about, account_id, address = MANY, None, None
    known = _noticed.setdefault((kind, about), _Noticed(params or {}, account_id, address))
    known.times += 1


def _is_one_of_few(kind: Kind, about: str) -> bool:
    now, minute = monotonic(), _minutes[kind]
    if now - minute.begun >= A_MINUTE:
        minute = _minutes[kind] = _Minute(now)
    if about not in minute.abouts and len(minute.abouts) < MOST_OF_A_KIND:
        minute.abouts.add(about)
    return about in minute.abouts


async def keep_raising() -> None:
    """Run for the life of a worker; what cannot be kept now is tried again."""
    await rounds(raise_noticed, RAISE_EVERY_SECONDS, "alerts.not_raised")


async def raise_noticed() -> None:
    """In a fixed order: workers that raise the same alerts at once wait for each other in line."""
    if not _noticed:
        return
    raised = dict(_noticed)
    _noticed.clear()
    try:
        async with transaction() as session:
            for (kind, about), what in sorted(raised.items()):
                await service.raise_alert(
                    session,
                    kind,
                    about=about,
                    account_id=what.account_id,
                    address=what.address,
                    times=what.times,
                    now=utc_now(),
                    **what.params,
                )
    except DomainError:
        # The database is away, or full: nothing of it is lost.
        _put_back(raised)
        raise
    except Exception:
        _put_back(_to_be_tried_again(raised))
        raise


def _to_be_tried_again(
    raised: dict[tuple[Kind, str], _Noticed],
) -> dict[tuple[Kind, str], _Noticed]:
    """What fails each time, although the database is there, keeps no other alert from coming."""
    for what in raised.values():
        what.tries += 1
    return {key: what for key, what in raised.items() if what.tries < MOST_TRIES}


def _put_back(raised: _Alerts) -> None:
    for key, what in raised.items():
        if key in _noticed:
            _noticed[key].times += what.times
            _noticed[key].tries = what.tries
        else:
            _noticed[key] = what


def forget() -> None:
    """For tests, which share one process."""
    _noticed.clear()
    _minutes.clear()
