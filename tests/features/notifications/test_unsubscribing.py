"""Whoever has a mail can switch its topic off, and on again; and nothing else, of nobody else."""

import base64
import re
from pathlib import Path

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import rows, transaction
from rewards_app.core.ids import new_id
from rewards_app.core.mail import Letter, composed
from rewards_app.features.notifications import letters, service, unsubscribing
from rewards_app.features.notifications.rules import (
    ABOUT,
    BY_MAIL_UNLESS_CHOSEN,
    CompanyTopic,
    Kind,
    Topic,
)
from rewards_app.features.notifications.unsubscribing import Subscription
from rewards_app.i18n import catalogues
from rewards_app.models import Advertiser, AdvertiserMember
from tests.ads import the_actor, the_player
from tests.people import NOON, an_account
from tests.queued import as_read

APP = Path(__file__).parents[3] / "rewards_app"
QUEUED = "select args from procrastinate_jobs where task_name = 'send_mail' order by id"
KIND_OF = {topic: next(k for k in Kind if ABOUT[k].topic is topic) for topic in Topic}

OPTIONAL = {
    *("notified", "gathered"),
    *("ad_approved", "ad_rejected", "campaign_ended_budget", "campaign_ended_date"),
    "weekly_report",
    *("waitlist_confirm", "waitlist_open"),
}
REQUIRED = {
    *("verify", "reset", "already_registered", "invitation"),
    *("purchase_delivered", "purchase_delivered_demo", "purchase_refunded", "purchase_taken"),
    *("payment_refused", "payment_returned", "payment_taken"),
    *("top_up_paid", "top_up_partly_returned", "top_up_returned", "top_up_taken"),
    *("top_up_refused", "top_up_taken_late", "top_up_too_late"),
    *("advertiser_approved", "advertiser_rejected", "company_suspended"),
    "campaign_ended_admin",
    *("account_suspended", "account_suspended_company", "account_restored"),
    *("earning_paused", "earning_resumed", "earning_resumed_suspended"),
    *("coins_expiring", "coins_expired", "export_ready"),
    *("account_closing", "account_closing_soon", "account_kept", "account_erased"),
    *("account_closing_balance", "account_closing_soon_balance"),
}
REQUIRED_FAMILIES = ("security_", "support_", "factor_reset_", "guardian_")
"""What is about somebody's access, money, data or question comes whatever they chose."""


async def wants(session_actor: Actor, topic: str) -> bool:
    async with transaction() as session:
        found = await service.choices(session, session_actor)
    return next(by_mail for one, by_mail in found.items() if one.value == topic)


async def chooses(actor: Actor, topic: str, by_mail: bool) -> None:
    async with transaction() as session:
        await service.choose(session, actor, topic, by_mail)


async def happens(actor: Actor, kind: Kind) -> None:
    params = {"who": "Sven", "title": "Loadout", "reason": ["settings.title"], "note": ""}
    async with transaction() as session:
        await service.tell(
            session,
            actor.user_id,
            kind,
            link="/forum",
            cause=str(new_id()),
            now=NOON,
            **params | {"name": ["settings.title"]},
        )
        await letters.tell_gathered(session, now=NOON)


async def queued() -> list[Letter]:
    async with transaction() as session:
        return [Letter(**as_read(row[0])) for row in await rows(session, QUEUED, {})]


def token_in(letter: Letter) -> str:
    return letter.unsubscribe.partition("?token=")[2]


async def clicks(token: str, *, by_mail: bool = False) -> Subscription | None:
    async with transaction() as session:
        return await unsubscribing.choose(session, token, by_mail=by_mail)


async def looks(token: str) -> Subscription | None:
    async with transaction() as session:
        return await unsubscribing.find(session, token)


async def acts_for_a_company(actor: Actor) -> None:
    company = Advertiser(company_name="Northlight", status="approved")
    async with transaction() as session:
        session.add(company)
        await session.flush()
        session.add(
            AdvertiserMember(account_id=actor.user_id, advertiser_id=company.id, role="owner")
        )


