"""Somebody who has done everything that the app offers, in words that nobody else uses."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
from sqlmodel import col, select

from rewards_app.core import mail
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import rows, transaction
from rewards_app.core.sealed import fingerprint
from rewards_app.core.settings import settings
from rewards_app.features.accounts import restrictions, roles, sessions, signing_up
from rewards_app.features.accounts.restriction_rules import Kind as RestrictionKind
from rewards_app.features.alerts import service as alerts
from rewards_app.features.audit import service as audit
from rewards_app.features.forum import drafts, likes, replies, reports, topics
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.legal import service as legal
from rewards_app.features.privacy import exports
from rewards_app.features.profile import service as profile
from rewards_app.features.profile import shelf
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule
from rewards_app.models import (
    Account,
    AccountIdentity,
    AdReport,
    AdvertiserInvitation,
    ForumPost,
    GuardianConsent,
    WaitlistEntry,
)
from tests import factors, tickets
from tests.ads import Ad, the_actor, watches
from tests.companies import Company
from tests.people import a_sign_up
from tests.shop import buys, earns
from tests.shop import stock as in_stock

JOINED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
AN_HOUR = timedelta(hours=1)
A_DAY = timedelta(days=1)


@dataclass
class Words:
    """What names one person, and what they say: each of it is found nowhere else."""

    seed: str
    email: str = ""
    name: str = ""
    other_name: str = ""
    phone: str = "+46701740605"
    born: str = "1997-04-23"
    address: str = "203.0.113.77"
    said: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.email = f"{self.seed}.wrzos@quillfern.example"
        self.name = f"{self.seed.capitalize()} Wrzos"
        self.other_name = f"{self.seed.capitalize()}Plays"

    @property
    def handle(self) -> str:
        return f"{self.seed}_wrzos"

    def says(self, what: str) -> str:
        """A word of theirs for one place."""
        word = f"{self.seed}-{what}-thistle"
        self.said.append(word)
        return word

    @property
    def browser(self) -> Caller:
        return Caller(
            tab=f"tab-{self.seed}",
            address=self.address,
            user_agent=f"Mozilla/5.0 ({self.seed}-agent) Firefox/140.0",
            door_hash=digest(f"door of {self.seed}"),
        )

    @property
    def everything(self) -> list[str]:
        """Whatever could lead to them, with the hashes that we keep."""
        return [
            *(self.seed, self.email, self.name, self.other_name, self.phone, self.born),
            *(self.address, self.handle, self.browser.user_agent, self.browser.door_hash),
            *(fingerprint(self.address), signals.device_hash(f"{self.seed} device")),
            *self.said,
        ]


async def joins(words: Words) -> Actor:
    """Signs up, is verified, says their age, signs in twice, and proves it is them."""
    form = a_sign_up(words.email, name=words.name, phone=words.phone)
    async with transaction() as session:
        await signing_up.sign_up(session, form, words.browser, language="sv", now=JOINED)
    async with transaction() as session:
        query = select(Account).where(Account.email == words.email)
        account = (await session.exec(query)).one()
        account.email_verified_at = JOINED
        session.add(account)
        session.add(
            AccountIdentity(
                account_id=account.id, provider="discord", subject=words.says("provider")
            )
        )
        await legal.note_reading(session, account.id, at_sign_up=True, now=JOINED)
    actor = the_actor(account)
    for _ in range(2):
        async with transaction() as session:
            ticket = await sessions.issue_ticket(
                session, account.id, words.browser, may_log_address=True, now=JOINED
            )
        async with transaction() as session:
            assert await sessions.redeem_ticket(session, ticket, words.browser, now=JOINED)
    async with transaction() as session:
        await rows(
            session,
            "update accounts set age_verified_at = %(now)s where id = %(id)s returning id",
            {"now": JOINED, "id": account.id},
        )
        account = await session.get(Account, account.id, populate_existing=True)
        assert account
        account.birth_date = words.born
        session.add(account)
        await signals.note_device(
            session, account.id, signals.device_hash(f"{words.seed} device"), now=JOINED
        )
    await factors.an_app(account.id, now=JOINED)
    return replace(actor, is_age_verified=True)


async def talks(words: Words, who: Actor, other: Actor) -> tuple[UUID, UUID]:
    """Topics, replies, likes, reports, a draft; others call and answer them."""
    call = f"@{words.handle}"
    async with transaction() as session:
        await topics.post(
            session,
            who,
            "fortnite",
            words.says("title"),
            words.says("content"),
            language="en",
            now=JOINED + AN_HOUR,
        )
    async with transaction() as session:
        await topics.post(
            session,
            other,
            "roblox",
            "Where is everybody tonight",
            f"Has {call} been here? Or {call.upper()}, as we write it.",
            language="en",
            now=JOINED + 2 * AN_HOUR,
        )
        query = select(ForumPost).where(col(ForumPost.author_id).in_([who.user_id, other.user_id]))
        found = await session.exec(query.order_by(col(ForumPost.created_at)))
        own, others = (post.id for post in found.all())
    async with transaction() as session:
        await replies.reply(
            session, other, own, f"Thank you {call}!", language="en", now=JOINED + 3 * AN_HOUR
        )
    async with transaction() as session:
        await replies.reply(
            session, who, others, words.says("reply"), language="en", now=JOINED + 4 * AN_HOUR
        )
        await likes.like(session, who, Target.POST, others, True, now=JOINED + 4 * AN_HOUR)
        await likes.like(session, other, Target.POST, own, True, now=JOINED + 4 * AN_HOUR)
        await reports.report(
            session,
            who,
            Target.POST,
            others,
            "spam",
            words.says("report"),
            now=JOINED + 4 * AN_HOUR,
        )
        await drafts.keep(
            session,
            who,
            post_id=None,
            category="fortnite",
            title=words.says("drafttitle"),
            content=words.says("draft"),
            now=JOINED + 4 * AN_HOUR,
        )
    return own, others


async def does_everything(words: Words, who: Actor, admin: Actor, ad: Ad) -> None:
    """Profile, games, ads, coins, shop, support, checks, decisions by admins."""
    seed, now = words.seed, JOINED + A_DAY
    async with transaction() as session:
        form = {"display_name": words.other_name, "bio": words.says("bio")}
        await profile.describe(session, who, form, now=now)
        await shelf.add(
            session,
            who,
            {
                "kind": "custom",
                "title": words.says("game"),
                "platform": "PC",
                "description": words.says("gametext"),
            },
            now=now,
        )
    await watches(who, ad, now=now)
    await earns(who, 200, now=now)
    await in_stock()
    await buys(who, 89, now=now)
    ticket = await tickets.asks(
        who,
        name=words.name,
        email=words.email,
        subject=words.says("subject"),
        message=f"{words.says('question')} and a few more words of it",
        now=now,
    )
    await tickets.looks_into(admin, ticket, now=now)
    await tickets.answers(admin, ticket, f"Dear {words.name}, {words.says('answer')}", now=now)
    async with transaction() as session:
        await signals.note(
            session, who.user_id, Rule.SHARED_DEVICE, now=now, seen=words.says("evidence")
        )
        await restrictions.begin(
            session,
            who.user_id,
            RestrictionKind.EARNING_PAUSED,
            f"{words.says('restriction')} of {words.other_name}",
            by=admin.user_id,
            now=now,
        )
        await restrictions.end(
            session,
            who.user_id,
            RestrictionKind.EARNING_PAUSED,
            words.says("lifted"),
            by=admin.user_id,
            now=now,
        )
        await alerts.raise_alert(
            session,
            alerts.Kind.ADMIN_MADE,
            account_id=who.user_id,
            address=words.address,
            now=now,
            name=words.other_name,
            by="Linnea",
        )
        await alerts.raise_alert(
            session,
            alerts.Kind.SIGN_INS_FAILED,
            about=f"address:{fingerprint(words.address)}",
            address=words.address,
            now=now,
            failures=10,
        )
        session.add(
            AdReport(
                ad_id=ad.id, account_id=who.user_id, reason="other", text=words.says("adreport")
            )
        )
        session.add(WaitlistEntry(email=words.email, user_agent=words.browser.user_agent))
        session.add(
            GuardianConsent(
                account_id=who.user_id,
                email=f"{seed}-mother@quillfern.example",
                name=f"{seed} mother",
                status="given",
                token_hash=digest(f"guardian of {seed}"),
                expires_at=now,
            )
        )
        await audit.record(
            session,
            admin,
            audit.Action.ORDER_REFUNDED,
            "order:none",
            label=words.other_name,
            reason=f"{words.email} asked for it as {words.says('auditword')}",
            now=now,
        )
        await exports.ask(session, who, now=now)
    async with transaction() as session:
        await roles.change(
            session, admin, who.user_id, Role.MODERATOR, words.says("promoted"), now=now
        )
    async with transaction() as session:
        await mail.send(
            session,
            mail.Letter(
                words.email,
                "sv",
                "account_kept",
                "https://x",
                {"support": settings().support_email},
            ),
        )


async def is_invited(words: Words, company: Company, *, now: datetime = JOINED) -> None:
    async with transaction() as session:
        session.add(
            AdvertiserInvitation(
                advertiser_id=company.id,
                email=words.email,
                token_hash=digest(f"invitation of {words.seed}"),
                invited_by=company.owner.user_id,
                expires_at=now + 30 * A_DAY,
            )
        )


def failed_letters(url: str) -> None:
    """What could not be sent lies there for good, with its address."""
    with psycopg.connect(url) as connection:
        connection.execute("update procrastinate_jobs set status = 'failed' where id % 2 = 0")
