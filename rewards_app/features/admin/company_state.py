"""The company that the address names, as an admin looks into it, and the end of all it runs."""

from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.core.stretches import renewed
from rewards_app.core.told import then_show
from rewards_app.features.admin.application_rows import application_row
from rewards_app.features.admin.state import PATH, AdminState
from rewards_app.features.advertiser import addresses, campaigns, directory, top_ups
from rewards_app.features.advertiser.billing_state import EntryNumber
from rewards_app.features.advertiser.campaigns import Campaign, Campaigns, Status
from rewards_app.features.advertiser.directory import Member, Story
from rewards_app.features.advertiser.money_rows import entry_rows, top_up_row
from rewards_app.features.advertiser.review_rules import UnknownApplication
from rewards_app.features.advertiser.statement import Statement
from rewards_app.features.advertiser.top_ups import TopUp, TopUps

TAB, QUERY = "advertisers", "company"


class CompanyState(AppState):
    """`company_id` is empty while no card is open; `company` until it is known."""

    company_id: str = ""
    is_unknown: bool = False
    """There is no such company."""
    has_failed: bool = False
    company: dict[str, Any] = {}
    balance: int = 0
    """In thousandths of a cent, as are the two below."""
    set_aside: int = 0
    spent: int = 0
    members: list[dict[str, Any]] = []
    campaigns: list[dict[str, Any]] = []
    """Newest first, as are the lists below."""
    open_campaigns: int = 0
    """So many have not ended."""
    campaigns_before: str = ""
    """Older ones come before this one; empty where there are none, as below."""
    top_ups: list[dict[str, Any]] = []
    top_ups_before: str = ""
    entries: list[dict[str, Any]] = []
    entries_before: int = 0
    """0 where there are none."""
    is_asking: bool = False
    """Whether all campaigns are about to be ended."""

    @allow(Role.ADMIN)
    async def load(self):
        """Open the card that the address names, or none."""
        wanted = id_from(self._query.get(QUERY, ""))
        self._forget()
        if wanted:
            await self._open(wanted)

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Something about companies has changed somewhere: what is shown is read again."""
        if self.company and (await self.get_state(AdminState)).tab == TAB:
            try:
                await self._load(again=True)
            except UnknownApplication:
                self._say_it_is_unknown()

    @allow(Role.ADMIN)
    async def load_more_campaigns(self, before: Identifier):
        """Older ones; asked twice for the same ones, they come once, as below."""
        if str(before) != self.campaigns_before:
            return
        async with transaction() as session:
            found = await directory.campaigns_of(
                session, self._actor, UUID(self.company_id), before=before, now=utc_now()
            )
        self._list_campaigns(found, behind=self.campaigns)

    @allow(Role.ADMIN)
    async def load_more_top_ups(self, before: Identifier):
        if str(before) != self.top_ups_before:
            return
        async with transaction() as session:
            found = await directory.top_ups_of(
                session, self._actor, UUID(self.company_id), before=before
            )
        self._list_top_ups(found, behind=self.top_ups)

    @allow(Role.ADMIN)
    async def load_more_entries(self, before: EntryNumber):
        if before != self.entries_before:
            return
        async with transaction() as session:
            found = await directory.statement_of(
                session, self._actor, UUID(self.company_id), before=before
            )
        self._list_entries(found, behind=self.entries)

    @allow(Role.ADMIN)
    async def ask_to_end_all(self):
        """What it leads to stands there before it is decided."""
        self._forget_refusal()
        self.is_asking = bool(self.open_campaigns)

    @allow(Role.ADMIN)
    async def close(self):
        self.is_asking, self.refusal = False, {}

    @allow(Role.ADMIN)
    async def end_all(self, form: LongForm):
        """Of the company that is looked into, for a reason that it reads."""
        if not self.is_asking or not self.company:
            return
        self._start_work()
        yield
        async with transaction() as session:
            count = await campaigns.end_all(
                session,
                self._actor,
                UUID(self.company_id),
                form.get("reason", ""),
                now=utc_now(),
            )
        self.is_busy, self.is_asking = False, False
        self._notify(
            "admin.company.ended_title",
            "admin.company.ended_text",
            shown=str(count),
            company=self.company["company"],
        )
        await then_show(lambda: self._load(again=True))

    async def _open(self, company_id: UUID) -> None:
        self.company_id = str(company_id)
        try:
            await self._load()
        except UnknownApplication:
            self._say_it_is_unknown()
        except Exception:
            self.has_failed = True
            raise

    async def _load(self, *, again: bool = False) -> None:
        """As much of each list as is shown, and at least its newest."""
        company_id = UUID(self.company_id)
        async with transaction() as session:
            told = await directory.look_into(session, self._actor, company_id, again=again)
            await self._load_lists(session, company_id)
        self.has_failed = False
        self.company = _company(told)
        self.balance, self.set_aside = told.funds.balance, told.funds.set_aside
        self.members = [_member(one) for one in told.members]

    async def _load_lists(self, session: AsyncSession, company_id: UUID) -> None:
        limit = max(directory.CAMPAIGNS_AT_ONCE, len(self.campaigns))
        self._list_campaigns(
            await directory.campaigns_of(
                session, self._actor, company_id, limit=limit, now=utc_now()
            )
        )
        limit = max(top_ups.A_PAGE, len(self.top_ups))
        self._list_top_ups(
            await directory.top_ups_of(session, self._actor, company_id, limit=limit)
        )
        found = await directory.statement_of(session, self._actor, company_id)
        entries = renewed(self.entries, entry_rows(found), key="number")
        if entries:
            self.entries = entries
        else:
            self._list_entries(found)

    def _list_campaigns(self, found: Campaigns, behind: list[dict[str, Any]] | None = None) -> None:
        self.campaigns = [*(behind or []), *map(_campaign, found.shown)]
        self.campaigns_before = str(found.next_before or "")
        self.spent = found.totals.spend
        self.open_campaigns = sum(
            count for status, count in found.counts.items() if status is not Status.COMPLETED
        )
        self.is_asking = self.is_asking and bool(self.open_campaigns)

    def _list_top_ups(self, found: TopUps, behind: list[dict[str, Any]] | None = None) -> None:
        self.top_ups = [*(behind or []), *map(_top_up, found.shown)]
        self.top_ups_before = str(found.next_before or "")

    def _list_entries(self, found: Statement, behind: list[dict[str, Any]] | None = None) -> None:
        self.entries = [*(behind or []), *entry_rows(found)]
        self.entries_before = found.next_before or 0

    def _say_it_is_unknown(self) -> None:
        """Also where it was known: an application that was withdrawn is gone."""
        company_id = self.company_id
        self._forget()
        self.company_id, self.is_unknown = company_id, True

    def _forget(self) -> None:
        self.company_id, self.company, self.members = "", {}, []
        self.is_unknown, self.has_failed = False, False
        self.balance = self.set_aside = self.spent = self.open_campaigns = 0
        self.campaigns, self.campaigns_before, self.is_asking = [], "", False
        self.top_ups, self.top_ups_before = [], ""
        self.entries, self.entries_before = [], 0
        self._forget_refusal()


def _company(told: Story) -> dict[str, Any]:
    company_id = told.application.id
    return application_row(told.application) | {
        "campaigns": addresses.campaigns_of_company(company_id),
        "audit": f"{PATH}?tab=audit&about=company:{company_id}",
    }


def _member(one: Member) -> dict[str, Any]:
    return {
        "name": one.name,
        "email": one.email,
        "role": one.role,
        "since": one.since.isoformat(),
        "person": f"{PATH}?tab=people&person={one.account_id}",
    }


def _campaign(one: Campaign) -> dict[str, Any]:
    return {
        "id": str(one.id),
        "name": one.plan.name,
        "card": addresses.campaigns_of_company(one.advertiser_id, search=one.plan.name),
        "status": one.status.value,
        "is_house": one.is_house,
        "budget": one.plan.budget_cents,
        "spend": one.figures.spend,
    }


def _top_up(one: TopUp) -> dict[str, Any]:
    """Whoever only looks is not led to its checkout."""
    return top_up_row(one) | {
        "url": "",
        "payer": one.payer,
        "payment": str(one.payment_id),
        "intent": one.intent,
    }
