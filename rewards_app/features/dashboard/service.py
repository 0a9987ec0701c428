"""What the homes show: of the person's own, and of everybody's."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import StorageAway
from rewards_app.features.accounts import mailed_links
from rewards_app.features.accounts import service as accounts
from rewards_app.features.accounts.password_rules import PasswordAge
from rewards_app.features.ads import standings
from rewards_app.features.ads.rules import break_until
from rewards_app.features.advertiser import membership
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import into_level
from rewards_app.features.dashboard.rules import Platform, rewards_for
from rewards_app.features.shop import service as shop

_log = structlog.get_logger(__name__)

NEWCOMERS_WITHIN = timedelta(days=7)
COUNT_ORDERS_EVERY_SECONDS = 30.0
"""Whatever was heard of them."""
RESTS_FOR_EACH_SECOND = 50
"""So that counting many takes a fiftieth of the time at most."""


@dataclass(frozen=True, slots=True)
class OwnAccount:
    username: str
    email: str
    member_since: datetime
    signed_in_at: datetime
    open_sessions: int


@dataclass(frozen=True, slots=True)
class Census:
    """How many there are, counted when asked."""

    players: int
    """Moderators, too, as wherever players are counted."""
    companies: int
    """Approved ones: whoever acts for one has any role."""
    admins: int
    newcomers: int
    open_sessions: int


async def own_account(session: AsyncSession, actor: Actor, *, now: datetime) -> OwnAccount:
    account = await accounts.find(session, actor.user_id)
    assert account is not None, "an actor has an account"
    return OwnAccount(
        username=account.username,
        email=account.email,
        member_since=account.created_at,
        signed_in_at=actor.signed_in_at,
        open_sessions=await accounts.open_sessions(session, now=now, account_id=account.id),
    )


async def census(session: AsyncSession, *, now: datetime) -> Census:
    counts = await accounts.count_by_role(session)
    return Census(
        players=await accounts.players(),
        companies=await membership.companies(session),
        admins=counts.get(Role.ADMIN, 0),
        newcomers=await accounts.sign_ups_since(session, now - NEWCOMERS_WITHIN),
        open_sessions=await accounts.open_sessions(session, now=now),
    )


@dataclass(frozen=True, slots=True)
class OwnDay:
    """A player's day, and what it adds to."""

    ads_today: int
    left_today: int
    coins_today: int
    ads_watched: int
    total: int
    level: int
    into_level: int
    """Coins since this level began."""
    rests_until: datetime | None
    """When somebody under 18 may go on after a break."""


async def own_day(actor: Actor, *, now: datetime) -> OwnDay:
    standing = await standings.standing(actor.user_id, now=now)
    balance = await coins.balance_of(actor.user_id)
    sitting = await standings.sitting_of(actor.user_id, now=now)
    return OwnDay(
        ads_today=standing.ads_today,
        left_today=standing.left_today,
        coins_today=standing.coins_today,
        ads_watched=balance.ads,
        total=balance.total,
        level=balance.level,
        into_level=into_level(balance.total),
        rests_until=break_until(sitting, now=now) if sitting else None,
    )


class PlatformCount:
    """Counts everybody's figures; orders, all of which are looked at, when one has changed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._orders = 0
        self._counted_at = -math.inf
        self._took = 0.0
        self._has_changed = False

    def note_order(self) -> None:
        self._has_changed = True

    async def count(self, now: datetime) -> Platform:
        top = await coins.top_player()
        distributed = await coins.distributed()
        orders = await self._orders_if_they_can_be_counted()
        return Platform(
            players=await accounts.players(),
            ads_today=await standings.platform_ads_today(now=now),
            coins=distributed,
            rewards=rewards_for(distributed) if orders is None else orders,
            are_rewards_estimated=orders is None,
            top_name=top.name if top else "",
            top_ads=top.ads if top else 0,
        )

    def is_owed(self) -> bool:
        """Whether orders have changed that are to be counted by now."""
        age = self._clock() - self._counted_at
        return self._has_changed and age >= RESTS_FOR_EACH_SECOND * self._took

    async def _orders_if_they_can_be_counted(self) -> int | None:
        try:
            return await self._completed_orders()
        except StorageAway:
            # Then nothing else can be counted either.
            raise
        except Exception:
            _log.exception("orders.not_counted")
            return None

    async def _completed_orders(self) -> int:
        began = self._clock()
        if self.is_owed() or began - self._counted_at >= COUNT_ORDERS_EVERY_SECONDS:
            # Before counting: what changes meanwhile is counted next time.
            self._has_changed = False
            try:
                self._orders = await shop.completed()
            except Exception:
                self._has_changed = True
                raise
            self._counted_at = self._clock()
            self._took = self._counted_at - began
        return self._orders


async def password_age(actor: Actor, *, now: datetime) -> PasswordAge | None:
    return await accounts.password_age(actor.user_id, now=now)


async def mail_password_link(
    session: AsyncSession, actor: Actor, caller: Caller, *, now: datetime
) -> None:
    """Send the person a link by which they choose a new password."""
    await mailed_links.request_reset(session, actor.email, caller, now=now)
