"""Behind campaigns and ads: one's own only, clean only, and nothing stored of what was refused."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.clock import utc_now
from tests.beside import beside
from tests.campaigns import a_draft, a_plan, makes_ad, plans
from tests.companies import a_company
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Answer, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.handlers import short
from tests.serving import Served

_OF = f"{APP}.rewards_app___features___advertiser"
CAMPAIGNS = f"{_OF}___campaigns_state____campaigns_state"
CAMPAIGN = f"{_OF}___campaign_state____campaign_state"
ADS = f"{_OF}___ads_state____ads_state"
FIGURES = f"{_OF}___analytics_state____analytics_state"
SECRET = "Rival launch of spring"
_NEXT = utc_now().year + 1
NEXT_YEAR = {"start_date": f"{_NEXT}-03-01", "end_date": f"{_NEXT}-03-31"}
A_FORM = a_plan(**NEXT_YEAR)
AN_AD = a_draft()

NO_IDENTIFIERS = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
NO_FORMS = (PLANTED, 5, None, {"name": 5}, {"name": ["x"]}, {"name": "x" * 20_001}, {"x": "a\0"})
BAD: dict[str, list[dict[str, Any]]] = {
    **{
        f"{CAMPAIGNS}.{handler}": [{"campaign_id": value} for value in NO_IDENTIFIERS]
        for handler in ("pause", "resume")
    },
    **{
        f"{CAMPAIGN}.{handler}": [{"campaign_id": value} for value in NO_IDENTIFIERS]
        for handler in ("edit", "show_stats")
    },
    **{
        f"{ADS}.{handler}": [{"ad_id": value} for value in NO_IDENTIFIERS]
        for handler in ("edit", "pause", "resume")
    },
    **{
        f"{state}.load_more": [{"before": value} for value in (-1, "")]
        for state in (CAMPAIGNS, ADS)
    },
    **{
        f"{state}.{handler}": [{"form": value} for value in NO_FORMS]
        for state, handler in (
            (CAMPAIGN, "create"),
            (CAMPAIGN, "create_at_dashboard"),
            (CAMPAIGN, "save"),
            (ADS, "create"),
            (ADS, "save"),
        )
    },
    **{
        f"{state}.find": [
            *({"text": value, "typed_in": 1} for value in (5, None, "x" * 301, "a\0")),
            *({"text": "sale", "typed_in": value} for value in ("", None, "one", 1.5, [1])),
        ]
        for state in (CAMPAIGNS, ADS)
    },
    **{f"{state}.submit": [{"form": {"search": "x" * 301}}] for state in (CAMPAIGNS, ADS)},
    **{
        f"{state}.choose_status": [{"status": value} for value in (5, None, "stolen", ["draft"])]
        for state in (CAMPAIGNS, ADS)
    },
    f"{CAMPAIGN}.find_company": [{"form": value} for value in (5, {"company_search": "x" * 301})],
    f"{ADS}.find_campaign": [{"form": value} for value in (5, {"campaign_search": "x" * 301})],
}
WRONG_PLANS = (
    ("name", "x" * 10_000, "field.too_long"),
    ("name", "Win\u202eter", "field.unseen"),
    ("name", "Win\u200bter", "field.unseen"),
    ("name", " ", "campaigns.fields_missing"),
    ("description", "x" * 10_000, "field.too_long"),
    ("budget", "-5", "field.bad_amount"),
    ("budget", "NaN", "field.bad_amount"),
    ("budget", "1e9", "field.bad_amount"),
    ("budget", "99999999", "field.amount_range"),
    ("budget", "0.5", "field.amount_range"),
    ("daily_budget", "501", "campaigns.daily_above_budget"),
    ("daily_budget", "0", "campaigns.daily_pays_no_view"),
    ("start_date", "'; drop table ads; --", "field.bad_date"),
    ("end_date", f"{_NEXT}-02-01", "campaigns.end_before_start"),
)
WRONG_ADS = (
    ("title", "x" * 10_000, "field.too_long"),
    ("title", "Hear\u202e the fjord", "field.unseen"),
    ("title", "", "field.missing"),
    ("duration", "61", "field.number_range"),
    ("duration", "4", "field.number_range"),
    ("reward_coins", "51", "field.number_range"),
    ("reward_coins", "4", "field.number_range"),
    ("ad_type", "popup", "ads_desk.unknown_kind"),
    ("video_url", "javascript:alert(1)", "field.bad_scheme"),
    ("video_url", "data:text/html,x", "field.bad_scheme"),
    ("video_url", "file:///etc/passwd", "field.bad_scheme"),
    ("video_url", "https://a:b@example.com/x", "field.address_with_credentials"),
    ("video_url", "https://169.254.169.254/x", "field.private_address"),
    ("click_url", "https://2130706433/", "field.private_address"),
    ("click_url", "https://example.com/" + "x" * 10_000, "field.too_long"),
)


@dataclass(frozen=True)
class Rivals:
    """Another company, and what it has."""

    company: str
    campaign: str
    ad: str


@pytest.fixture(scope="module")
async def rivals(served: Served) -> Rivals:
    async with beside(served):
        rival = await a_company("Rival Sound")
        now = utc_now()
        campaign = await plans(rival.owner, {"name": SECRET, **NEXT_YEAR}, now=now)
        ad = await makes_ad(rival.owner, campaign, {"title": SECRET}, now=now)
    return Rivals(str(rival.id), str(campaign), str(ad))


@pytest.fixture(scope="module")
async def own_campaign(served: Served, known: dict[str, Browser]) -> str:
    """One of the company that signs in here."""
    async with known["company"].tab("/campaigns") as tab:
        await tab.call(f"{CAMPAIGNS}.open")
        campaigns = tab.says(f"{CAMPAIGNS}.campaigns")
    return next(one["id"] for one in campaigns if one["status"] == "draft")


@pytest.fixture
def nothing_is_stored(vault: Vault):
    before = _kept(vault)
    yield
    assert _kept(vault) == before


def _kept(vault: Vault) -> list[str]:
    """All that companies made, and their money; figures go on with the players of other tests."""
    return [
        vault.one(f"select coalesce(md5(string_agg({row}, ',' order by id)), '') from {table}")  # pyright: ignore
        for table, row in (
            ("ad_campaigns", "(id, name, status, budget_cents, ends_at)::text"),
            ("ads", "(id, title, status, video_url)::text"),
            ("advertisers", "(id, balance)::text"),
        )
    ]


def refused_at(answer: Answer) -> str:
    return (answer.after.get("refusal") or {}).get("params", {}).get("field", "")


@pytest.mark.usefixtures("nothing_is_stored")
class TestACompany:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], vault: Vault, name: str
    ):
        payloads = [*BAD[name], {"role": "admin"}]
        await are_refused(known["company"], "/campaigns", name, payloads, kept=lambda: _kept(vault))

    @pytest.mark.parametrize("handler", ["create", "create_at_dashboard"])
    @pytest.mark.parametrize(("field", "typed", "code"), WRONG_PLANS)
    async def test_is_told_at_the_field_what_is_wrong_with_a_plan(
        self, known: dict[str, Browser], handler: str, field: str, typed: str, code: str
    ):
        async with known["company"].tab("/campaigns") as tab:
            answer = await tab.call(f"{CAMPAIGN}.{handler}", {"form": A_FORM | {field: typed}})
        assert (answer.refused_as, refused_at(answer)) == (code, field)

    @pytest.mark.parametrize(("field", "typed", "code"), WRONG_ADS)
    async def test_is_told_at_the_field_what_is_wrong_with_an_ad(
        self, known: dict[str, Browser], own_campaign: str, field: str, typed: str, code: str
    ):
        form = AN_AD | {"campaign_id": own_campaign, field: typed}
        async with known["company"].tab("/advertiser?tab=ads") as tab:
            answer = await tab.call(f"{ADS}.create", {"form": form})
        assert (answer.refused_as, refused_at(answer)) == (code, field)

    @pytest.mark.parametrize("campaign", ["", "x", "0" * 36, str(UUID(int=7))])
    async def test_puts_no_ad_into_a_campaign_that_is_none(
        self, known: dict[str, Browser], campaign: str
    ):
        async with known["company"].tab("/advertiser?tab=ads") as tab:
            form = AN_AD | {"campaign_id": campaign}
            answer = await tab.call(f"{ADS}.create", {"form": form})
        assert answer.is_refusal

    async def test_reaches_nothing_of_another_company(
        self, known: dict[str, Browser], rivals: Rivals
    ):
        async with known["company"].tab("/campaigns") as tab:
            await tab.call(f"{CAMPAIGNS}.open")
            typed_in = tab.says(f"{CAMPAIGNS}.round")
            await tab.call(f"{CAMPAIGNS}.find", {"text": SECRET, "typed_in": typed_in})
            assert tab.says(f"{CAMPAIGNS}.search") == SECRET
            await tab.call(f"{CAMPAIGNS}.load_more", {"before": rivals.campaign})
            for name, payload, code in _on(rivals):
                answer = await tab.call(name, payload)
                assert answer.is_refusal, (name, answer.changed)
                assert answer.refused_as == code
            # Nothing is open, so there is nothing to save or to end.
            for name in (f"{CAMPAIGN}.save", f"{ADS}.save", f"{CAMPAIGN}.end"):
                assert (await tab.call(name, {"form": {"name": "Mine"}})).is_silence
            heard = _without_what_was_asked(tab)
        assert SECRET not in heard
        assert rivals.campaign not in heard

    async def test_names_no_other_company_for_its_campaigns(
        self, known: dict[str, Browser], rivals: Rivals
    ):
        async with known["company"].tab("/campaigns") as tab:
            form = A_FORM | {"company": rivals.company, "budget": "NaN"}
            answer = await tab.call(f"{CAMPAIGN}.create", {"form": form})
            assert answer.refused_as == "field.bad_amount"
            await tab.call(f"{CAMPAIGN}.plan")
            assert tab.says(f"{CAMPAIGN}.companies") in ([], None)


@pytest.mark.usefixtures("nothing_is_stored")
class TestAnAddress:
    """Of another company's things, typed by hand."""

    async def test_shows_nothing_of_them(self, known: dict[str, Browser], rivals: Rivals):
        for asked in (
            f"ad={rivals.ad}",
            f"campaign={rivals.campaign}",
            f"new={rivals.campaign}",
            f"company={rivals.company}",
        ):
            async with known["company"].tab(f"/advertiser?tab=ads&{asked}") as tab:
                await tab.call(f"{ADS}.open")
                assert tab.says(f"{ADS}.dialog") in ("", None), asked
                assert not tab.says(f"{ADS}.only"), asked
                assert SECRET not in tab.everything(), asked
        for path in ("/campaigns", "/analytics"):
            for asked in (f"company={rivals.company}", f"campaign={rivals.campaign}"):
                async with known["company"].tab(f"{path}?{asked}") as tab:
                    for opening in (f"{CAMPAIGNS}.open", f"{CAMPAIGN}.open", f"{FIGURES}.load"):
                        await tab.call(opening)
                    assert not tab.says(f"{CAMPAIGNS}.only")
                    assert not tab.says(f"{FIGURES}.only")
                    assert SECRET not in tab.everything()


