"""What an address narrows down to: a company, a campaign, an ad; nothing of anybody else's."""

from uuid import UUID

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import membership, narrowing
from rewards_app.features.advertiser.membership import EVERYTHING, Scope
from rewards_app.features.advertiser.narrowing import Narrowed, To
from rewards_app.features.advertiser.rules import UnknownAd, UnknownCampaign, UnknownCompany
from tests.campaigns import makes_ad, plans, the_admin
from tests.companies import Company, a_company

pytestmark = pytest.mark.usefixtures("database")
UNKNOWN = {To.COMPANY: UnknownCompany, To.CAMPAIGN: UnknownCampaign, To.AD: UnknownAd}
NOTHING_OF_OURS = ("x", "0" * 36, "' or 1=1 --", str(UUID(int=7)))


@pytest.fixture
async def fjord(database: str) -> Company:
    return await a_company("Fjord Audio")


async def asked_by(actor: Actor, *kinds: To, **asked: object) -> Narrowed:
    async with transaction() as session:
        scope = await membership.scope_of(session, actor)
        written = {name: str(value) for name, value in asked.items()}
        return await narrowing.narrowed(session, scope, written, *(kinds or To))


class TestNarrowing:
    async def test_without_being_asked_leaves_everything(self, fjord: Company):
        assert await asked_by(fjord.owner) == Narrowed(Scope(fjord.id))
        everything = await asked_by(await the_admin(), company="")
        assert (everything, everything.shown) == (Narrowed(EVERYTHING), {})

    async def test_names_what_is_shown_and_whose_it_is(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        ad_id = await makes_ad(fjord.owner, campaign_id)
        for actor in (fjord.owner, await the_admin()):
            campaign = await asked_by(actor, campaign=campaign_id)
            assert campaign == Narrowed(Scope(fjord.id), To.CAMPAIGN, campaign_id, "Winter sale")
            ad = await asked_by(actor, ad=ad_id)
            assert ad == Narrowed(Scope(fjord.id), To.AD, ad_id, "Hear the fjord")
        assert ad.shown == {"to": "ad", "id": str(ad_id), "name": "Hear the fjord"}

    async def test_takes_the_smallest_of_what_is_asked_for_and_offered(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        asked = {"company": fjord.id, "campaign": campaign_id}
        admin = await the_admin()
        assert (await asked_by(admin, **asked)).to is To.CAMPAIGN
        assert (await asked_by(admin, To.COMPANY, **asked)).to is To.COMPANY

    async def test_to_a_company_is_for_who_sees_all_of_them(self, fjord: Company):
        rival = await a_company("Rival Sound")
        theirs = await asked_by(await the_admin(), company=rival.id)
        assert theirs == Narrowed(Scope(rival.id), To.COMPANY, rival.id, "Rival Sound")
        for company in (rival.id, fjord.id, new_id()):
            assert await asked_by(fjord.owner, company=company) == Narrowed(Scope(fjord.id))

    @pytest.mark.parametrize("kind", [To.CAMPAIGN, To.AD])
    async def test_to_what_is_another_companys_shows_nothing_of_it(self, fjord: Company, kind: To):
        rival = await a_company("Rival Sound")
        campaign_id = await plans(rival.owner)
        ids = {To.CAMPAIGN: campaign_id, To.AD: await makes_ad(rival.owner, campaign_id)}
        found = await asked_by(fjord.owner, **{kind.value: ids[kind]})
        assert isinstance(found.gone, UNKNOWN[kind])
        assert (found.scope, found.shown) == (Scope(fjord.id), {})

    @pytest.mark.parametrize("raw", NOTHING_OF_OURS)
    @pytest.mark.parametrize("kind", list(To))
    async def test_to_what_is_not_there_says_so(self, fjord: Company, kind: To, raw: str):
        found = await asked_by(await the_admin(), **{kind.value: raw})
        assert isinstance(found.gone, UNKNOWN[kind])
        assert (found.scope, found.shown) == (EVERYTHING, {})
