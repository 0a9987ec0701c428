"""Behind the pages on people and the audit log: nothing for anybody else, nothing made up."""

import json
import secrets
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.audit import service as audit
from tests.beside import beside
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Vault
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import a_new_email, a_visitor, signs_in
from tests.people import a_browser, an_account, signed_in
from tests.serving import Served

_ADMIN = f"{APP}.rewards_app___features___admin"
DESK = f"{_ADMIN}___people_state____people_desk_state"
LOG = f"{_ADMIN}___audit_state____audit_log_state"
ORDERS = f"{_ADMIN}___orders_state____order_desk_state"
REASON = {"reason": "Because I want to"}
NO_IDS: tuple[Any, ...] = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
BAD_FORMS: tuple[Any, ...] = (PLANTED, {"reason": [PLANTED]}, {"reason": "x" * 30_000}, None)
NO_WORDS: tuple[Any, ...] = (5, None, [PLANTED], {"$gt": ""}, "x" * 301, "a\0b")
NASTY = "<script>alert('x')</script> =1+1 \u202e{{name}} $t(nav.admin)"

BAD: dict[str, list[dict[str, Any]]] = {
    f"{DESK}.look_into": [{"account_id": value} for value in NO_IDS],
    f"{DESK}.load_more": [{"before": value} for value in NO_IDS],
    f"{DESK}.find": [{"form": value} for value in (PLANTED, {"search": 5}, {"search": "x" * 301})],
    f"{DESK}.choose": [{"which": value} for value in (*NO_WORDS, "robots")],
    f"{DESK}.choose_role": [{"role": value} for value in (*NO_WORDS, "owner", "")],
    f"{DESK}.ask_to_end": [{"session_id": value} for value in NO_WORDS],
    f"{DESK}.change_role": [{"form": value} for value in BAD_FORMS],
    f"{DESK}.end_sessions": [{"form": value} for value in BAD_FORMS],
    f"{DESK}.ask_birth_date": [{"form": value} for value in BAD_FORMS],
    f"{LOG}.find": [{"form": value} for value in (PLANTED, {"search": 5}, {"search": "x" * 201})],
    f"{LOG}.choose_action": [{"action": value} for value in (*NO_WORDS, "deleted")],
    f"{LOG}.choose_doer": [{"by": value} for value in (*NO_WORDS, "somebody", "' or 1=1 --")],
    f"{LOG}.load_more": [{"before": value} for value in (None, "x", 1.5, True, [PLANTED])],
}


@dataclass(frozen=True)
class Target:
    """Somebody with a session, and a line about them that nobody else may read."""

    account_id: str
    email: str
    secrets: tuple[str, ...]


@pytest.fixture(scope="module")
async def target(served: Served) -> Target:
    async with beside(served):
        name, email = f"Target {new_id().hex[-12:]}", a_new_email("target")
        account = await an_account(email, name=name, now=utc_now())
        await signed_in(account.id, a_browser(), now=utc_now())
        async with transaction() as session:
            await audit.record(
                session,
                None,
                audit.Action.ORDER_REFUNDED,
                f"account:{account.id}",
                label=name,
                reason=NASTY,
                now=utc_now(),
            )
    return Target(str(account.id), email, (name, email))


def state_of(vault: Vault, target: Target) -> tuple[object, ...]:
    return (
        vault.one("select role from accounts where id = %s", target.account_id),
        vault.one("select age_verified_at from accounts where id = %s", target.account_id),
        vault.one(
            "select count(*) from account_sessions where account_id = %s and ended_at is null",
            target.account_id,
        ),
        vault.one("select count(*) from audit_entries"),
    )


async def tries_everything(browser: Browser, target: Target) -> str:
    """All that was heard while everything was refused."""
    async with browser.tab("/admin?tab=people") as tab:
        for name, payload in (
            (f"{DESK}.load", {}),
            (f"{DESK}.find", {"form": {"search": target.email}}),
            (f"{DESK}.choose", {"which": "admin"}),
            (f"{DESK}.show_all", {}),
            (f"{DESK}.load_more", {"before": target.account_id}),
            (f"{DESK}.look_into", {"account_id": target.account_id}),
            (f"{DESK}.choose_role", {"role": "admin"}),
            (f"{DESK}.change_role", {"form": REASON}),
            (f"{DESK}.ask_to_end", {"session_id": "all"}),
            (f"{DESK}.end_sessions", {"form": REASON}),
            (f"{DESK}.ask_birth_date", {"form": REASON}),
            (f"{DESK}.send_verification", {}),
            (f"{ORDERS}.send_again", {}),
            (f"{LOG}.load", {}),
            (f"{LOG}.find", {"form": {"search": "target"}}),
            (f"{LOG}.choose_action", {"action": "order_refunded"}),
            (f"{LOG}.choose_doer", {"by": "command_line"}),
            (f"{LOG}.show_all", {}),
            (f"{LOG}.load_more", {"before": 10}),
        ):
            assert name in DECLARED
            answer = await tab.call(name, payload)
            # Meanwhile the page of who is suspended turns into the one that says so.
            assert answer.is_refusal or answer.refused_as == "account_suspended", name
        for name in (f"{DESK}.refresh", f"{LOG}.refresh"):
            await tab.call(name)
        return tab.everything()