@pytest.mark.usefixtures("nothing_is_stored")
class TestWhoeverActsForNoCompany:
    @pytest.mark.parametrize("identity", ["player", "moderator"])
    async def test_can_do_nothing_and_learns_nothing(
        self, known: dict[str, Browser], rivals: Rivals, own_campaign: str, identity: str
    ):
        async with known[identity].tab("/campaigns") as tab:
            for name, payload in (
                *((name, payload) for name, payload, _ in _on(rivals)),
                (f"{CAMPAIGN}.create", {"form": A_FORM}),
                (f"{CAMPAIGN}.create_at_dashboard", {"form": A_FORM}),
                (f"{CAMPAIGN}.plan", {}),
                (f"{CAMPAIGN}.edit", {"campaign_id": own_campaign}),
                (f"{ADS}.create", {"form": AN_AD | {"campaign_id": own_campaign}}),
                (f"{ADS}.plan", {}),
                (f"{CAMPAIGNS}.find", {"text": "sale", "typed_in": 0}),
                (f"{CAMPAIGNS}.show_all", {}),
                (f"{CAMPAIGNS}.choose_status", {"status": "draft"}),
                (f"{CAMPAIGN}.find_company", {"form": {"company_search": "Fjord"}}),
                (f"{ADS}.submit", {"form": {"search": "sale"}}),
                (f"{ADS}.show_all", {}),
                (f"{ADS}.choose_status", {"status": "active"}),
            ):
                answer = await tab.call(name, payload)
                assert answer.refused_as == "advertiser.not_approved", name
            for state in (CAMPAIGNS, ADS):
                answer = await tab.call(f"{state}.open")
                assert not answer.changed.keys() & {"campaigns", "ads", "is_loaded"}
                assert (await tab.call(f"{state}.refresh")).is_silence
            heard = tab.everything()
        assert SECRET not in heard
        assert "Fjord Audio" not in heard
        assert not tab.says(f"{CAMPAIGNS}.campaigns")


