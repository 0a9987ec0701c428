"""The games on a player's profile: put there, changed, taken away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.features.accounts import service as accounts
from rewards_app.features.forum import rewording
from rewards_app.features.moderation.rules import Violation
from rewards_app.features.profile import games, repository, rules, unlocking
from rewards_app.features.profile.service import CHANGED, in_turn, spend_change
from rewards_app.models import UserGame


async def games_of(session: AsyncSession, actor: Actor) -> Sequence[UserGame]:
    """The newest first."""
    return await repository.games_of(session, actor.user_id)


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A player's game as they see it."""

    game: UserGame
    found: Mapping[str, tuple[Violation, ...]]
    """Why others read each of its texts differently; empty where they don't."""


async def own_games(actor: Actor) -> list[OwnGame]:
    """The newest first; moderated once nothing of the database is held."""
    async with transaction() as session:
        account = await accounts.find(session, actor.user_id)
        assert account is not None, "an actor has an account"
        found = await games_of(session, actor)
    return await in_turn(found, lambda game: OwnGame(game, _found(game, account.language)))


def _found(game: UserGame, language: str) -> dict[str, tuple[Violation, ...]]:
    """In the player's own words: of a game of the catalogue the rest is ours."""
    own = {"title": game.title, "platform": game.platform, "description": game.description}
    texts = own if game.is_custom else dict.fromkeys(own, "")
    texts["achievements"] = game.achievements
    return {field: rules.changed_for_others(text, language) for field, text in texts.items()}


async def add(
    session: AsyncSession, actor: Actor, form: Mapping[str, str], *, now: datetime
) -> UUID:
    """What the form names, once; the third one may unlock something."""
    game = games.game_from(form)
    await spend_change(actor)
    there = await _locked(session, actor)
    if any(games.is_same(game.title, one.title) for one in there):
        raise games.GameTwice(name=game.title)
    if len(there) >= games.MOST_GAMES:
        raise games.TooManyGames(count=games.MOST_GAMES)
    made = repository.add_game(session, actor.user_id, game, now=now)
    await session.flush()
    await unlocking.check(session, [actor.user_id], now=now)
    await rewording.says_something_else(session, actor.user_id, now=now)
    return made.id


async def change(
    session: AsyncSession, actor: Actor, game_id: UUID, form: Mapping[str, str], *, now: datetime
) -> None:
    """A game of the catalogue keeps its own words; the player's are theirs to change.

    Other words than hidden ones are shown.
    """
    await spend_change(actor)
    there = await _locked(session, actor)
    game = next((one for one in there if one.id == game_id), None)
    if game is None:
        raise games.UnknownGame
    before = _words(game)
    if game.is_custom:
        _describe(game, form, there)
    else:
        known = games.BY_ID.get(game.external_game_id or "")
        rating = games.rating_from(form.get("rating", ""))
        game.rating_tenths = rating or (known.rating_tenths if known else None)
        game.achievements = games.achievements_from(form)
    game.updated_at = now
    session.add(game)
    if _words(game) == before:
        live.announce_after(session, CHANGED, str(actor.user_id))
        return
    game.hidden_at = None
    await session.flush()
    await rewording.says_something_else(session, actor.user_id, now=now)


def _words(game: UserGame) -> tuple[str, ...]:
    return game.title, game.platform, game.description, game.achievements


def _describe(game: UserGame, form: Mapping[str, str], there: Sequence[UserGame]) -> None:
    told = games.own_game_from(form)
    if any(games.is_same(told.title, one.title) for one in there if one.id != game.id):
        raise games.GameTwice(name=told.title)
    game.title, game.platform = told.title, told.platform
    game.rating_tenths = told.rating_tenths
    game.achievements, game.description = told.achievements, told.description


async def remove(session: AsyncSession, actor: Actor, game_id: UUID, *, now: datetime) -> None:
    await accounts.locked_open(session, actor.user_id)
    await rewording.begin(session, actor.user_id)
    if not await repository.remove_game(session, actor.user_id, game_id):
        raise games.UnknownGame
    await rewording.says_something_else(session, actor.user_id, now=now)


async def _locked(session: AsyncSession, actor: Actor) -> Sequence[UserGame]:
    """While a moderator decides on what is written there, its owner waits."""
    await accounts.locked_open(session, actor.user_id)
    await rewording.begin(session, actor.user_id)
    return await repository.lock_games(session, actor.user_id)
