"""What somebody may not do for now, as they read it themselves, and how they appeal."""

from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, lock_row, rows
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.support import inbox, repository, rules, service
from rewards_app.features.support.repository import MOST_ADDITIONS, SAID
from rewards_app.features.support.service import APPEALED, Latest
from rewards_app.models import Account

__all__ = [
    "APPEALED",
    "Held",
    "Waiting",
    "about",
    "appeal",
    "held",
    "settle",
    "waiting",
    "waiting_count",
]

APPEALS_PER_ACCOUNT = limits.parse("5/hour")
MOST_WAITING = 50
SUBJECTS = {
    Kind.SUSPENDED: "Appeal: the account is suspended",
    Kind.EARNING_PAUSED: "Appeal: earning is paused",
}
"""For those who answer."""


@dataclass(frozen=True, slots=True)
class Held:
    """A restriction in force, and the latest appeal against it."""

    id: UUID
    kind: Kind
    reason: str
    """What an admin wrote, or a key of the catalogue."""
    grounds: tuple[str, ...]
    """The rules that decided it, where nobody did."""
    since: datetime
    appeal: Latest | None
    answer: str = ""
    """What support said last to that appeal."""


def about(restriction_id: UUID) -> str:
    return f"restriction:{restriction_id}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """An appeal that nobody has decided on."""

    number: int
    account_id: UUID
    name: str
    kind: Kind
    said: tuple[str, ...]
    """What it began with, and what was added last."""
    asked_at: datetime


WAITING: LiteralString = f"""
select ticket.number, account.id, account.display_name, held.kind, {SAID}, ticket.created_at
from support_tickets ticket join accounts account on account.id = ticket.account_id
    join account_restrictions held on 'restriction:' || held.id = ticket.about
        and held.account_id = account.id
where ticket.status = 'open' and starts_with(ticket.about, 'restriction:')
order by ticket.number limit %(limit)s
"""  # noqa: S608  (both parts are ours)
COUNT: LiteralString = """
select count(*) from (select from support_tickets
    where status = 'open' and starts_with(about, 'restriction:') limit 1000) as waiting
"""


async def waiting(session: AsyncSession) -> list[Waiting]:
    """What has waited longest comes first."""
    found = await rows(session, WAITING, {"limit": MOST_WAITING, "additions": MOST_ADDITIONS})
    return [
        Waiting(number, account_id, name, Kind(kind), tuple(said), asked_at)
        for number, account_id, name, kind, said, asked_at in found
    ]


async def waiting_count(session: AsyncSession) -> int:
    """So many wait, counted up to a thousand."""
    return (await rows(session, COUNT, {}))[0][0]


async def settle(
    session: AsyncSession,
    restriction_id: UUID,
    account_id: UUID,
    reason: str,
    *,
    by: UUID,
    now: datetime,
) -> None:
    """The restriction has ended, and with it every appeal against it; their letter says so."""
    await inbox.settle(session, about(restriction_id), lambda _: reason, by=by, now=now)
    live.announce_after(session, APPEALED, str(account_id))


async def held(session: AsyncSession, account_id: UUID) -> list[Held]:
    """What holds the account now, the latest first."""
    found = await restrictions.open_of(session, account_id)
    appeals = await service.latest_about(session, account_id, [about(one.id) for one in found])
    answers = {
        known: await repository.latest_answer(session, account_id, appeal.number)
        for known, appeal in appeals.items()
    }
    return [
        Held(
            one.id,
            Kind(one.kind),
            one.reason,
            tuple(one.grounds),
            one.begun_at,
            appeals.get(about(one.id)),
            answers.get(about(one.id), ""),
        )
        for one in found
    ]


async def appeal(
    session: AsyncSession, actor: Actor, restriction_id: UUID, message: str, *, now: datetime
) -> int:
    """The ticket's number; while an appeal against the same is open, it is that one."""
    # Whoever lifts it locks the same: an appeal comes before that and is settled, or is refused.
    await lock_row(session, Account, actor.user_id)
    own = {one.id: one for one in await restrictions.open_of(session, actor.user_id)}
    if restriction_id not in own:
        raise rules.NothingToAppeal
    rules.cleaned(message, least=rules.SHORTEST_APPEAL, field="message")
    await limits.spend(APPEALS_PER_ACCOUNT, "appeal", str(actor.user_id))
    number = await service.open_ticket(
        session,
        actor.user_id,
        SUBJECTS[Kind(own[restriction_id].kind)],
        message,
        about=about(restriction_id),
        now=now,
    )
    live.announce_after(session, APPEALED, str(actor.user_id))
    return number