def _on(rivals: Rivals) -> list[tuple[str, dict[str, Any], str]]:
    """Everything that names a campaign or an ad, with those of somebody else."""
    campaign, ad = {"campaign_id": rivals.campaign}, {"ad_id": rivals.ad}
    form = {"form": AN_AD | {"campaign_id": rivals.campaign}}
    return [
        (f"{CAMPAIGNS}.pause", campaign, "advertiser.unknown_campaign"),
        (f"{CAMPAIGNS}.resume", campaign, "advertiser.unknown_campaign"),
        (f"{CAMPAIGN}.edit", campaign, "advertiser.unknown_campaign"),
        (f"{CAMPAIGN}.show_stats", campaign, "advertiser.unknown_campaign"),
        (f"{ADS}.edit", ad, "advertiser.unknown_ad"),
        (f"{ADS}.pause", ad, "advertiser.unknown_ad"),
        (f"{ADS}.resume", ad, "advertiser.unknown_ad"),
        (f"{ADS}.create", form, "advertiser.unknown_campaign"),
    ]


def _without_what_was_asked(tab: Tab) -> str:
    """The search comes back as it was typed."""
    return (
        tab.everything()
        .replace(json.dumps({"search": SECRET})[1:-1], "")
        .replace(f'"search_rx_state_": "{SECRET}"', "")
    )
