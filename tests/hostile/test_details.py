"""What people said of themselves is theirs to correct, and no argument brings more."""

from typing import Any

import pytest

from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Diary, Vault
from tests.hostile.identities import Person

DETAILS = f"{APP}.rewards_app___features___accounts___details_state____details_state"
SAVE = f"{DETAILS}.save"
GOOD = {"country": "NO", "phone_country": "SE", "phone": "070-174 06 05", "gender": "Other"}
ALL_THAT_IS_KEPT = """
select md5(string_agg(concat(id, country, phone, gender), '|' order by id)) from accounts
"""
OF_OTHERS = """
select md5(string_agg(concat(id, country, phone, gender), '|' order by id)) from accounts
where email <> %s
"""
THE_REST = "select concat(role, email, birth_date) from accounts where email = %s"
NO_FORMS = (PLANTED, 5, None, [PLANTED], {"country": 5}, {"phone": ["1"]}, {"phone": "1\0"})
TOO_MUCH = (
    GOOD | {"country": "x" * 20_000},
    GOOD | {"country": "ZZ"},
    GOOD | {"country": "' or 1=1 --"},
    GOOD | {"phone": "1" * 20_000},
    GOOD | {"phone_country": "KP"},
    GOOD | {"gender": "kvinna"},
    {},
)


async def test_what_no_page_sends_is_refused(eva_all_along: Person, vault: Vault):
    await are_refused(
        eva_all_along.browser,
        "/settings",
        SAVE,
        [*({"form": value} for value in NO_FORMS), {"role": "admin"}],
        kept=lambda: vault.one(ALL_THAT_IS_KEPT),
        is_told_more=True,
    )


@pytest.mark.parametrize("form", TOO_MUCH, ids=range(len(TOO_MUCH)))
async def test_what_is_wrong_is_refused_beside_its_field(
    eva_all_along: Person, vault: Vault, form: Any
):
    before = vault.one(ALL_THAT_IS_KEPT)
    async with eva_all_along.browser.tab("/settings") as tab:
        await tab.call(f"{DETAILS}.edit")
        answer = await tab.call(SAVE, {"form": form})
        assert answer.refused_as.startswith("accounts.")
        assert tab.says("refusal")["faults"]
    assert vault.one(ALL_THAT_IS_KEPT) == before


@pytest.mark.parametrize("identity", ["visitor", "admin"])
async def test_who_has_no_settings_corrects_nothing(
    known: dict[str, Browser], vault: Vault, identity: str
):
    before = vault.one(ALL_THAT_IS_KEPT)
    async with known[identity].tab("/") as tab:
        answer = await tab.call(SAVE, {"form": GOOD})
    assert answer.refused_as in ("not_allowed", "session_expired")
    assert vault.one(ALL_THAT_IS_KEPT) == before


async def test_nobody_corrects_those_of_somebody_else_or_more_of_their_own(
    eva: Person, vault: Vault, diary: Diary
):
    before = vault.one(OF_OTHERS, eva.email), vault.one(THE_REST, eva.email)
    form = GOOD | {"id": "1", "account_id": "1", "role": "admin", "birth_date": "1950-01-01"}
    async with eva.browser.tab("/settings") as tab:
        answer = await tab.call(SAVE, {"form": form})
    assert not answer.refused_as
    assert vault.one("select country from accounts where email = %s", eva.email) == "NO"
    assert (vault.one(OF_OTHERS, eva.email), vault.one(THE_REST, eva.email)) == before
    line = diary.line_with("account.details_changed")
    assert "174" not in line
