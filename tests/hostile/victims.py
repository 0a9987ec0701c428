"""Others with something of everything: what no attack may reach, because it is there."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, LiteralString

import psycopg

from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller, digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.ads import serving
from rewards_app.features.advertiser import people
from rewards_app.models import (
    AccountClosure,
    AccountIdentity,
    AccountRestriction,
    AdReport,
    CoinExpiryNotice,
    DataExport,
    DataExportPart,
    EmailLink,
    FactorReset,
    ForumDecision,
    ForumDraft,
    ForumLike,
    ForumReport,
    FraudSignal,
    FraudSimulation,
    GiftCode,
    Notification,
    NotificationChoice,
    PasskeyChallenge,
    PaymentEvent,
    Profile,
    SecurityAlert,
    SignInStep,
    SignInTicket,
    Streak,
    UnlockedAchievement,
    UserGame,
)
from tests import tickets
from tests.ads import starts, the_actor
from tests.campaigns import runs
from tests.companies import Company, a_company, a_member, asks, payment_of, pays_in
from tests.factors import a_passkey, an_app
from tests.forum import a_reply, a_topic
from tests.guardians import has_consent
from tests.hostile.identities import a_new_email
from tests.people import an_account, signed_in
from tests.shop import PRICE, THE_PACKAGE, buys, earns, stock
from tests.waitlist import somebody_waits

FOR_A_DAY = timedelta(days=1)
"""Longer than any attack: what ends by itself would look like a trace of one."""
_AT_REST: Sequence[LiteralString] = (
    "update payments set look_at = now() + interval '1 day', expires_at = now() + interval '1 day'"
    " where status = 'open'",
    "update ad_views set expires_at = now() + interval '1 day' where status = 'running'",
)


async def put_to_rest(inside: psycopg.Connection[Any]) -> None:
    """What jobs write down of whatever waits for its hour would be no trace of an attack.

    Called beside the app: which ads can be served is what the next sweep would make of it.
    """
    for statement in _AT_REST:
        inside.execute(statement)
    async with transaction() as session:
        await serving.sync(session, now=utc_now())


async def the_victims(inside: psycopg.Connection) -> set[str]:
    """A player, an admin and a company; called beside the app that is attacked."""
    viktor = await _somebody("Viktor", Role.PLAYER)
    sigrid = await _somebody("Sigrid", Role.ADMIN)
    company = await a_company(
        f"Victims {secrets.token_hex(4)}",
        owner=await _somebody("Vera", Role.COMPANY),
        dollars=1_000,
    )
    await _advertises(company, viktor)
    await _shops(viktor)
    await _writes(viktor, sigrid)
    await _signs_in(viktor)
    await _is_known(viktor)
    await _administers(sigrid, viktor)
    await somebody_waits(at=utc_now())
    await put_to_rest(inside)
    return {str(one.user_id) for one in (viktor, sigrid, company.owner)}


async def _somebody(name: str, role: Role) -> Actor:
    return the_actor(await an_account(a_new_email(name.lower()), role, name=name, now=utc_now()))


async def _has(*rows: object) -> None:
    async with transaction() as session:
        for row in rows:
            session.add(row)
            await session.flush()


async def _advertises(company: Company, viktor: Actor) -> None:
    """A campaign that runs, money that was paid in and money that was not, a colleague to come."""
    now = utc_now()
    begins, ends = now.date().isoformat(), (now + timedelta(days=30)).date().isoformat()
    _, ad_id = await runs(company, now=now, start_date=begins, end_date=ends)
    await a_member(company)
    async with transaction() as session:
        await people.invite(
            session, company.owner, {"colleague": a_new_email()}, language="en", now=now
        )
    await asks(company)
    payment = await payment_of(await pays_in(company))
    await _has(
        PaymentEvent(
            id=f"evt_{new_id().hex}",
            kind="checkout.session.completed",
            payload="{}",
            payment_id=payment.id,
            outcome="paid",
        ),
        AdReport(ad_id=ad_id, account_id=viktor.user_id, reason="other", text="It is too loud."),
    )
    await starts(viktor, ad_id, fingerprint="a browser", now=utc_now())


async def _shops(viktor: Actor) -> None:
    """An order that is done, and one that waits for its money."""
    now = utc_now()
    await stock(2, THE_PACKAGE)
    await earns(viktor, 2 * PRICE, now=now)
    await buys(viktor, PRICE, now=now)
    await buys(viktor, PRICE // 2, now=now)


async def _writes(viktor: Actor, sigrid: Actor) -> None:
    now, me = utc_now(), viktor.user_id
    post_id = await a_topic(viktor, now=now)
    await a_reply(viktor, post_id, now=now)
    await _has(
        ForumDraft(account_id=me, category="fortnite", title="A word", content="Not yet said."),
        ForumReport(account_id=me, reply_id=await a_reply(sigrid, post_id, now=now), reason="spam"),
        ForumDecision(post_id=post_id, action="restore", reason="Fine.", by_account_id=me),
    )
    other_id = await a_topic(sigrid, title="Rules of the house", now=now)
    await _has(ForumLike(account_id=me, post_id=other_id))


async def _signs_in(viktor: Actor) -> None:
    """By each of the ways that there are, some of them half-way."""
    now, me = utc_now(), viktor.user_id
    later, door = now + FOR_A_DAY, secrets.token_hex(32)
    await signed_in(me, Caller(door_hash=digest(door)), now=now)
    await an_app(me, now=now)
    await a_passkey(me, now=now)
    await _has(
        AccountIdentity(account_id=me, provider="google", subject=new_id().hex),
        SignInTicket(
            token_hash=secrets.token_hex(32), account_id=me, door_hash=door, expires_at=later
        ),
        SignInStep(
            token_hash=secrets.token_hex(32), account_id=me, door_hash=door, expires_at=later
        ),
        EmailLink(
            token_hash=secrets.token_hex(32), account_id=me, purpose="reset", expires_at=later
        ),
        PasskeyChallenge(account_id=me, purpose="prove", challenge=b"0" * 32, expires_at=later),
        FactorReset(account_id=me, cancel_hash=secrets.token_hex(32), ready_at=later),
    )


async def _is_known(viktor: Actor) -> None:
    """What the app keeps about a player, whatever they do."""
    now, me = utc_now(), viktor.user_id
    later = now + FOR_A_DAY
    export = DataExport(
        account_id=me,
        status="ready",
        token_hash=secrets.token_hex(32),
        ready_at=now,
        expires_at=later,
    )
    number = await tickets.asks(viktor, now=now)
    await tickets.replies(viktor, number, "Is anybody there?", now=now)
    await has_consent(viktor)
    await _has(
        export,
        DataExportPart(export_id=export.id, position=0, content=b"all that is known"),
        AccountClosure(account_id=me, due_at=later, cancelled_at=now),
        CoinExpiryNotice(account_id=me, inactive_since=now, first_told_at=now, coins=1),
        Notification(account_id=me, kind="support_answer", params={"number": 1, "title": "A word"}),
        NotificationChoice(account_id=me, topic="replies", by_mail=True),
        Profile(account_id=me, bio="I play at night."),
        Streak(
            account_id=me, days=1, best=1, day_starts_at=now, day_ends_at=later, holds_until=later
        ),
        UnlockedAchievement(account_id=me, achievement="first_watch", celebrated_at=now),
        UserGame(account_id=me, title="Hollow Fjord", is_custom=True),
    )


async def _administers(sigrid: Actor, viktor: Actor) -> None:
    code = f"CODE-{new_id().hex}"
    await _has(
        AccountRestriction(
            account_id=viktor.user_id,
            kind="earning_paused",
            reason="Too many at once.",
            begun_by=sigrid.user_id,
            ended_at=utc_now(),
        ),
        FraudSignal(account_id=viktor.user_id, rule="replayed_completion", risk_score=1),
        FraudSimulation(asked_by=sigrid.user_id, status="done", since=utc_now()),
        GiftCode(
            package_id=THE_PACKAGE,
            code=code,
            fingerprint=secrets.token_hex(32),
            imported_by=sigrid.user_id,
        ),
        SecurityAlert(
            severity="low",
            alert_type="session_in_two_places",
            description="Somebody knocked.",
            account_id=viktor.user_id,
        ),
    )
