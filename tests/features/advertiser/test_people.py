"""Colleagues of a company: invited by its owner, let in by their own address, removed."""

import asyncio
import re
from datetime import timedelta
from uuid import UUID

import pytest

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing
from rewards_app.features.advertiser import (
    fields,
    leaving,
    membership,
    people,
    people_rules,
    review,
    review_rules,
    rules,
)
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.features.advertiser.people_repository import Invitation
from rewards_app.features.advertiser.people_rules import Way
from tests.ads import a_campaign
from tests.campaigns import the_admin
from tests.companies import Company, a_company, a_member, an_owner, applies, is_decided
from tests.paying import ask
from tests.people import NOON
from tests.queued import as_read

pytestmark = pytest.mark.usefixtures("database")
A_DAY = timedelta(days=1)


async def invites(company: Company, email: str, by: Actor | None = None) -> None:
    async with transaction() as session:
        await people.invite(
            session, by or company.owner, {"colleague": email}, language="sv", now=NOON
        )


async def invites_again(company: Company, invitation_id: UUID) -> None:
    async with transaction() as session:
        await people.invite_again(session, company.owner, invitation_id, language="sv", now=NOON)


def letters_to(database: str, email: str) -> int:
    query = "select count(*) from procrastinate_jobs where args->>'recipient' = %s"
    return ask(database, query, email)[0][0]


def link_to(database: str, email: str) -> str:
    """The token in the newest letter to this address."""
    query = (
        "select args from procrastinate_jobs where args->>'recipient' = %s order by id desc limit 1"
    )
    letter = as_read(ask(database, query, email)[0][0])
    found = re.search(r"/advertiser\?invite=([\w-]{43})$", letter["link"])
    assert found
    return found[1]


async def finds(actor: Actor, token: str = "", *, now=NOON) -> Invitation | None:
    async with transaction() as session:
        return await people.invitation_for(session, actor, token, now=now)


async def accepts(actor: Actor, invitation: Invitation, *, now=NOON) -> None:
    async with transaction() as session:
        await people.accept(session, actor, invitation.id, now=now)


async def the_invitation(company: Company) -> Invitation:
    async with transaction() as session:
        (found,) = (await people.people_of(session, company.owner)).invitations
    return found


async def company_of(actor: Actor) -> membership.Membership | None:
    async with transaction() as session:
        return await membership.membership_of(session, actor.user_id)


async def way_in(actor: Actor) -> tuple[Way, str]:
    async with transaction() as session:
        return await people.way_in(session, actor)


async def leaves_her_own(actor: Actor, company: Company) -> None:
    await applies(actor, company_name="Eva's Lab")
    await is_decided("Eva's Lab", "rejected", "Ask your colleague to be invited.")
    await invites(company, actor.email)
    found = await finds(actor)
    assert found
    await accepts(actor, found)


