"""Demo data for the first start, so that the first run is alive."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.accounts import demo as accounts
from rewards_app.features.accounts import service
from rewards_app.features.accounts.rules import DEMO_DOMAIN
from rewards_app.features.ads import demo as ads
from rewards_app.features.advertiser import demo as advertiser
from rewards_app.features.audit import service as audit
from rewards_app.features.forum import demo as forum
from rewards_app.features.leaderboard import demo as leaderboard
from rewards_app.features.leaderboard import service as boards
from rewards_app.features.profile import demo as profile
from rewards_app.features.shop import demo as shop

DEMO_NAMES = {
    Role.PLAYER: "PixelPilot",
    Role.COMPANY: "Fjord Audio",
    Role.MODERATOR: "FairReferee",
    Role.ADMIN: "Admin",
}
PLAYERS_CAME = timedelta(days=60)


async def seed_once() -> bool:
    """Fill an empty database with demo people, ads and codes; False when it has accounts."""
    now = utc_now()
    made: list[dict[str, str]] = []
    known: dict[Role, UUID] = {}
    async with transaction() as session:
        if await service.count_by_role(session):
            return False
        for role, name in DEMO_NAMES.items():
            # Random, and with one of each kind of character that the rules ask for.
            password = f"{secrets.token_urlsafe(9)}-7Aa"
            email = f"{role.value}@{DEMO_DOMAIN}"
            known[role] = await accounts.make_demo_account(
                session, email, name, role, password, now=now
            )
            made.append({"role": role.value, "email": email, "password": password})
        players = {profile.THE_PLAYER: known[Role.PLAYER]}
        players |= await accounts.add_players(session, now=now - PLAYERS_CAME)
        await ads.add_ads(session, now=now)
        await leaderboard.add_past(session, players, now=now)
        company = await advertiser.add_company(session, known[Role.COMPANY], now=now)
        viewers = await advertiser.add_past_of_campaigns(session, company, now=now)
        await ads.add_past(session, known[Role.PLAYER], now=now)
        await shop.add_stock(session, now=now)
        await shop.add_past(session, known[Role.PLAYER], now=now)
        await profile.add_profiles(session, players, now=now)
        people = players | {forum.THE_MODERATOR: known[Role.MODERATOR]}
        await forum.add_talk(session, people, viewers, now=now)
        await audit.record(
            session,
            None,
            audit.Action.DEMO_MADE,
            "database",
            after={"accounts": [row["email"] for row in made]},
            now=now,
        )
        # Before the commit: accounts whose passwords nobody knows would help nobody.
        _keep(made)
    await _reach(players, now=now)
    return True


async def _reach(players: Mapping[str, UUID], *, now: datetime) -> None:
    """What the past has led to: their places on the boards, and their achievements."""
    async with transaction() as session:
        await boards.fold(session, now=now)
        await profile.unlock_past(session, players, now=now)


def _keep(rows: list[dict[str, str]]) -> None:
    file = accounts_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps(rows, indent=2) + "\n")
    _shown_mark().unlink(missing_ok=True)


def accounts_file() -> Path:
    return settings().data_dir / "demo-accounts.json"


def was_shown() -> bool:
    return _shown_mark().exists()


def remember_shown() -> None:
    _shown_mark().touch()


def _shown_mark() -> Path:
    return settings().data_dir / ".demo-accounts-shown"
