"""The orders of a player: what became of each, and what can be done about it."""

from typing import Any
from uuid import UUID

from rewards_app.core.access import Entry, Identifier, allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import id_from
from rewards_app.core.state import AppState
from rewards_app.core.stretches import read_again, so_many
from rewards_app.core.told import then_shown
from rewards_app.features.shop import rules, service
from rewards_app.features.shop.service import Orders
from rewards_app.features.shop.state import order_row


class OrdersState(AppState):
    is_loaded: bool = False
    orders: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    """Older orders come before this one; empty where there are none."""
    came_back_to: str = ""
    """The order whose checkout the player has just come from."""
    has_left: bool = False
    """They came from it without having paid: it is being closed."""

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def load(self):
        # What is said in other people's tickets does not concern this tab.
        self._care_for(str(self._actor.user_id))
        await self._load_newest()
        self.is_loaded = True
        self.came_back_to, self.has_left = "", False
        asked = self._query
        order_id, came = id_from(asked.get("order", "")), asked.get("came", "")
        if order_id and came in ("paid", "cancelled"):
            self.came_back_to, self.has_left = str(order_id), came == "cancelled"
            come_back: Any = OrdersState.come_back
            return come_back(str(order_id), self.has_left)
        return None

    @allow(*PLAYING_ROLES, passive=True, even_suspended=True)
    async def refresh(self):
        """An order has changed, or what was asked about it, however far down it stands."""
        await self._renew()

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def load_more(self, before: Identifier):
        """Older orders; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        async with transaction() as session:
            found = await service.orders(session, self._actor, before=before)
        self.orders = self.orders + [order_row(order) for order in found.shown]
        self.next_before = str(found.next_before or "")

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def come_back(self, order_id: Identifier, has_cancelled: bool):
        """From the checkout: ask at once what became of the payment, or close it."""
        async with then_shown(self._renew):
            await service.come_back(self._actor, order_id, has_cancelled=has_cancelled)

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def look_again(self, order_id: Identifier):
        await service.look_again(self._actor, order_id)
        await self._renew()

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def cancel(self, order_id: Identifier):
        self.is_busy = True
        yield
        text = rules.cancelled_text(self.orders, order_id)
        async with then_shown(self._renew):
            await service.cancel(self._actor, order_id)
            self._notify("orders.cancelled_title", text)
        self.is_busy = False

    async def _load_newest(self) -> None:
        async with transaction() as session:
            self._list(await service.orders(session, self._actor))

    async def _renew(self) -> None:
        """All that is shown is read again, and what has come above it."""
        limit = so_many(self.orders, service.A_PAGE)
        async with transaction() as session:
            found = await service.orders(session, self._actor, limit=limit)
        rows = [order_row(order) for order in found.shown]
        orders = read_again(self.orders, rows, is_all=found.next_before is None)
        if orders:
            self.orders = orders
        else:
            self._list(found)

    def _list(self, found: Orders) -> None:
        self.orders = [order_row(order) for order in found.shown]
        self.next_before = str(found.next_before or "")


class ProblemState(AppState):
    """'Something is wrong' with an order: a ticket."""

    order_id: str = ""
    product: str = ""

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def ask(self, order_id: Identifier, product: str):
        self._forget_refusal()
        self.order_id, self.product = str(order_id), product

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def send(self, message: Entry):
        self._start_work()
        yield
        async with transaction() as session:
            if not self.order_id:
                raise rules.UnknownPurchase
            number = await service.report(
                session, self._actor, UUID(self.order_id), message, now=utc_now()
            )
        self.is_busy = False
        self.order_id = ""
        self._notify("orders.reported_title", "orders.reported_text", number=str(number))

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def cancel(self):
        self.order_id = ""
