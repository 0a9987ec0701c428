"""Games that players show: the ten built-in ones, and those that they describe themselves. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from rewards_app.core.errors import DomainError, Faults, FieldRefused
from rewards_app.features.advertiser.fields import line_from, text_from

MOST_GAMES = 50
LONGEST_TITLE = 60
LONGEST_PLATFORM = 40
LONGEST_DESCRIPTION = 500
LONGEST_ACHIEVEMENTS = 300
TENTHS = 10
LEAST_RATING, BEST_RATING = 10, 50
"""In tenths of a star."""
RATINGS = tuple(range(BEST_RATING, LEAST_RATING - 1, -5))
"""What a player chooses from."""


@dataclass(frozen=True, slots=True)
class CatalogueGame:
    """`platform` and `genre` name words of the catalogues, under `games.`; so does the id."""

    id: str
    title: str
    platform: str
    genre: str
    rating_tenths: int


MULTI, PC = "multi", "pc"
PLATFORMS = {MULTI: "Multi-platform", PC: "PC"}
GENRES = {
    "battle_royale": "Battle Royale",
    "platform": "Creation platform",
    "shooter": "Shooter",
    "sandbox": "Sandbox",
    "tactical": "Tactical shooter",
    "moba": "MOBA",
    "hero": "Hero shooter",
    "rpg": "Action RPG",
    "sports": "Sports",
}
"""As they are kept; a page says them in its reader's language."""

CATALOGUE = (
    CatalogueGame("fortnite", "Fortnite", MULTI, "battle_royale", 45),
    CatalogueGame("roblox", "Roblox", MULTI, "platform", 44),
    CatalogueGame("call_of_duty", "Call of Duty", MULTI, "shooter", 43),
    CatalogueGame("minecraft", "Minecraft", MULTI, "sandbox", 48),
    CatalogueGame("apex_legends", "Apex Legends", MULTI, "battle_royale", 44),
    CatalogueGame("valorant", "Valorant", PC, "tactical", 46),
    CatalogueGame("league_of_legends", "League of Legends", PC, "moba", 42),
    CatalogueGame("overwatch_2", "Overwatch 2", MULTI, "hero", 41),
    CatalogueGame("genshin_impact", "Genshin Impact", MULTI, "rpg", 49),
    CatalogueGame("ea_sports_fc", "EA Sports FC", MULTI, "sports", 42),
)
BY_ID = {game.id: game for game in CATALOGUE}


class NothingChosen(DomainError):
    """Neither a game of the catalogue nor a title for one of one's own."""

    code = "games.nothing_chosen"
    title = "games.nothing_chosen_title"


class GameTwice(DomainError):
    """`name` is in the profile already."""

    code = "games.twice"
    title = "games.not_added_title"


class TooManyGames(DomainError):
    """`count` is the most that a profile shows."""

    code = "games.too_many"
    title = "games.not_added_title"


class UnknownGame(DomainError):
    """No such game in this player's profile: removed, or somebody else's."""

    code = "games.unknown"


class BadRating(FieldRefused):
    code = "games.bad_rating"


@dataclass(frozen=True, slots=True)
class Described:
    """A game as its profile keeps it."""

    title: str
    platform: str
    genre: str
    is_custom: bool
    rating_tenths: int | None
    achievements: str
    description: str
    external_game_id: str | None


def game_from(form: Mapping[str, str]) -> Described:
    """What was chosen or described; a game of the catalogue takes precedence."""
    chosen = BY_ID.get(form.get("game", ""))
    if chosen:
        return Described(
            title=chosen.title,
            platform=PLATFORMS[chosen.platform],
            genre=GENRES[chosen.genre],
            is_custom=False,
            rating_tenths=chosen.rating_tenths,
            achievements="",
            description="",
            external_game_id=chosen.id,
        )
    if not form.get("title", "").strip():
        raise NothingChosen
    return own_game_from(form)


def own_game_from(form: Mapping[str, str]) -> Described:
    """A game that its player describes."""
    with Faults(form) as faults:
        return Described(
            title=faults.field(line_from, "title", longest=LONGEST_TITLE),
            platform=faults.read(platform_from, form),
            genre="",
            is_custom=True,
            rating_tenths=faults.read(rating_from, form.get("rating", "")),
            achievements=faults.read(achievements_from, form),
            description=faults.field(text_from, "description", longest=LONGEST_DESCRIPTION),
            external_game_id=None,
        )


def platform_from(form: Mapping[str, str]) -> str:
    raw = form.get("platform", "")
    return line_from(raw, "platform", longest=LONGEST_PLATFORM, required=False)


def achievements_from(form: Mapping[str, str]) -> str:
    return text_from(form.get("achievements", ""), "achievements", longest=LONGEST_ACHIEVEMENTS)


def rating_from(raw: str) -> int | None:
    """None where nobody rated it."""
    if not raw.strip():
        return None
    if raw not in map(str, RATINGS):
        raise BadRating("rating")
    return int(raw)


def is_same(title: str, other: str) -> bool:
    return " ".join(title.casefold().split()) == " ".join(other.casefold().split())
