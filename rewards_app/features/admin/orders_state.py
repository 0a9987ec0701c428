"""The orders as admins search them, the one that is looked into, and its refund."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments
from rewards_app.core.state import AppState
from rewards_app.core.stretches import read_again, so_many
from rewards_app.core.told import then_show
from rewards_app.features.admin.state import LONGEST_SEARCH, AdminState
from rewards_app.features.shop import back_office
from rewards_app.features.shop.back_office import Order, Orders, Search, Story
from rewards_app.features.shop.catalogue import currency_name
from rewards_app.features.shop.rules import Status


class OrderDeskState(AppState):
    is_loaded: bool = False
    search: str = ""
    """A purchase code, a buyer's whole id, or what an email or a name begins with."""
    status: str = ""
    """Empty: of every status."""
    round: int = 0
    """Another one when another search is set than was typed: its field begins anew."""
    orders: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    """Older orders come before this one; empty where there are none."""
    order: dict[str, Any] = {}
    """The one that is looked into."""
    story: list[dict[str, Any]] = []
    """What happened to it, in order."""

    @allow(Role.ADMIN)
    async def load(self):
        """All orders, or those of whom the address names."""
        wanted = self._query.get("search", "")
        self._begin_search(wanted.strip()[:LONGEST_SEARCH])
        self._forget()
        await self._load_newest()
        self.is_loaded = True

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Orders have changed somewhere, however far down they stand."""
        if (await self.get_state(AdminState)).tab != "orders":
            return
        await self._renew()
        if self.order:
            await self._look_into(UUID(self.order["id"]))

    @allow(Role.ADMIN)
    async def find(self, form: dict[str, str]):
        self.search = form.get("search", "").strip()
        await self._load_newest()

    @allow(Role.ADMIN)
    async def choose_status(self, status: str):
        if status and status not in set(Status):
            raise BadArguments
        self.status = status
        await self._load_newest()

    @allow(Role.ADMIN)
    async def show_all(self):
        self._begin_search("")
        await self._load_newest()

    @allow(Role.ADMIN)
    async def load_more(self, before: Identifier):
        """Older orders; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        found = await self._found(before)
        self.orders = self.orders + [_row(order) for order in found.shown]
        self.next_before = str(found.next_before or "")

    @allow(Role.ADMIN)
    async def look_into(self, order_id: Identifier):
        self._forget_refusal()
        await self._look_into(order_id)

    @allow(Role.ADMIN)
    async def close(self):
        self.order, self.story, self.refusal = {}, [], {}

    @allow(Role.ADMIN)
    async def refund(self, form: LongForm):
        """Of the order that is looked into: what was decided on is what was shown."""
        if not self.order:
            return
        self._start_work()
        yield
        order_id = UUID(self.order["id"])
        async with transaction() as session:
            reason = form.get("reason", "")
            await back_office.refund(session, self._actor, order_id, reason, now=utc_now())
        self.is_busy = False
        self._notify(
            "admin.orders.refunded_title",
            "admin.orders.refunded_gone_text"
            if self.order["is_buyer_gone"]
            else "admin.orders.refunded_text",
            name=self.order["who"],
        )
        await then_show(self._look_again)

    @allow(Role.ADMIN)
    async def send_again(self):
        """The code and the receipt of the order that is looked into, to its buyer alone."""
        if not self.order:
            return
        self._forget_refusal()
        order_id = UUID(self.order["id"])
        async with transaction() as session:
            is_given = await back_office.send_again(session, self._actor, order_id, now=utc_now())
        self._notify(
            "admin.orders.sent_title",
            "admin.orders.sent_with_code_text" if is_given else "admin.orders.sent_text",
            email=self.order["email"],
        )
        await then_show(lambda: self._look_into(order_id))

    def _begin_search(self, wanted: str) -> None:
        """What is being typed while the list still comes is not taken away."""
        if self.search != wanted or self.status:
            self.search, self.status = wanted, ""
            self.round += 1

    def _forget(self) -> None:
        self.is_loaded, self.order, self.story = False, {}, []
        self._forget_refusal()

    async def _found(self, before: UUID | None = None, *, limit: int | None = None) -> Orders:
        wanted = Search(self.search, Status(self.status) if self.status else None)
        async with transaction() as session:
            return await back_office.find(session, wanted, before=before, limit=limit)

    async def _renew(self) -> None:
        """All that is shown is read again, and what has come above it."""
        found = await self._found(limit=so_many(self.orders, back_office.A_PAGE))
        rows = [_row(order) for order in found.shown]
        orders = read_again(self.orders, rows, is_all=found.next_before is None)
        if orders:
            self.orders = orders
        else:
            self._list(found)

    async def _load_newest(self) -> None:
        self._list(await self._found())

    def _list(self, found: Orders) -> None:
        self.orders = [_row(order) for order in found.shown]
        self.next_before = str(found.next_before or "")

    async def _look_again(self) -> None:
        """The order that is looked into, and the list behind it."""
        await self._look_into(UUID(self.order["id"]))
        await self._renew()

    async def _look_into(self, order_id: UUID) -> None:
        again = self.order.get("id") == str(order_id)
        async with transaction() as session:
            told = await back_office.story(session, self._actor, order_id, again=again)
        self.order = _row(told.order) | {
            "completed": told.past.completed,
            "refunded": told.past.refunded,
            "intent": told.intent_id or "",
            "is_contested": told.is_contested,
            "said": list(told.ticket.said) if told.ticket else [],
            "ticket_status": told.ticket.status.value if told.ticket else "",
            "reason": told.refund_reason,
            "was_delivered": told.delivered_at is not None,
        }
        self.story = list(_events(told))


def _row(order: Order) -> dict[str, Any]:
    """An order as the page shows it; there is no gift code in it."""
    return {
        "id": str(order.id),
        "at": order.created_at.isoformat(),
        "who": order.name,
        "email": order.email,
        "is_buyer_gone": order.is_buyer_gone,
        "amount": order.amount,
        "name": currency_name(order.product_name, order.amount),
        "purchase_code": order.purchase_code,
        "status": order.status.value,
        "coins": order.coins,
        "ore": order.to_pay_ore,
        "provider": order.provider,
        "is_demo": order.is_demo,
        "ticket": str(order.ticket or ""),
    }


def _events(told: Story) -> Iterator[dict[str, Any]]:
    """Each with its words, `admin.story.<what>`, and when it was."""
    order, by = told.order, told.refunded_by or ""
    moments = (
        ("ordered", order.created_at),
        ("paid", told.paid_at),
        ("delivered", told.delivered_at),
        (order.status.value, told.ended_at),
        ("reported", told.ticket.created_at if told.ticket else None),
        ("taken" if told.was_taken else "returned", told.returned_at),
        ("refunded" if by else "refunded_unnamed", told.refunded_at),
    )
    happened = sorted(((at, what) for what, at in moments if at), key=lambda event: event[0])
    for at, what in happened:
        yield {"what": what, "at": at.isoformat(), "by": by}
    if order.status is Status.REFUNDING:
        yield {"what": "refunding" if by else "refunding_unnamed", "at": "", "by": by}
