"""The stock of gift codes: what is left of each package, and what a sheet would bring in."""

from typing import Any

from rewards_app.core.access import Sheet, allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.admin.state import AdminState
from rewards_app.features.shop import back_office, stock
from rewards_app.features.shop.catalogue import CURRENCY_OF, PACKAGES
from rewards_app.features.shop.stock import Imported, Level

MOST_SHOWN = 50


class StockState(AppState):
    """The sheet itself is never kept: its codes are secrets."""

    is_loaded: bool = False
    levels: list[dict[str, Any]] = []
    free: int = 0
    running_low: int = 0
    sold_out: int = 0
    withheld: int = 0
    imported: int = 0
    """How many codes the last sheet brought in."""
    problems: list[dict[str, Any]] = []
    """What is wrong with the last sheet, line by line."""
    problem_count: int = 0
    done: str = ""
    """Another one after each sheet that came in: the page forgets its text."""

    @allow(Role.ADMIN)
    async def load(self):
        self._show_result(Imported(0, ()))
        await self._load_levels()
        self.is_loaded = True

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Codes were bought or brought in somewhere."""
        if (await self.get_state(AdminState)).tab == "stock":
            await self._load_levels()

    @allow(Role.ADMIN)
    async def bring_in(self, sheet: Sheet):
        self.is_busy = True
        self._show_result(Imported(0, ()))
        yield
        async with transaction() as session:
            imported = await back_office.import_codes(session, self._actor, sheet, now=utc_now())
        self.is_busy = False
        self._show_result(imported)
        if imported.count:
            self.done = str(new_id())
            await then_show(self._load_levels)

    def _show_result(self, imported: Imported) -> None:
        self.imported = imported.count
        self.problem_count = len(imported.problems)
        self.problems = [
            {"line": one.line, "key": one.code_key, "params": dict(one.params)}
            for one in imported.problems[:MOST_SHOWN]
        ]

    async def _load_levels(self) -> None:
        async with transaction() as session:
            levels = await stock.levels(session)
        self.levels = [_row(level) for level in levels]
        self.free = sum(level.free for level in levels)
        self.running_low = sum(stock.is_running_low(level) for level in levels)
        self.sold_out = sum(level.is_sold_out for level in levels)
        self.withheld = sum(level.withheld for level in levels)


def _row(level: Level) -> dict[str, Any]:
    package, currency = PACKAGES.get(level.package_id), CURRENCY_OF.get(level.package_id)
    return {
        "package_id": level.package_id,
        "is_sold": level.is_sold,
        "amount": package.amount if package else 0,
        "name": currency.name if currency else "",
        "game": currency.game if currency else "",
        "free": level.free,
        "demo": level.demo,
        "reserved": level.reserved,
        "delivered": level.delivered,
        "is_low": stock.is_running_low(level),
    }
