"""What the demo's players show of themselves: words, games, and what they have reached."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.features.profile import games, repository
from rewards_app.features.profile.achievements import newly_met

DAY = timedelta(days=1)
THE_PLAYER = "pixelpilot"


@dataclass(frozen=True, slots=True)
class Shown:
    bio: str = ""
    games: tuple[str, ...] = ()
    """Of the built-in ones."""
    own_games: tuple[Mapping[str, str], ...] = field(default_factory=tuple)


# Of the demo's player one game is missing to an achievement: the moment is theirs to try.
SHOWN: Mapping[str, Shown] = {
    THE_PLAYER: Shown(
        "I build boats in Minecraft and land badly in Fortnite. Evenings mostly, always up for a"
        " calm squad.",
        ("minecraft",),
        (
            {
                "title": "Harbour Nights",
                "platform": "PC",
                "rating": "45",
                "achievements": "All twelve lighthouses lit, no boat lost.",
                "description": "A small game about ferries that we play on Sundays.",
            },
        ),
    ),
    "demo_novafalke": Shown(
        "Apex seit Season 2, meistens abends ab acht. Ruhige Stimme, lauter Hund.",
        ("apex_legends", "valorant", "ea_sports_fc"),
    ),
    "demo_lunarox": Shown(
        "Zero Build, full volume. I collect sunsets in every game that has a sky.",
        ("fortnite", "genshin_impact", "overwatch_2"),
    ),
    "demo_zimnywilk": Shown(
        "Redstone, farmy i herbata. Serwer stoi w szafie.", ("minecraft", "league_of_legends")
    ),
    "demo_bytebjorn": Shown(
        "Bygger byar i snön med åtta vänner. Fråga mig om bastun.", ("minecraft", "roblox")
    ),
    "demo_reinasombra": Shown("Domingos en familia, sombras el resto.", ("roblox", "fortnite")),
    "demo_pixelrenard": Shown("De retour après deux ans, soyez gentils.", ("fortnite",)),
    "demo_tihiylis": Shown("Играю вечерами, хожу бесшумно.", ("genshin_impact", "valorant")),
    "demo_lupoveloce": Shown("Dieci video a colazione, poi si gioca.", ("ea_sports_fc",)),
    "demo_skogsraven": Shown("", ("fortnite", "apex_legends")),
    "demo_craftqueen": Shown("Planks, plants and a very long bridge.", ("minecraft", "roblox")),
    "demo_kaffeepause": Shown("", ("apex_legends", "overwatch_2")),
    "demo_dropzonedan": Shown("Gold rank, calm voice, snacks.", ("apex_legends",)),
}


async def add_profiles(
    session: AsyncSession, players: Mapping[str, UUID], *, now: datetime
) -> None:
    for handle, shown in SHOWN.items():
        player = players[handle]
        await repository.keep(session, player, bio=shown.bio, now=now - DAY)
        forms = [*({"game": game} for game in shown.games), *shown.own_games]
        for number, form in enumerate(forms):
            added_at = now - (len(forms) - number) * DAY
            repository.add_game(session, player, games.game_from(form), now=added_at)
    await session.flush()


async def unlock_past(session: AsyncSession, players: Mapping[str, UUID], *, now: datetime) -> None:
    """What their past has unlocked: celebrated long ago, and no news."""
    for known in await repository.deeds_of(session, list(players.values()), now=now):
        for achievement in newly_met(known.deeds, known.unlocked):
            await repository.unlock(session, known.account_id, achievement, now=now)
        await repository.celebrate(session, known.account_id, now=now)
