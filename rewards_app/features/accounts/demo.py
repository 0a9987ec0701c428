"""Players who talk and compete in the demo. Nobody signs in as one: they have no password."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import handles
from rewards_app.features.accounts.rules import DEMO_DOMAIN
from rewards_app.features.accounts.service import DEMO_BIRTH_DATE
from rewards_app.models import Account


@dataclass(frozen=True, slots=True)
class DemoPlayer:
    handle: str
    name: str
    language: str
    country: str


PLAYERS = (
    DemoPlayer("demo_novafalke", "NovaFalke", "de", "DE"),
    DemoPlayer("demo_lunarox", "LunaRox", "en", "IE"),
    DemoPlayer("demo_zimnywilk", "ZimnyWilk", "pl", "PL"),
    DemoPlayer("demo_bytebjorn", "ByteBjörn", "sv", "SE"),
    DemoPlayer("demo_reinasombra", "ReinaSombra", "es", "ES"),
    DemoPlayer("demo_pixelrenard", "PixelRenard", "fr", "FR"),
    DemoPlayer("demo_tihiylis", "ТихийЛис", "ru", "EE"),
    DemoPlayer("demo_lupoveloce", "LupoVeloce", "it", "IT"),
    DemoPlayer("demo_skogsraven", "SkogsRäven", "sv", "SE"),
    DemoPlayer("demo_craftqueen", "CraftQueenMia", "en", "NL"),
    DemoPlayer("demo_kaffeepause", "KaffeePause", "de", "AT"),
    DemoPlayer("demo_dropzonedan", "DropZoneDan", "en", "MT"),
    DemoPlayer("demo_visitor", "Robux4Everyone", "en", "SE"),
)


async def add_players(
    session: AsyncSession, players: Sequence[DemoPlayer] = PLAYERS, *, now: datetime
) -> dict[str, UUID]:
    """Their accounts, by their handles; each name says that it is the demo's."""
    accounts = {player.handle: _account(player, now) for player in players}
    session.add_all(accounts.values())
    await session.flush()
    for handle, account in accounts.items():
        await handles.claim(session, account.id, handle)
    return {handle: account.id for handle, account in accounts.items()}


def _account(player: DemoPlayer, now: datetime) -> Account:
    return Account(
        email=f"{player.handle}@{DEMO_DOMAIN}",
        email_verified_at=now,
        password_changed_at=now,
        birth_date=DEMO_BIRTH_DATE,
        age_verified_at=now,
        username=player.handle,
        display_name=f"{player.name} (demo)",
        language=player.language,
        country=player.country,
        created_at=now,
    )
