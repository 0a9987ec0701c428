"""How profiles are written into what a page is sent: plain values, moments as text."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from rewards_app.features.accounts.face_rules import face_of
from rewards_app.features.ads.stories import Watched
from rewards_app.features.leaderboard.service import Streak
from rewards_app.features.moderation.rules import Kind, Violation
from rewards_app.features.profile.achievements import RULES, Achievement
from rewards_app.features.profile.games import BY_ID
from rewards_app.features.profile.rules import Shown
from rewards_app.features.profile.service import Figures, OwnProfile, PublicProfile, SeenGame
from rewards_app.features.profile.shelf import OwnGame
from rewards_app.features.shop.catalogue import CURRENCY_OF, PACKAGES
from rewards_app.features.shop.service import Buy

Row = dict[str, Any]
SHOWN_ROWS = 4
HIDDEN = "hidden"
"""Beside the kinds of moderation's rules: a person decided so, and said why elsewhere."""
HIDDEN_ROW = {"kind": HIDDEN, "words": ""}
WATCHED, BOUGHT, NOTHING = "watched", "bought", ""


def own_card(own: OwnProfile) -> Row:
    account = own.account
    why = own.why_hidden
    return {
        "id": str(account.id),
        "is_hidden": why is not None,
        "hidden_key": why.key if why else "",
        "hidden_note": why.note if why else "",
        "handle": own.handle,
        "username": account.username,
        "display_name": account.display_name,
        "face": face_of(account.id, account.display_name),
        "member_since": account.created_at.isoformat(),
        "bio": own.bio,
        "is_public": own.is_public,
        "waits_for_guardian": own.waits_for_guardian,
        "level": own.balance.level,
        "into_level": own.into_level,
        "ads": own.balance.ads,
        "earned": own.balance.total,
        "spent": own.spent,
        "held": own.balance.held,
        "expired": own.expired,
        "balance": own.balance.balance,
        **days_in_a_row(own.streak),
        "unlocked": sum(one.unlocked_at is not None for one in own.achievements),
    }


def days_in_a_row(streak: Streak) -> Row:
    return {"streak": streak.days, "best_streak": streak.best}


def violation_rows(found: Iterable[Violation]) -> list[Row]:
    """Of what nobody else sees it matters no more what others would read in it."""
    rows = [{"kind": one.kind.value, "words": ", ".join(one.words)} for one in found]
    unseen = [row for row in rows if row["kind"] == Kind.SELF_HARM]
    return unseen or rows


def bio_rows(own: OwnProfile) -> list[Row]:
    """Why others don't read it as it was written."""
    found = violation_rows(own.violations)
    return [HIDDEN_ROW] if own.is_bio_hidden and not _tells_of_help(found) else found


def _tells_of_help(found: list[Row]) -> bool:
    """Whatever else was decided, who wrote it reads where help is."""
    return found[:1] != [] and found[0]["kind"] == Kind.SELF_HARM


def achievement_rows(unlocked: Mapping[str, datetime], progress: Mapping[str, int]) -> list[Row]:
    return [_achievement(one, unlocked.get(one.value), progress.get(one, 0)) for one in RULES]


def _achievement(one: Achievement, at: datetime | None, progress: int) -> Row:
    goal = RULES[one].goal
    return {
        "key": one.value,
        "unlocked_at": at.isoformat() if at else "",
        "progress": progress,
        "goal": goal,
    }


def counted_on(achievements: Iterable[Row], streak: Streak) -> list[Row]:
    """The rows as they are, but for those that count days in a row."""
    goals = {one.value: rule.goal for one, rule in RULES.items() if rule.counts == "best_streak"}
    return [
        row | {"progress": min(streak.best, goals[row["key"]])} if row["key"] in goals else row
        for row in achievements
    ]


def _game_row(kept: OwnGame | SeenGame) -> Row:
    game = kept.game
    known = BY_ID.get(game.external_game_id or "")
    return {
        "id": str(game.id),
        "game": game.external_game_id or "",
        "title": game.title,
        "platform": known.platform if known else game.platform,
        "genre": known.genre if known else game.genre,
        "is_custom": game.is_custom,
        "rating": game.rating_tenths or 0,
        "achievements": game.achievements,
        "description": game.description,
    }


def own_game_row(own: OwnGame) -> Row:
    """As it was written, with what moderation found in each of its texts."""
    found = {field: violation_rows(violations) for field, violations in own.found.items()}
    if own.game.hidden_at:
        hidden = "title" if own.game.is_custom else "achievements"
        hidden_rows = {field: [HIDDEN_ROW] if field == hidden else [] for field in found}
        found = {
            field: rows if _tells_of_help(rows) else hidden_rows[field]
            for field, rows in found.items()
        }
    return _game_row(own) | {"found": found}


def seen_game_row(seen: SeenGame) -> Row:
    """As others read it: what was removed is named, the rest is text."""
    removed = {f"{field}_removed": shown.removed for field, shown in _texts(seen).items()}
    if not seen.game.is_custom:
        texts = {"achievements": seen.achievements.text}
    else:
        texts = {field: shown.text for field, shown in _texts(seen).items()}
    return _game_row(seen) | {"id": ""} | texts | removed


def _texts(seen: SeenGame) -> dict[str, Shown]:
    return {
        "title": seen.title,
        "platform": seen.platform,
        "description": seen.description,
        "achievements": seen.achievements,
    }


def public_card(seen: PublicProfile) -> Row:
    return {
        "id": str(seen.account_id),
        "display_name": seen.name,
        "face": seen.face,
        "handle": seen.handle,
        "is_own": seen.is_own,
        "is_private": seen.is_private,
        "member_since": seen.member_since.isoformat(),
        **figures(seen),
        "bio": seen.bio.text,
        "bio_removed": seen.bio.removed,
        "unlocked": len(seen.unlocked),
    }


def figures(seen: PublicProfile | Figures) -> Row:
    """What moves while others earn."""
    return {"level": seen.level, "rank": seen.rank or 0, "streak": seen.streak}


def activity_rows(watched: list[Watched], buys: list[Buy]) -> list[Row]:
    """Ads and purchases, the newest first; always four rows."""
    happened = sorted([*watched, *buys], key=lambda one: one.at, reverse=True)
    rows = [_watched(one) if isinstance(one, Watched) else _bought(one) for one in happened]
    return [*rows, *(_row(NOTHING) for _ in range(SHOWN_ROWS - len(rows)))]


def _row(what: str, **values: Any) -> Row:
    nothing = {"title": "", "tint": "", "amount": 0, "coins": 0, "at": ""}
    return {"what": what} | nothing | values


def _watched(one: Watched) -> Row:
    return _row(WATCHED, title=one.title, coins=one.coins, at=one.at.isoformat())


def _bought(buy: Buy) -> Row:
    currency, package = CURRENCY_OF.get(buy.package_id), PACKAGES.get(buy.package_id)
    return _row(
        BOUGHT,
        title=currency.name if currency else buy.product_name,
        tint=currency.tint if currency else "",
        amount=package.amount if package else 0,
        coins=-buy.coins,
        at=buy.at.isoformat(),
    )
