"""A player's profile: their own page, what others see of it, and what they change."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import PLAYING_ROLES, Actor
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.features.accounts import (
    face_rules,
    handles,
    name_rules,
    restriction_rules,
    restrictions,
)
from rewards_app.features.accounts import service as accounts
from rewards_app.features.ads import days, standings, stories
from rewards_app.features.ads.stories import Watched
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Balance, into_level
from rewards_app.features.forum import profiles, rewording
from rewards_app.features.forum.desk_rules import Reason
from rewards_app.features.guardians import service as guardians
from rewards_app.features.leaderboard import service as leaderboard
from rewards_app.features.leaderboard.rules import Period
from rewards_app.features.leaderboard.service import Standing, Streak
from rewards_app.features.moderation.rules import Violation
from rewards_app.features.profile import repository, rules
from rewards_app.features.profile.achievements import RULES, Achievement, Deeds
from rewards_app.features.profile.rules import Shown
from rewards_app.features.shop import service as shop
from rewards_app.features.shop.service import Buy
from rewards_app.models import Account, UserGame

CHANGED = profiles.CHANGED
CHANGES_PER_PLAYER = limits.parse("120/hour")
Read = TypeVar("Read")
LATEST = 2
"""Of the ads and of the purchases under 'Recent Activity'."""


@dataclass(frozen=True, slots=True)
class Standee:
    """One achievement in a profile."""

    achievement: Achievement
    unlocked_at: datetime | None
    progress: int


@dataclass(frozen=True, slots=True)
class OwnProfile:
    """What its owner sees. Coins: earned − spent − held − expired is the balance."""

    account: Account
    handle: str
    bio: str
    is_public: bool
    waits_for_guardian: bool
    """Until then it is private, whatever was chosen."""
    violations: tuple[Violation, ...]
    """What others don't read of the bio, and why."""
    is_bio_hidden: bool
    """A moderator decided so."""
    why_hidden: Reason | None
    """Of the bio or texts of games; None where nothing is."""
    balance: Balance
    spent: int
    standing: Standing
    streak: Streak
    achievements: list[Standee]
    watched: list[Watched]
    buys: list[Buy]

    @property
    def into_level(self) -> int:
        return into_level(self.balance.total)

    @property
    def expired(self) -> int:
        return self.balance.total - self.balance.owned - self.spent


async def own_profile(session: AsyncSession, actor: Actor, *, now: datetime) -> OwnProfile:
    account_id = actor.user_id
    account = await accounts.find(session, account_id)
    assert account is not None, "an actor has an account"
    profile = await repository.profile_of(session, account_id)
    may_be_seen = await guardians.may_be_seen(session, account_id, now=now)
    return OwnProfile(
        account=account,
        handle=await handles.handle_of(session, account_id),
        bio=profile.bio,
        is_public=profile.is_public and may_be_seen,
        waits_for_guardian=await guardians.is_missing(session, account_id, now=now),
        violations=rules.changed_for_others(profile.bio, account.language),
        is_bio_hidden=profile.hidden_at is not None,
        why_hidden=await profiles.why_hidden(session, account_id),
        balance=await coins.balance_of(account_id),
        spent=await shop.coins_spent(session, account_id),
        standing=await standing(account_id, now=now),
        streak=await leaderboard.streak(account_id, now=now),
        achievements=await _achievements(session, account_id, now=now),
        watched=await stories.latest_watched(session, account_id, limit=LATEST),
        buys=await shop.latest_buys(session, account_id, limit=LATEST),
    )


async def standing(account_id: UUID, *, now: datetime) -> Standing:
    """Of all time."""
    return await leaderboard.standing(account_id, period=Period.ALL, now=now)


async def _achievements(session: AsyncSession, account_id: UUID, *, now: datetime) -> list[Standee]:
    unlocked = await repository.unlocked_of(session, account_id)
    deeds = await _deeds(session, account_id, now=now)
    return [
        Standee(one, unlocked.get(one.value), rule.progress(deeds)) for one, rule in RULES.items()
    ]


async def _deeds(session: AsyncSession, account_id: UUID, *, now: datetime) -> Deeds:
    [known] = await repository.deeds_of(session, [account_id], now=now)
    zone = (await standings.standing(account_id, now=now)).time_zone
    best_day = await repository.best_day(session, account_id, zone or days.DEFAULT_ZONE)
    was_full = Achievement.FULL_HOUSE in known.unlocked
    return known.deeds.with_best_day(best_day, was_full=was_full)


async def describe(
    session: AsyncSession,
    actor: Actor,
    form: Mapping[str, str],
    *,
    name_before: str | None = None,
    now: datetime,
) -> None:
    """The player's name and bio, both or neither. Another bio than a hidden one is shown.

    A name that the form began with is left as it is, also where a moderator replaced it since.
    """
    await spend_change(actor)
    bio = rules.bio_from(form.get("bio", ""))
    name = form.get("display_name", "")
    try:
        is_renamed = await _rename(session, actor, name, name_before, now=now)
    except NAMES_REFUSED as refusal:
        # The same words, beside the field.
        raise type(refusal)(field="display_name", **refusal.params) from None
    await rewording.begin(session, actor.user_id)
    is_reworded = bio != (await repository.profile_of(session, actor.user_id)).bio
    if is_reworded:
        await repository.keep(session, actor.user_id, bio=bio, hidden_at=None, now=now)
    if is_reworded or is_renamed:
        await rewording.says_something_else(session, actor.user_id, now=now)