@pytest.mark.usefixtures("database")
class TestALinkOfAMail:
    @pytest.mark.parametrize("topic", list(Topic))
    async def test_switches_its_topic_off_for_good_and_on_again(self, topic: Topic):
        maja = await the_player("Maja")
        await chooses(maja, topic, True)
        await happens(maja, KIND_OF[topic])
        [letter] = await queued()
        found = await clicks(token_in(letter))
        assert found == Subscription([topic], "en", by_mail=False)
        assert not await wants(maja, topic)
        await happens(maja, KIND_OF[topic])
        assert len(await queued()) == 1
        await clicks(token_in(letter), by_mail=True)
        assert await wants(maja, topic)

    async def test_of_a_gathered_mail_switches_off_all_that_it_told(self):
        maja = await the_player("Maja")
        for topic in ("mentions", "replies"):
            await chooses(maja, topic, True)
        async with transaction() as session:
            for kind in (Kind.MENTION, Kind.REPLY):
                said = {"who": "Sven", "title": "Loadout"}
                await service.tell(
                    session, maja.user_id, kind, link="/forum", cause=kind, now=NOON, **said
                )
            await letters.tell_gathered(session, now=NOON)
        [letter] = await queued()
        await clicks(token_in(letter))
        assert not await wants(maja, "mentions")
        assert not await wants(maja, "replies")

    async def test_may_be_used_twice(self):
        maja = await the_player("Maja")
        token = unsubscribing.token_for(maja.user_id, "moderation")
        assert await clicks(token) == await clicks(token)
        assert not await wants(maja, "moderation")

    async def test_changes_nothing_when_it_is_looked_at(self):
        maja = await the_player("Maja")
        token = unsubscribing.token_for(maja.user_id, "moderation")
        assert await looks(token) == Subscription([Topic.MODERATION], "en", by_mail=True)
        assert await wants(maja, "moderation")

    async def test_touches_no_other_topic_and_nobody_else(self):
        maja, emil = await the_player("Maja"), await the_player("Emil")
        for actor in (maja, emil):
            await chooses(actor, "replies", True)
        await clicks(unsubscribing.token_for(maja.user_id, "replies"))
        assert await wants(maja, "moderation")
        assert await wants(emil, "replies")

    async def test_fits_on_one_line_of_a_header(self):
        link = unsubscribing.link_for(new_id(), [Topic.MENTIONS, Topic.REPLIES])
        assert len(f"List-Unsubscribe: <{link}>") < 998


@pytest.mark.usefixtures("database")
class TestABadToken:
    async def test_does_nothing(self):
        maja, emil = await the_player("Maja"), await the_player("Emil")
        token = unsubscribing.token_for(maja.user_id, "moderation")
        known = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        others = emil.user_id.bytes + known[16:]
        another_topic = known[:32] + b"replies"
        bad = ["", "x", token[:-1], token + "A", "é" * 40, "=" * 40, "A" * 5000, token + "\n"]
        bad += [base64.urlsafe_b64encode(raw).decode() for raw in (others, another_topic)]
        for one in bad:
            assert await looks(one) is None
            assert await clicks(one) is None
        assert await wants(maja, "moderation")
        assert await wants(emil, "moderation")

    async def test_is_one_of_an_account_that_is_gone(self):
        assert await clicks(unsubscribing.token_for(new_id(), "moderation")) is None

    @pytest.mark.parametrize("topic", ["everything", "", "reviews"])
    async def test_is_one_of_a_topic_that_its_owner_has_not(self, topic: str):
        maja = await the_player("Maja")
        assert await clicks(unsubscribing.token_for(maja.user_id, topic)) is None

    async def test_is_one_of_an_account_that_is_being_deleted(self):
        maja = await the_player("Maja")
        token = unsubscribing.token_for(maja.user_id, "moderation")
        async with transaction() as session:
            connection = await session.connection()
            await connection.exec_driver_sql("update accounts set closed_at = now()")
        assert await clicks(token) is None


@pytest.mark.usefixtures("database")
class TestWhoActsForACompany:
    @pytest.mark.parametrize("role", [Role.COMPANY, Role.PLAYER])
    async def test_chooses_about_its_mails_for_themselves(self, role: Role):
        actor = the_actor(await an_account("elin@example.com", role=role))
        async with transaction() as session:
            assert not set(CompanyTopic) & set(await service.choices(session, actor))
        await acts_for_a_company(actor)
        for topic in CompanyTopic:
            assert await wants(actor, topic)
            link = service.unsubscribe_link(actor.user_id, topic)
            await clicks(link.partition("?token=")[2])
            assert not await wants(actor, topic)
            await chooses(actor, topic, True)
            assert await wants(actor, topic)


class TestEveryMail:
    def test_can_be_done_without_or_cannot(self):
        names = {
            key.split(".")[1] for key in catalogues.mails("en") if re.match(r"mails\.\w+\.", key)
        }
        required = {name for name in names if name.startswith(REQUIRED_FAMILIES)} | REQUIRED
        assert names - required == OPTIONAL
        assert names >= REQUIRED | OPTIONAL

    def test_is_sent_with_a_link_to_unsubscribe_where_it_can_be_done_without(self):
        naming = {
            path.relative_to(APP / "features").as_posix()
            for path in (APP / "features").rglob("*.py")
            if "unsubscribe=" in path.read_text("utf-8")
        }
        assert naming == {
            "notifications/letters.py",
            "advertiser/letters.py",
            "advertiser/reports.py",
            "waitlist/letters.py",
        }

    def test_that_is_required_offers_none(self):
        assert (
            composed(Letter("maja@example.com", "en", "verify", "http://x"))["List-Unsubscribe"]
            is None
        )

    def test_begins_with_what_was_promised(self):
        assert {Topic.MODERATION, *CompanyTopic} == BY_MAIL_UNLESS_CHOSEN