class TestAnybodyElse:
    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_decides_nothing_and_reads_nothing(
        self, known: dict[str, Browser], vault: Vault, target: Target, identity: str
    ):
        before = state_of(vault, target)
        heard = await tries_everything(known[identity], target)
        for secret in (*target.secrets, "alert('x')"):
            assert json.dumps(secret)[1:-1] not in heard
        assert state_of(vault, target) == before
        answer = await known[identity].get("/exports/audit.csv")
        assert (answer.status_code, answer.json()) == (404, {"error": "not found"})

    async def test_who_was_an_admin_and_is_suspended_decides_nothing_and_reads_nothing(
        self, served: Served, vault: Vault, target: Target
    ):
        async with beside(served):
            email = a_new_email("fallen")
            account = await an_account(email, Role.ADMIN, name="Fallen", now=utc_now())
            browser = await signs_in(await a_visitor(served), email)
            async with transaction() as session:
                await restrictions.begin(
                    session, account.id, Kind.SUSPENDED, "Sold codes", by=None, now=utc_now()
                )
        before = state_of(vault, target)
        heard = await tries_everything(browser, target)
        for secret in target.secrets:
            assert secret not in heard
        assert state_of(vault, target) == before
        assert (await browser.get("/exports/audit.csv")).status_code == 404


class TestAnAdmin:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], vault: Vault, target: Target, name: str
    ):
        payloads = [*BAD[name], {}, {"role": "admin", "id": str(UUID(int=7))}]
        await are_refused(
            known["admin"], "/admin", name, payloads, kept=lambda: state_of(vault, target)
        )

    async def test_decides_on_nobody_who_was_not_shown(
        self, known: dict[str, Browser], vault: Vault, target: Target
    ):
        before = state_of(vault, target)
        async with known["admin"].tab("/terms") as tab:
            await tab.call(f"{DESK}.choose_role", {"role": "admin"})
            await tab.call(f"{DESK}.change_role", {"form": REASON})
            await tab.call(f"{DESK}.end_sessions", {"form": REASON})
            await tab.call(f"{DESK}.send_verification")
            await tab.call(f"{ORDERS}.send_again")
        assert state_of(vault, target) == before

    async def test_cannot_give_themselves_another_role(
        self, known: dict[str, Browser], vault: Vault, served: Served
    ):
        own = vault.one(
            "select id from accounts where email = %s", served.accounts["admin"]["email"]
        )
        async with known["admin"].tab("/admin?tab=people") as tab:
            await tab.call(f"{DESK}.look_into", {"account_id": str(own)})
            await tab.call(f"{DESK}.choose_role", {"role": "player"})
            answer = await tab.call(f"{DESK}.change_role", {"form": REASON})
        assert answer.refused_as == "roles.own"
        assert vault.one("select role from accounts where id = %s", own) == "admin"

    async def test_reads_whatever_was_written_as_text(
        self, known: dict[str, Browser], target: Target
    ):
        async with known["admin"].tab("/admin?tab=audit") as tab:
            await tab.call(f"{APP}.enter")
            answer = await tab.call(f"{LOG}.find", {"form": {"search": target.secrets[0]}})
        assert [line["reason"] for line in answer.after["lines"]] == [NASTY]

    async def test_hears_no_secret_of_the_person_they_look_into(
        self, known: dict[str, Browser], served: Served, vault: Vault
    ):
        async with beside(served):
            email = a_new_email(f"secretive-{secrets.token_hex(3)}")
            account = await an_account(email, name="Secretive", born="1987-04-03", now=utc_now())
            secret = await signed_in(account.id, a_browser(), now=utc_now())
        hashes = vault.ask(
            "select token_hash from account_sessions where account_id = %s", account.id
        )
        async with known["admin"].tab("/admin?tab=people") as tab:
            await tab.call(f"{DESK}.look_into", {"account_id": str(account.id)})
            heard = tab.everything()
        assert email in heard
        for hidden in (secret, "1987-04-03", "argon2", *(found for (found,) in hashes or [])):
            assert str(hidden) not in heard