async def _rename(
    session: AsyncSession, actor: Actor, name: str, before: str | None, *, now: datetime
) -> bool:
    if name == before:
        await accounts.locked_open(session, actor.user_id)
        return False
    return await accounts.rename(session, actor.user_id, name, now=now)


async def spend_change(actor: Actor) -> None:
    """Every open tab hears of each change: nobody makes them in a loop."""
    await limits.spend(CHANGES_PER_PLAYER, "profile", str(actor.user_id))


NAMES_REFUSED: tuple[type[DomainError], ...] = (
    name_rules.NameLength,
    name_rules.NameUnreadable,
    name_rules.NameMixesAlphabets,
    name_rules.NameReserved,
    name_rules.NameNotNice,
)


async def open_or_close(
    session: AsyncSession, actor: Actor, *, is_public: bool, now: datetime
) -> None:
    await spend_change(actor)
    await accounts.locked_open(session, actor.user_id)
    if is_public:
        await guardians.refuse_without_consent(session, actor.user_id, now=now)
    await repository.keep(session, actor.user_id, is_public=is_public, now=now)
    live.announce_after(session, CHANGED, str(actor.user_id))


@dataclass(frozen=True, slots=True)
class SeenGame:
    game: UserGame
    title: Shown
    platform: Shown
    description: Shown
    achievements: Shown


@dataclass(frozen=True, slots=True)
class PublicProfile:
    """What others see. Nothing of a private one but that it is."""

    account_id: UUID
    name: str
    face: dict[str, str]
    handle: str
    is_own: bool
    is_private: bool
    member_since: datetime
    level: int
    rank: int | None
    streak: int
    bio: Shown
    games: list[SeenGame]
    unlocked: dict[str, datetime]


async def public_profile(actor: Actor, handle: str, *, now: datetime) -> PublicProfile | None:
    """None where nobody who can be shown is called so.

    Moderation comes last: however long it takes, nothing of the database is held.
    """
    async with transaction() as session:
        account = await _called(session, handle)
        if account is None or not await _is_shown(session, account):
            return None
        profile = await repository.profile_of(session, account.id)
        is_own = account.id == actor.user_id
        is_public = profile.is_public and await guardians.may_be_seen(session, account.id, now=now)
        if not is_public and not is_own:
            return _private(account, handle)
        games = await repository.games_of(session, account.id)
        unlocked = await repository.unlocked_of(session, account.id)
    figures = await figures_of(account.id, now=now)
    return PublicProfile(
        account_id=account.id,
        name=account.display_name,
        face=face_rules.face_of(account.id, account.display_name),
        handle=handle.casefold(),
        is_own=is_own,
        is_private=not is_public,
        member_since=account.created_at,
        level=figures.level,
        rank=figures.rank,
        streak=figures.streak,
        bio=Shown() if profile.hidden_at else rules.shown_to_others(profile.bio, account.language),
        games=await in_turn(_not_hidden(games), lambda game: _seen(game, account.language)),
        unlocked=unlocked,
    )


async def owner_of(session: AsyncSession, handle: str) -> UUID | None:
    """Whose page it is, shown or not."""
    account = await _called(session, handle)
    return account.id if account else None


@dataclass(frozen=True, slots=True)
class Figures:
    level: int
    rank: int | None
    streak: int


async def figures_of(account_id: UUID, *, now: datetime) -> Figures:
    return Figures(
        level=(await coins.balance_of(account_id)).level,
        rank=(await standing(account_id, now=now)).rank,
        streak=(await leaderboard.streak(account_id, now=now)).days,
    )


async def _called(session: AsyncSession, handle: str) -> Account | None:
    return await handles.account_of(session, handle) if _can_be(handle) else None


def _can_be(handle: str) -> bool:
    return 0 < len(handle) <= rules.LONGEST_HANDLE and handle.isprintable()


async def _is_shown(session: AsyncSession, account: Account) -> bool:
    """Companies and admins have no profile; a suspended account is not shown."""
    if account.role not in PLAYING_ROLES:
        return False
    held = await restrictions.in_force(session, account.id)
    return restriction_rules.Kind.SUSPENDED not in held


def _private(account: Account, handle: str) -> PublicProfile:
    return PublicProfile(
        account_id=account.id,
        name="",
        face=face_rules.NOBODY,
        handle=handle.casefold(),
        is_own=False,
        is_private=True,
        member_since=account.created_at,
        level=0,
        rank=None,
        streak=0,
        bio=Shown(),
        games=[],
        unlocked={},
    )


async def in_turn(games: Iterable[UserGame], read: Callable[[UserGame], Read]) -> list[Read]:
    """How each of them reads. Where that moderates a text anew, everybody else has a turn."""
    found: list[Read] = []
    for game in games:
        asked_before = rules.moderated.cache_info().misses
        found.append(read(game))
        if rules.moderated.cache_info().misses > asked_before:
            await asyncio.sleep(0)
    return found


def _not_hidden(games: Iterable[UserGame]) -> list[UserGame]:
    """Of a game of the catalogue only what its owner wrote is hidden."""
    return [game for game in games if not (game.hidden_at and game.is_custom)]


def _seen(game: UserGame, language: str) -> SeenGame:
    won = "" if game.hidden_at else game.achievements
    return SeenGame(
        game,
        title=rules.shown_to_others(game.title, language),
        platform=rules.shown_to_others(game.platform, language),
        description=rules.shown_to_others(game.description, language),
        achievements=rules.shown_to_others(won, language),
    )
