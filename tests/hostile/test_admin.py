"""Behind the admin panel: no gift code for admins either, nothing for anybody else."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.access import LONGEST_ENTRY, LONGEST_SHEET
from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from rewards_app.features.shop import service
from tests.ads import the_actor
from tests.beside import beside
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Diary, Vault
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import a_new_email
from tests.people import an_account
from tests.serving import Served
from tests.shop import PRICE, THE_PACKAGE, buys, earns, orders_of, stock

ADMIN = f"{APP}.rewards_app___features___admin___state____admin_state"
DESK = f"{APP}.rewards_app___features___admin___orders_state____order_desk_state"
SHELF = f"{APP}.rewards_app___features___admin___stock_state____stock_state"
KEPT = ("purchases", "gift_codes", "payments", "coin_entries", "coin_holds")

BAD: dict[str, list[dict[str, Any]]] = {
    f"{DESK}.look_into": [
        {"order_id": value}
        for value in (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
    ],
    f"{DESK}.load_more": [{"before": value} for value in (-1, True, "", "' or 1=1 --")],
    f"{DESK}.find": [
        {"form": value}
        for value in (PLANTED, 5, {"search": 5}, {"search": "x" * 301}, {"search": "a\0"})
    ],
    f"{DESK}.choose_status": [{"status": value} for value in (5, None, "stolen", ["waiting"])],
    f"{DESK}.refund": [
        {"form": value}
        for value in (PLANTED, {"reason": ["because"]}, {"reason": "x" * (LONGEST_ENTRY + 1)})
    ],
    f"{SHELF}.bring_in": [
        {"sheet": value}
        for value in (5, None, [PLANTED], f"{PLANTED}\0", "\ud800", "x" * (LONGEST_SHEET + 1))
    ],
}


@dataclass(frozen=True)
class Sold:
    order_id: str
    purchase_code: str
    code: str


@pytest.fixture(scope="module")
async def sold(served: Served) -> Sold:
    async with beside(served):
        account = await an_account(a_new_email("buyer"), name="Maja", now=utc_now())
        maja = the_actor(account)
        await earns(maja, PRICE, now=utc_now())
        await stock()
        bought = await buys(maja, PRICE, now=utc_now())
        [order] = await orders_of(maja)
        code = await service.code_of(maja, bought.purchase_id)
    return Sold(str(order.id), order.purchase_code, code)


def traces(vault: Vault) -> dict[str, int]:
    return {table: vault.one(f"select count(*) from {table}") for table in KEPT}  # pyright: ignore


class TestAnAdmin:
    async def test_is_never_told_a_gift_code(self, known: dict[str, Browser], sold: Sold):
        async with known["admin"].tab("/admin?tab=orders") as tab:
            await tab.call(f"{APP}.enter")
            await tab.call(f"{DESK}.find", {"form": {"search": sold.purchase_code}})
            await tab.call(f"{DESK}.look_into", {"order_id": sold.order_id})
            await tab.call(f"{SHELF}.load")
            heard = tab.everything()
        assert sold.purchase_code in heard
        assert sold.code not in heard
        answer = await known["admin"].get(f"/orders/{sold.order_id}/code")
        assert answer.status_code == 404
        assert sold.code not in answer.text

    async def test_who_brings_a_sheet_in_hears_nothing_of_it_again_and_nor_does_the_log(
        self, known: dict[str, Browser], diary: Diary
    ):
        mark = f"SECRET-{new_id().hex}"
        sheet = f"package,code\n{THE_PACKAGE},{mark}\nnothing,{mark}-2\n"
        async with known["admin"].tab("/admin?tab=stock") as tab:
            answer = await tab.call(f"{SHELF}.bring_in", {"sheet": sheet})
            assert answer.after["problem_count"] == 1
            good = await tab.call(f"{SHELF}.bring_in", {"sheet": sheet.split("nothing")[0]})
            assert good.after["imported"] == 1
            assert mark not in tab.everything()
        assert not diary.gives_away(mark)

    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], vault: Vault, name: str
    ):
        payloads = [*BAD[name], {}, {"order_id": str(UUID(int=7)), "role": "admin"}]
        await are_refused(known["admin"], "/admin", name, payloads, kept=lambda: traces(vault))

    async def test_cannot_send_more_than_the_socket_takes(self, known: dict[str, Browser]):
        async with known["admin"].tab("/admin") as tab:
            answer = await tab.call(f"{SHELF}.bring_in", {"sheet": "x" * 700_000})
        assert not answer.socket_stays_open


class TestAnybodyElse:
    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_learns_nothing_of_orders_and_refunds_none(
        self, known: dict[str, Browser], vault: Vault, sold: Sold, identity: str
    ):
        async with known[identity].tab("/admin") as tab:
            for name, payload in (
                (f"{ADMIN}.open", {}),
                (f"{DESK}.load", {}),
                (f"{DESK}.look_into", {"order_id": sold.order_id}),
                (f"{DESK}.refund", {"form": {"reason": "I want it"}}),
                (f"{SHELF}.bring_in", {"sheet": f"package,code\n{THE_PACKAGE},AAAA-1111"}),
            ):
                assert name in DECLARED
                assert (await tab.call(name, payload)).is_refusal
            heard = tab.everything()
        assert sold.purchase_code not in heard
        assert json.dumps(sold.code) not in heard
        status = vault.one("select status from purchases where id = %s", sold.order_id)
        assert status == "completed"
