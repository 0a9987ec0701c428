"""Behind tickets: nobody reads, answers or closes another's, and no argument brings more."""

from typing import Any

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from tests.ads import the_actor
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Diary, Vault
from tests.hostile.handlers import short
from tests.hostile.identities import Person, a_new_email
from tests.people import an_account
from tests.serving import Served
from tests.tickets import asks

SUPPORT = f"{APP}.rewards_app___features___support___state____support_state"
DESK = f"{APP}.rewards_app___features___admin___support_state____support_desk_state"
RESETS = f"{APP}.rewards_app___features___admin___resets_state____resets_state"
ALL_THAT_IS_KEPT = """
select md5(coalesce(string_agg(line, '|' order by line), '')) from (
    select support_tickets::text as line from support_tickets union all
    select support_messages::text from support_messages union all
    select factor_resets::text from factor_resets
) as lines
"""
NO_FORMS: tuple[Any, ...] = (PLANTED, 5, None, {"message": [PLANTED]}, {"message": "x" * 30_000})
BAD: dict[str, list[dict[str, Any]]] = {
    f"{SUPPORT}.send": [{"form": value} for value in NO_FORMS],
    f"{SUPPORT}.reply": [{"form": value} for value in NO_FORMS],
    f"{SUPPORT}.load_more": [{"before": value} for value in ("1", None, 1.5, [1], {"$lt": 1})],
}
FOR_ADMINS: dict[str, dict[str, Any]] = {
    f"{DESK}.load": {},
    f"{DESK}.choose": {"status": ""},
    f"{DESK}.find": {"form": {"search": PLANTED}},
    f"{DESK}.load_more": {"after": "2026-01-01T00:00:00 1"},
    f"{DESK}.read_again": {},
    f"{DESK}.answer": {"form": {"answer": PLANTED}},
    f"{DESK}.close_ticket": {},
    f"{RESETS}.load": {},
    f"{RESETS}.grant": {"form": {"reason": PLANTED}},
    f"{RESETS}.refuse": {"form": {"reason": PLANTED}},
}


@pytest.fixture
async def maja(beside: Served) -> Actor:
    return the_actor(await an_account(a_new_email(), name="Maja", now=utc_now()))


class TestBadArguments:
    @pytest.fixture
    def eva(self, eva_all_along: Person) -> Person:
        return eva_all_along

    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_are_refused_and_change_nothing(self, eva: Person, vault: Vault, name: str):
        await are_refused(
            eva.browser,
            "/support",
            name,
            [*BAD[name], {"role": "admin"}],
            kept=lambda: vault.one(ALL_THAT_IS_KEPT),
            is_told_more=True,
        )

    @pytest.mark.parametrize("number", ["0", "-1", "1e3", "9" * 400, "1001 or 1=1", "%00", "x"])
    async def test_in_the_address_name_no_ticket(self, eva: Person, number: str):
        async with eva.browser.tab(f"/support?ticket={number}") as tab:
            await tab.call(f"{SUPPORT}.load")
            assert tab.says("shows") == "missing"


class TestOthers:
    async def test_reach_no_ticket_but_their_own(self, eva: Person, maja: Actor, vault: Vault):
        number = await asks(maja, message=f"{PLANTED} is what I ask", now=utc_now())
        before = vault.one(ALL_THAT_IS_KEPT)
        async with eva.browser.tab(f"/support?ticket={number}") as tab:
            await tab.call(f"{SUPPORT}.load")
            assert tab.says("shows") == "missing"
            await tab.call(f"{SUPPORT}.reply", {"form": {"reply": "I come in between here"}})
            await tab.call(f"{SUPPORT}.close")
            await tab.call(f"{SUPPORT}.load_more", {"before": number + 1})
            await tab.call(f"{SUPPORT}.refresh")
            assert PLANTED not in tab.everything()
        assert vault.one(ALL_THAT_IS_KEPT) == before

    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_are_no_admins(
        self, known: dict[str, Browser], maja: Actor, vault: Vault, identity: str
    ):
        number = await asks(maja, message=f"{PLANTED} is what I ask", now=utc_now())
        before = vault.one(ALL_THAT_IS_KEPT)
        async with known[identity].tab(f"/admin?tab=support&ticket={number}") as tab:
            for name, payload in FOR_ADMINS.items():
                answer = await tab.call(name, payload)
                assert answer.refused_as in ("not_allowed", "session_expired"), short(name)
            await tab.call(f"{DESK}.refresh")
            await tab.call(f"{RESETS}.refresh")
            assert PLANTED not in tab.everything()
        assert vault.one(ALL_THAT_IS_KEPT) == before


async def test_what_is_asked_stays_words(eva: Person, vault: Vault, diary: Diary):
    words = "<script>alert(1)</script> {{constructor}} =cmd|'/c calc'!A1 \u202etxt " + PLANTED
    form = {"name": "Eva\r\nBcc: all@example.com", "email": eva.email, "subject": words}
    async with eva.browser.tab("/support") as tab:
        answer = await tab.call(f"{SUPPORT}.send", {"form": form | {"message": words}})
        assert answer.refused_as == ""
    kept = vault.ask("select name, message from support_tickets where email = %s", eva.email)
    assert kept == [("Eva Bcc: all@example.com", words)]
    assert not diary.gives_away(PLANTED)
