"""The people of the demo: those to sign in as, and others who talk, compete and have watched ads.

Nobody signs in as one of the others: they have no password.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from rewards_app.core import hashing, live
from rewards_app.core.actor import Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import handles, repository, sessions
from rewards_app.features.accounts.rules import DEMO_DOMAIN
from rewards_app.features.legal import service as legal
from rewards_app.models import Account

DEMO_BIRTH_DATE = "1998-05-17"


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


async def make_demo_account(
    session: AsyncSession, email: str, name: str, role: Role, password: str, *, now: datetime
) -> UUID:
    """An account with a verified email and of age, for trying the app out; its id."""
    account_id = new_id()
    await repository.add_account(
        session,
        Account(
            id=account_id,
            email=email,
            email_verified_at=now,
            password_hash=await hashing.hashed(password),
            password_changed_at=now,
            birth_date=DEMO_BIRTH_DATE,
            age_verified_at=now,
            role=role.value,
            username=name,
            display_name=name,
            created_at=now,
        ),
    )
    await legal.note_reading(session, account_id, at_sign_up=True, now=now)
    live.announce_after(session, sessions.ACCOUNT_ADDED)
    return account_id


async def make_demo_viewers(
    session: AsyncSession, born: Sequence[date], *, now: datetime
) -> list[UUID]:
    """Players who have watched ads in the past; without a password nobody signs in as one."""
    viewers = [
        Account(
            email=f"viewer-{number}@{DEMO_DOMAIN}",
            email_verified_at=now,
            password_changed_at=now,
            birth_date=birth.isoformat(),
            age_verified_at=now,
            username=f"demo_viewer_{number}",
            display_name=f"Demo viewer {number}",
            created_at=now,
        )
        for number, birth in enumerate(born, start=1)
    ]
    session.add_all(viewers)
    await session.flush()
    for viewer in viewers:
        await handles.claim(session, viewer.id, viewer.username)
    return [viewer.id for viewer in viewers]


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