class TestAnInvitation:
    async def test_is_mailed_in_the_inviters_language_with_a_link_kept_as_a_hash(self, database):
        company = await a_company()
        await invites(company, " Sven@Example.com ")
        query = "select args->>'name', args->>'language', args->'params'->>'company' from"
        letter = ask(database, f"{query} procrastinate_jobs")
        assert letter == [("invitation", "sv", "Fjord Audio")]
        token = link_to(database, "sven@example.com")
        assert ask(database, "select email, token_hash from advertiser_invitations") == [
            ("sven@example.com", digest(token))
        ]

    async def test_lets_its_address_in_once(self, database: str):
        company, sven = await a_company(), await an_owner("Sven", Role.PLAYER)
        await invites(company, sven.email)
        found = await finds(sven, link_to(database, sven.email))
        assert found
        assert (found.company, found.invited_by) == ("Fjord Audio", "Freja")
        await accepts(sven, found)
        known = await company_of(sven)
        assert known
        assert (known.advertiser_id, known.role) == (company.id, MemberRole.MEMBER)
        with pytest.raises(people_rules.UnknownInvitation):
            await accepts(sven, found)

    async def test_comes_from_the_company_where_who_invited_has_closed_their_account(self):
        company, sven = await a_company(), await an_owner("Sven")
        await invites(company, sven.email)
        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=NOON)
        found = await finds(sven)
        assert found
        assert found.invited_by == "Fjord Audio"

    async def test_is_found_without_its_link_by_who_has_its_address(self, database: str):
        company, sven = await a_company(), await an_owner("Sven")
        await invites(company, sven.email)
        found = await finds(sven)
        assert found
        assert found.advertiser_id == company.id

    async def test_opens_nothing_for_another_address(self, database: str):
        company, eva = await a_company(), await an_owner("Eva")
        await invites(company, "sven@example.com")
        assert await finds(eva, link_to(database, "sven@example.com")) is None
        with pytest.raises(people_rules.UnknownInvitation):
            await accepts(eva, await the_invitation(company))
        assert await company_of(eva) is None

    async def test_lasts_seven_days(self):
        company, sven = await a_company(), await an_owner("Sven")
        await invites(company, sven.email)
        assert await finds(sven, now=NOON + 7 * A_DAY - timedelta(seconds=1))
        assert await finds(sven, now=NOON + 7 * A_DAY) is None
        with pytest.raises(people_rules.UnknownInvitation):
            await accepts(sven, await the_invitation(company), now=NOON + 7 * A_DAY)

    async def test_sent_again_has_another_link(self, database: str):
        company, sven = await a_company(), await an_owner("Sven")
        await invites(company, sven.email)
        first = link_to(database, sven.email)
        async with transaction() as session:
            await people.invite_again(
                session,
                company.owner,
                (await the_invitation(company)).id,
                language="en",
                now=NOON + 6 * A_DAY,
            )
        second = link_to(database, sven.email)
        assert first != second
        hashes = ask(database, "select token_hash from advertiser_invitations")
        assert hashes == [(digest(second),)]
        assert await finds(sven, second, now=NOON + 12 * A_DAY)

    async def test_withdrawn_is_worth_nothing(self):
        company, sven = await a_company(), await an_owner("Sven")
        await invites(company, sven.email)
        invitation = await the_invitation(company)
        async with transaction() as session:
            await people.withdraw(session, company.owner, invitation.id)
        assert await finds(sven) is None
        with pytest.raises(people_rules.UnknownInvitation):
            await accepts(sven, invitation)

    async def test_is_not_for_who_acts_for_a_company_already(self):
        company, other = await a_company(), await a_company("Sidewind Studio")
        applicant = await an_owner("Eva")
        await applies(applicant, company_name="Eva's Lab")
        for taken in (other.owner, applicant):
            await invites(company, taken.email)
            found = await finds(taken)
            assert found
            way = Way.TAKEN if taken is other.owner else Way.WAITS
            assert (await way_in(taken))[0] is way
            with pytest.raises(rules.ActsAlready):
                await accepts(taken, found)
        known = await company_of(other.owner)
        assert known
        assert known.advertiser_id == other.id

    async def test_takes_who_accepts_from_what_was_rejected(self, database: str):
        company, eva = await a_company(), await an_owner("Eva")
        await applies(eva, company_name="Eva's Lab")
        await invites(company, eva.email)
        assert await way_in(eva) == (Way.WAITS, "Eva's Lab")
        await is_decided("Eva's Lab", "rejected", "Ask your colleague to be invited.")
        assert await way_in(eva) == (Way.LEAVES, "Eva's Lab")
        found = await finds(eva)
        assert found
        await accepts(eva, found)
        known = await company_of(eva)
        assert known
        assert (known.advertiser_id, known.role) == (company.id, MemberRole.MEMBER)
        query = "select status, account_id from advertisers where company_name = %s"
        assert ask(database, query, "Eva's Lab") == [("rejected", eva.user_id)]

    async def test_is_not_for_who_has_applied_again_meanwhile(self):
        company, eva = await a_company(), await an_owner("Eva")
        await applies(eva, company_name="Eva's Lab")
        await is_decided("Eva's Lab", "rejected")
        await invites(company, eva.email)
        found = await finds(eva)
        assert found
        await applies(eva, company_name="Eva's Lab")
        with pytest.raises(rules.ActsAlready):
            await accepts(eva, found)
        known = await company_of(eva)
        assert known
        assert known.company == "Eva's Lab"

    async def test_of_a_company_that_is_approved_no_more_is_worth_nothing(self, database: str):
        company, sven = await a_company(), await an_owner("Sven")
        await invites(company, sven.email)
        invitation = await the_invitation(company)
        ask(database, "update advertisers set status = 'rejected' returning id")
        assert await finds(sven) is None
        with pytest.raises(people_rules.UnknownInvitation):
            await accepts(sven, invitation)

    async def test_is_nothing_for_admins(self):
        company, admin = await a_company(), await an_owner("Admin", Role.ADMIN)
        await invites(company, admin.email)
        assert await finds(admin) is None
        with pytest.raises(people_rules.UnknownInvitation):
            await accepts(admin, await the_invitation(company))

    async def test_accepted_many_times_at_once_counts_once(self, database: str):
        company, sven = await a_company(), await an_owner("Sven")
        await invites(company, sven.email)
        found = await finds(sven)
        assert found
        came = await asyncio.gather(
            *(accepts(sven, found) for _ in range(6)), return_exceptions=True
        )
        assert came.count(None) == 1
        assert ask(database, "select count(*) from advertiser_members") == [(2,)]


