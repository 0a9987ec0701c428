"""Behind the admin's decisions on companies and ads: nothing for anybody else, nothing made up."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.ids import new_id
from tests.beside import beside
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Vault
from tests.hostile.handlers import DECLARED, short
from tests.hostile.identities import a_new_email
from tests.review import a_company, a_draft, a_waiting_ad, an_applicant
from tests.serving import Served

_ADMIN = f"{APP}.rewards_app___features___admin"
DESK = f"{_ADMIN}___advertisers_state____advertisers_state"
CARD = f"{_ADMIN}___company_state____company_state"
QUEUE = f"{_ADMIN}___ad_reviews_state____ad_review_state"
COUNTS = f"{_ADMIN}___waiting_state____waiting_state"
REASON = {"reason": "I do not like it"}
NOBODYS = str(UUID(int=9))
NO_NUMBERS: tuple[Any, ...] = (None, "x", 1.5, True, 0, -1, 2**63, [PLANTED])
NO_IDS: tuple[Any, ...] = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
BAD_FORMS: tuple[Any, ...] = (PLANTED, {"reason": [PLANTED]}, {"reason": "x" * 30_000}, None)

BAD: dict[str, list[dict[str, Any]]] = {
    f"{DESK}.ask": [
        *({"advertiser_id": value, "decision": "approved"} for value in NO_IDS),
        *({"advertiser_id": NOBODYS, "decision": value} for value in (5, None, "deleted")),
    ],
    f"{DESK}.load_more_pending": [{"before": value} for value in NO_IDS],
    f"{DESK}.load_more_processed": [{"before": value} for value in NO_IDS],
    f"{DESK}.load_more_found": [{"before": value} for value in NO_IDS],
    f"{DESK}.find": [{"form": value} for value in (PLANTED, {"search": 5}, {"search": "x" * 301})],
    f"{CARD}.load_more_campaigns": [{"before": value} for value in NO_IDS],
    f"{CARD}.load_more_top_ups": [{"before": value} for value in NO_IDS],
    f"{CARD}.load_more_entries": [{"before": value} for value in NO_NUMBERS],
    f"{CARD}.end_all": [{"form": value} for value in BAD_FORMS],
    f"{DESK}.decide": [{"form": value} for value in BAD_FORMS],
    f"{QUEUE}.look_at": [{"ad_id": value} for value in NO_IDS],
    f"{QUEUE}.load_more": [{"after": value} for value in NO_IDS],
    f"{QUEUE}.reject": [{"form": value} for value in BAD_FORMS],
}


@dataclass(frozen=True)
class Waiting:
    """A company and an ad that wait for a decision, with words that nobody else may read."""

    company_id: str
    ad_id: str
    secrets: tuple[str, ...]


@pytest.fixture(scope="module")
async def waiting(served: Served) -> Waiting:
    async with beside(served):
        now = utc_now()
        name, email = f"Company {new_id().hex}", a_new_email("applicant")
        company = await an_applicant(name, email=email, now=now)
        owner = await a_company(f"Owner {new_id().hex}", email=a_new_email("owner"))
        title = f"Ad {new_id().hex}"
        ad = await a_waiting_ad(
            await a_draft(owner), title, updated_at=datetime(2020, 1, 1, tzinfo=UTC)
        )
    return Waiting(str(company.id), str(ad.id), (name, email, title))


def statuses(vault: Vault, waiting: Waiting) -> tuple[str, str]:
    return (
        vault.one("select status from advertisers where id = %s", waiting.company_id),
        vault.one("select status from ads where id = %s", waiting.ad_id),
    )


class TestAnybodyElse:
    @pytest.mark.parametrize("identity", ["visitor", "player", "moderator", "company"])
    async def test_decides_nothing_and_reads_nothing(
        self, known: dict[str, Browser], vault: Vault, waiting: Waiting, identity: str
    ):
        address = f"/admin?tab=advertisers&company={waiting.company_id}"
        async with known[identity].tab(address) as tab:
            for name, payload in (
                (f"{COUNTS}.count", {}),
                (f"{DESK}.load", {}),
                (f"{DESK}.refresh", {}),
                (f"{DESK}.ask", {"advertiser_id": waiting.company_id, "decision": "approved"}),
                (f"{DESK}.decide", {"form": REASON}),
                (f"{DESK}.load_more_pending", {"before": waiting.company_id}),
                (f"{DESK}.load_more_processed", {"before": waiting.company_id}),
                (f"{DESK}.load_more_found", {"before": waiting.company_id}),
                (f"{DESK}.find", {"form": {"search": "Company"}}),
                (f"{DESK}.show_all", {}),
                (f"{CARD}.load", {}),
                (f"{CARD}.refresh", {}),
                (f"{CARD}.load_more_campaigns", {"before": waiting.ad_id}),
                (f"{CARD}.load_more_top_ups", {"before": waiting.ad_id}),
                (f"{CARD}.load_more_entries", {"before": 5}),
                (f"{CARD}.ask_to_end_all", {}),
                (f"{CARD}.end_all", {"form": REASON}),
                (f"{CARD}.close", {}),
                (f"{QUEUE}.load", {}),
                (f"{QUEUE}.refresh", {}),
                (f"{QUEUE}.look_at", {"ad_id": waiting.ad_id}),
                (f"{QUEUE}.load_more", {"after": waiting.ad_id}),
                (f"{QUEUE}.approve", {}),
                (f"{QUEUE}.keep", {}),
                (f"{QUEUE}.reject", {"form": REASON}),
            ):
                assert name in DECLARED
                assert (await tab.call(name, payload)).is_refusal, name
            heard = tab.everything()
        for secret in waiting.secrets:
            assert json.dumps(secret)[1:-1] not in heard
        assert statuses(vault, waiting) == ("pending", "pending_review")


class TestAnAdmin:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], vault: Vault, waiting: Waiting, name: str
    ):
        payloads = [*BAD[name], {}, {"role": "admin", "id": str(UUID(int=7))}]
        await are_refused(
            known["admin"], "/admin", name, payloads, kept=lambda: statuses(vault, waiting)
        )
        assert statuses(vault, waiting) == ("pending", "pending_review")

    async def test_decides_on_nothing_that_was_not_shown(
        self, known: dict[str, Browser], vault: Vault, waiting: Waiting
    ):
        async with known["admin"].tab("/terms") as tab:
            asked = {"advertiser_id": waiting.company_id, "decision": "approved"}
            assert (await tab.call(f"{DESK}.ask", asked)).is_refusal
            await tab.call(f"{DESK}.decide", {"form": REASON})
            await tab.call(f"{CARD}.ask_to_end_all", {})
            await tab.call(f"{CARD}.end_all", {"form": REASON})
            await tab.call(f"{QUEUE}.approve", {})
            await tab.call(f"{QUEUE}.reject", {"form": REASON})
            await tab.call(f"{QUEUE}.keep", {})
        assert statuses(vault, waiting) == ("pending", "pending_review")

    async def test_looks_at_no_ad_that_does_not_exist(self, known: dict[str, Browser]):
        async with known["admin"].tab("/admin?tab=ad_reviews") as tab:
            answer = await tab.call(f"{QUEUE}.look_at", {"ad_id": str(new_id())})
        assert answer.refused_as == "advertiser.unknown_ad"

    async def test_who_looked_at_an_ad_that_changed_approves_nothing(
        self, known: dict[str, Browser], vault: Vault, waiting: Waiting
    ):
        async with known["admin"].tab("/admin?tab=ad_reviews") as tab:
            await tab.call(f"{QUEUE}.look_at", {"ad_id": waiting.ad_id})
            vault.ask("update ads set updated_at = now() where id = %s", waiting.ad_id)
            answer = await tab.call(f"{QUEUE}.approve", {})
        assert answer.refused_as == "review.changed_meanwhile"
        assert statuses(vault, waiting) == ("pending", "pending_review")
