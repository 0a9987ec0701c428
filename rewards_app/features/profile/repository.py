"""Profiles, games and achievements in the database, and the figures that achievements count."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, delete, select, update

from rewards_app.core.database import AsyncSession, lookup, rows, run
from rewards_app.features.ads.lately import first_id_of, lately
from rewards_app.features.coins.rules import level_of
from rewards_app.features.profile.achievements import Achievement, Deeds
from rewards_app.features.profile.games import Described
from rewards_app.models import Profile, UnlockedAchievement, UserGame


async def profile_of(session: AsyncSession, account_id: UUID) -> Profile:
    """Who has written nothing yet has an empty one, open to others."""
    found = await session.get(Profile, account_id, populate_existing=True)
    return found or Profile(account_id=account_id)


async def keep(
    session: AsyncSession, account_id: UUID, *, now: datetime, **values: str | bool | None
) -> None:
    row = insert(Profile).values(
        **{"account_id": account_id, "bio": "", "is_public": True, "updated_at": now} | values
    )
    await run(
        session,
        row.on_conflict_do_update(index_elements=["account_id"], set_=values | {"updated_at": now}),
    )


async def lock_games(session: AsyncSession, account_id: UUID) -> Sequence[UserGame]:
    """The player's games; whoever adds another one at the same moment waits."""
    await run(
        session,
        select(func.pg_advisory_xact_lock(func.hashtextextended(f"games:{account_id}", 0))),
    )
    return await games_of(session, account_id)


async def games_of(session: AsyncSession, account_id: UUID) -> Sequence[UserGame]:
    """The newest first."""
    query = select(UserGame).where(UserGame.account_id == account_id)
    found = await session.exec(
        query.order_by(col(UserGame.created_at).desc(), col(UserGame.id).desc())
    )
    return found.all()


def add_game(
    session: AsyncSession, account_id: UUID, game: Described, *, now: datetime
) -> UserGame:
    made = UserGame(
        account_id=account_id,
        title=game.title,
        platform=game.platform,
        genre=game.genre,
        is_custom=game.is_custom,
        rating_tenths=game.rating_tenths,
        achievements=game.achievements,
        description=game.description,
        external_game_id=game.external_game_id,
        created_at=now,
        updated_at=now,
    )
    session.add(made)
    return made


async def remove_game(session: AsyncSession, account_id: UUID, game_id: UUID) -> bool:
    removed = await session.exec(
        delete(UserGame)
        .where(col(UserGame.id) == game_id, col(UserGame.account_id) == account_id)
        .returning(col(UserGame.id))
    )
    return removed.first() is not None


async def unlocked_of(session: AsyncSession, account_id: UUID) -> dict[str, datetime]:
    """When each unlocked achievement was."""
    query = select(UnlockedAchievement.achievement, UnlockedAchievement.unlocked_at).where(
        UnlockedAchievement.account_id == account_id
    )
    return dict((await session.exec(query)).all())


async def unlock(
    session: AsyncSession, account_id: UUID, achievement: Achievement, *, now: datetime
) -> bool:
    """False when it was unlocked before, perhaps by another worker in this moment."""
    row = insert(UnlockedAchievement).values(
        account_id=account_id, achievement=achievement.value, unlocked_at=now
    )
    made = await run(
        session, row.on_conflict_do_nothing().returning(col(UnlockedAchievement.account_id))
    )
    return made.first() is not None


async def uncelebrated(account_id: UUID) -> int:
    found = await lookup(
        "select count(*) from unlocked_achievements"
        " where account_id = %s and celebrated_at is null",
        (account_id,),
    )
    return found[0] if found else 0


async def celebrate(session: AsyncSession, account_id: UUID, *, now: datetime) -> list[str]:
    """Those whose moment had not come yet; of several tabs that ask, one is told."""
    told = await session.exec(
        update(UnlockedAchievement)
        .where(
            col(UnlockedAchievement.account_id) == account_id,
            col(UnlockedAchievement.celebrated_at).is_(None),
        )
        .values(celebrated_at=now)
        .returning(col(UnlockedAchievement.achievement))
    )
    return list(told.scalars())


# Read where they are kept, for many players at once: each is one row or one short index range.
# A day that the watcher's row has not seen yet begins where the one it knows ends. Both are days as
# the limit counts them: cut by a zone that is told later, one could be made fuller than it was.
DEEDS: LiteralString = """
select person.account_id, coalesce(balance.ads, 0), coalesce(balance.total, 0),
    coalesce(streaks.best, 0), coalesce(writer.posts + writer.replies, 0),
    (select count(*) from user_games game where game.account_id = person.account_id),
    (select count(*) from (
        select 1 from purchases where purchases.account_id = person.account_id
            and purchases.status = 'completed' and purchases.coins_spent > 0 limit 1
    ) as bought),
    (select greatest(count(*) filter (where paid.rewarded_at < watcher.day_ends_at),
            count(*) filter (where paid.rewarded_at >= watcher.day_ends_at))
        from ad_views paid where paid.account_id = person.account_id
        and paid.id >= %(since)s and paid.rewarded_at >= watcher.day_starts_at),
    array(select achievement from unlocked_achievements got
        where got.account_id = person.account_id)
from unnest(%(accounts)s::uuid[]) as person (account_id)
    left join coin_balances balance using (account_id)
    left join streaks using (account_id)
    left join forum_writers writer using (account_id)
    left join watchers watcher using (account_id)
"""


@dataclass(frozen=True, slots=True)
class Known:
    """What somebody has done, and what that has unlocked; of days, the last two are looked at."""

    account_id: UUID
    deeds: Deeds
    unlocked: frozenset[str]


async def deeds_of(
    session: AsyncSession,
    accounts: Collection[UUID],
    *,
    since: datetime | None = None,
    now: datetime,
) -> list[Known]:
    """Whoever watched last long ago: `since` is when that day began."""
    values = {"accounts": list(accounts), "since": first_id_of(since) if since else lately(now)}
    return [
        Known(
            account_id,
            Deeds(
                ads=ads,
                purchases=purchases,
                best_streak=streak,
                games=games,
                posts=posts,
                best_day=day,
                level=level_of(total),
            ),
            frozenset(unlocked),
        )
        for account_id, ads, total, streak, posts, games, purchases, day, unlocked in await rows(
            session, DEEDS, values
        )
    ]


BEST_DAY: LiteralString = """
select coalesce(max(ads), 0) from (
    select count(*) as ads from ad_views
    where account_id = %(account_id)s and rewarded_at is not null
    group by (rewarded_at at time zone %(zone)s)::date
) as days
"""


async def best_day(session: AsyncSession, account_id: UUID, zone: str) -> int:
    """Most ads on one day, as the zone cuts days: of this player's index alone."""
    found = await rows(session, BEST_DAY, {"account_id": account_id, "zone": zone})
    return int(found[0][0])