class TestAnApplicationThatSomebodyLeft:
    """It was rejected, and they have joined the company that invited them."""

    async def test_is_taken_up_again_by_applying(self, database: str):
        company, eva = await a_company(), await an_owner("Eva")
        await leaves_her_own(eva, company)
        async with transaction() as session:
            await people.remove(session, company.owner, eva.user_id)
        await applies(eva, company_name="Eva's Lab again")
        known = await company_of(eva)
        assert known
        assert (known.company, known.role) == ("Eva's Lab again", MemberRole.OWNER)
        assert known.status is rules.Status.PENDING
        assert ask(database, "select count(*) from advertisers") == [(2,)]

    async def test_is_approved_no_more(self):
        company, eva = await a_company(), await an_owner("Eva")
        await leaves_her_own(eva, company)
        admin = await the_admin()
        async with transaction() as session:
            [left] = [one for one in (await review.processed(session)).shown if not one.has_people]
            assert left.company == "Eva's Lab"
            with pytest.raises(review_rules.ChangedMeanwhile):
                await review.decide(
                    session,
                    admin,
                    left.id,
                    rules.Status.APPROVED,
                    version=left.version,
                    now=NOON,
                )

    async def test_is_forgotten_with_them(self, database: str):
        company, eva = await a_company(), await an_owner("Eva")
        await leaves_her_own(eva, company)
        async with transaction() as session:
            await leaving.forget(session, eva.user_id, eva.email, now=NOON)
        query = "select company_name, email, phone, account_id from advertisers where id <> %s"
        assert ask(database, query, company.id) == [("–", "", None, None)]


