"""Who attacks with generated calls: a fresh account of each role, with something to lose."""

import json
import re
import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.advertiser import company_repository, money
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.models import Advertiser
from tests.ads import the_actor
from tests.hostile.client import Answer, Browser, Tab
from tests.hostile.identities import VISITOR, a_new_email, a_visitor, comes_in
from tests.people import an_account
from tests.serving import Served
from tests.shop import earns

COINS = 300
MONEY = 500 * 100_000
UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOST_KNOWN = 200
"""Of the identifiers that pages told, the latest."""


@dataclass
class Attacker:
    """Signed in, and again whenever a call of theirs has ended their session."""

    identity: str
    served: Served
    actor: Actor | None = None
    told: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return str(self.actor.user_id) if self.actor else ""

    async def browser(self) -> Browser:
        browser = await a_visitor(self.served)
        return await comes_in(browser, self.actor.user_id) if self.actor else browser

    async def tab(self, house: AsyncExitStack, path: str = "/") -> Tab:
        browser = await self.browser()
        tab = await house.enter_async_context(browser.tab(path))
        assert tab.says("role") == self.identity
        return tab

    def is_in(self, tab: Tab) -> bool:
        """Who they are is what the tab shows, still."""
        return tab.is_open and tab.says("role") == self.identity

    def notes(self, answer: Answer) -> None:
        said = json.dumps(answer.heard, ensure_ascii=False)
        self.heard.append(said)
        self.told = list(dict.fromkeys([*self.told, *UUIDS.findall(said)]))[-MOST_KNOWN:]


async def the_attacker(identity: str, served: Served) -> Attacker:
    """Whoever they are, they came a while ago, and the newcomer's limits are over."""
    if identity == VISITOR:
        return Attacker(identity, served)
    account = await an_account(
        a_new_email("attacker"), Role(identity), name=f"Vandal {secrets.token_hex(4)}"
    )
    actor = the_actor(account)
    if actor.is_player:
        await earns(actor, COINS, now=utc_now())
    if actor.role is Role.COMPANY:
        await _owns_a_company(actor.user_id)
    return Attacker(identity, served, actor)


async def _owns_a_company(account_id: UUID) -> None:
    now = utc_now()
    made = Advertiser(
        account_id=account_id,
        company_name=f"Vandals {secrets.token_hex(4)}",
        email="vandals@example.com",
        status="approved",
        decided_at=now,
        created_at=now,
    )
    async with transaction() as session:
        session.add(made)
        await session.flush()
        owner = MemberRole.OWNER
        await company_repository.add_member(session, account_id, made.id, owner, now=now)
        await money.enter(
            session, made.id, MONEY, money.Kind.OPENING, f"opening:{made.id}", now=now
        )