class TestInviting:
    @pytest.mark.parametrize(
        ("typed", "refusal"),
        [
            ("", fields.Missing),
            ("nobody", fields.BadEmail),
            ("a@b.c, d@e.f", fields.BadEmail),
            (f"{'a' * 400}@example.com", fields.TooLong),
            ("sv\u200ben@example.com", fields.Unseen),
        ],
    )
    async def test_refuses_what_is_no_address_beside_its_field(self, typed: str, refusal):
        with pytest.raises(refusal) as refused:
            await invites(await a_company(), typed)
        assert refused.value.params["field"] == "colleague"

    async def test_refuses_who_is_a_member(self):
        company = await a_company()
        with pytest.raises(people_rules.IsMember):
            await invites(company, (await a_member(company)).email)

    async def test_is_the_owners_alone(self, database: str):
        company = await a_company()
        with pytest.raises(rules.NotTheOwner):
            await invites(company, "sven@example.com", by=await a_member(company))
        with pytest.raises(rules.NotAnAdvertiser):
            await invites(company, "sven@example.com", by=await an_owner("Eva"))
        assert ask(database, "select count(*) from advertiser_invitations") == [(0,)]

    async def test_has_a_limit_an_hour(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(people, "INVITATIONS", limits.parse("2 per hour"))
        company = await a_company()
        await invites(company, "sven@example.com")
        await invites(company, "sven@example.com")
        with pytest.raises(TooManyAttempts):
            await invites(company, "astrid@example.com")

    async def test_goes_to_one_address_five_times_a_day_at_most(self, database: str):
        company = await a_company()
        await invites(company, "sven@example.com")
        waiting = (await the_invitation(company)).id
        for _ in range(4):
            await invites_again(company, waiting)
        with pytest.raises(TooManyAttempts):
            await invites_again(company, waiting)
        with pytest.raises(TooManyAttempts):
            await invites(company, "Sven@Example.com")
        assert letters_to(database, "sven@example.com") == 5
        await invites(company, "astrid@example.com")

    async def test_goes_to_one_address_whatever_other_companies_have_sent_it(self, database: str):
        company, other = await a_company(), await a_company("Sidewind Studio")
        for _ in range(5):
            await invites(other, "sven@example.com")
        await invites(company, "sven@example.com")
        assert letters_to(database, "sven@example.com") == 6

    async def test_goes_to_one_address_twenty_times_a_day_from_all_companies_together(
        self, database: str
    ):
        for number in range(4):
            company = await a_company(f"Studio {number}")
            for _ in range(5):
                await invites(company, "sven@example.com")
        late = await a_company()
        with pytest.raises(TooManyAttempts):
            await invites(late, "sven@example.com")
        assert letters_to(database, "sven@example.com") == 20

    @pytest.mark.parametrize("limit", ["INVITED_BY_ONE", "INVITED_BY_ALL"])
    async def test_counts_no_invitation_that_its_address_cannot_take(
        self, monkeypatch: pytest.MonkeyPatch, limit: str
    ):
        monkeypatch.setattr(people, limit, limits.parse("1 per day"))
        monkeypatch.setattr(people, "INVITATIONS", limits.parse("2 per hour"))
        company = await a_company()
        await invites(company, "sven@example.com")
        for _ in range(3):
            with pytest.raises(TooManyAttempts):
                await invites(company, "sven@example.com")
        await invites(company, "astrid@example.com")
        with pytest.raises(TooManyAttempts):
            await invites(company, "eva@example.com")

    async def test_is_tried_so_often_an_hour_and_no_more(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(people, "INVITED_BY_ONE", limits.parse("1 per day"))
        monkeypatch.setattr(people, "ATTEMPTS", limits.parse("3 per hour"))
        company = await a_company()
        await invites(company, "sven@example.com")
        for _ in range(2):
            with pytest.raises(TooManyAttempts):
                await invites(company, "sven@example.com")
        with pytest.raises(TooManyAttempts):
            await invites(company, "astrid@example.com")

    async def test_has_a_limit_for_a_company(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(people_rules, "MOST_PEOPLE", 3)
        company = await a_company()
        await a_member(company)
        await invites(company, "sven@example.com")
        await invites(company, "sven@example.com")
        with pytest.raises(people_rules.TooManyPeople):
            await invites(company, "astrid@example.com")


class TestMembers:
    async def test_see_each_other_and_the_owner_sees_who_is_invited(self):
        company = await a_company()
        sven = await a_member(company)
        await invites(company, "astrid@example.com")
        for actor, invited in ((company.owner, 1), (sven, 0)):
            async with transaction() as session:
                seen = await people.people_of(session, actor)
            assert [member.name for member in seen.members] == ["Freja", "Sven"]
            assert len(seen.invitations) == invited

    async def test_can_be_removed_and_act_no_more(self):
        company = await a_company()
        sven = await a_member(company)
        async with transaction() as session:
            await people.remove(session, company.owner, sven.user_id)
        async with transaction() as session:
            with pytest.raises(rules.NotAnAdvertiser):
                await membership.own_company(session, sven)

    async def test_can_leave_and_are_free_for_another(self, monkeypatch: pytest.MonkeyPatch):
        told: list[tuple[str, str]] = []
        monkeypatch.setattr(live, "announce", lambda topic, key="": told.append((topic, key)))
        company, other = await a_company(), await a_company("Sidewind Studio")
        sven = await a_member(company)
        await invites(other, sven.email)
        assert await way_in(sven) == (Way.TAKEN, "Fjord Audio")
        async with transaction() as session:
            left = await people.leave(session, sven, now=NOON)
        assert left.company == "Fjord Audio"
        for key in (company.id, sven.user_id):
            assert (membership.CHANGED, str(key)) in told
        with pytest.raises(rules.NotAnAdvertiser):
            async with transaction() as session:
                await membership.own_company(session, sven)
        assert await way_in(sven) == (Way.FREE, "")

    async def test_the_last_who_leave_let_nothing_run_that_nobody_looks_after(self, database: str):
        company = await a_company()
        sven, eva = await a_member(company), await a_member(company)
        campaign = await a_campaign(advertiser_id=company.id)
        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=NOON)
        for leaver, status in ((sven, "active"), (eva, "paused")):
            async with transaction() as session:
                await people.leave(session, leaver, now=NOON)
            query = "select status from ad_campaigns where id = %s"
            assert ask(database, query, campaign.id) == [(status,)]

    async def test_who_act_for_none_leave_none(self):
        await a_company()
        async with transaction() as session:
            with pytest.raises(rules.NotAnAdvertiser):
                await people.leave(session, await an_owner("Eva"), now=NOON)

    async def test_owners_do_not_leave(self):
        company = await a_company()
        async with transaction() as session:
            with pytest.raises(people_rules.UnknownMember):
                await people.leave(session, company.owner, now=NOON)
        known = await company_of(company.owner)
        assert known
        assert known.role is MemberRole.OWNER

    async def test_owners_stay(self):
        company = await a_company()
        async with transaction() as session:
            with pytest.raises(people_rules.UnknownMember):
                await people.remove(session, company.owner, company.owner.user_id)

    async def test_of_others_are_out_of_reach(self, database: str):
        company, other = await a_company(), await a_company("Sidewind Studio")
        sven = await a_member(company)
        await invites(company, "astrid@example.com")
        invitation = (await the_invitation(company)).id
        async with transaction() as session:
            with pytest.raises(people_rules.UnknownMember):
                await people.remove(session, other.owner, sven.user_id)
            with pytest.raises(people_rules.UnknownInvitation):
                await people.withdraw(session, other.owner, invitation)
            with pytest.raises(people_rules.UnknownInvitation):
                await people.invite_again(session, other.owner, invitation, language="en", now=NOON)
            with pytest.raises(people_rules.UnknownInvitation):
                await people.withdraw(session, company.owner, new_id())
            for act in (people.remove, people.withdraw):
                with pytest.raises(rules.NotTheOwner):
                    await act(session, sven, new_id())
        assert ask(database, "select count(*) from advertiser_invitations") == [(1,)]
