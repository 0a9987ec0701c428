"""Tickets and sessions on a real database."""

import re
from datetime import timedelta

import pytest
import structlog
from sqlalchemy import text

from rewards_app.core.caller import digest
from rewards_app.core.database import run, transaction
from rewards_app.features.accounts import links, rules, sessions
from tests.crowds import all_at_once
from tests.listeners import told
from tests.people import NOON, a_browser, an_account, signed_in

pytestmark = pytest.mark.usefixtures("database")
BROWSER = a_browser()
SECRET = re.compile(r"[\w-]{43,}", re.ASCII)


async def a_ticket(account_id, browser=BROWSER, **options) -> str:
    async with transaction() as session:
        return await sessions.issue_ticket(
            session, account_id, browser, **{"may_log_address": False, "now": NOON} | options
        )


async def redeemed(ticket: str, browser=BROWSER, now=NOON) -> str | None:
    async with transaction() as session:
        return await sessions.redeem_ticket(session, ticket, browser, now=now)


async def actor_behind(secret: str, now=NOON):
    return await sessions.find_actor(digest(secret), now=now)


class TestTickets:
    async def test_opens_a_session_for_its_account(self):
        maja = await an_account()
        secret = await redeemed(await a_ticket(maja.id))
        assert (await actor_behind(secret)).user_id == maja.id

    async def test_opens_once(self):
        ticket = await a_ticket((await an_account()).id)
        assert await redeemed(ticket)
        assert await redeemed(ticket) is None

    async def test_opens_once_for_fifty_at_the_same_time(self):
        ticket = await a_ticket((await an_account()).id)
        secrets = await all_at_once(redeemed(ticket) for _ in range(50))
        assert [type(secret) for secret in secrets if secret] == [str]

    async def test_does_not_open_in_another_browser(self):
        ticket = await a_ticket((await an_account()).id)
        assert await redeemed(ticket, a_browser("b")) is None
        assert await redeemed(ticket, a_browser(door_hash="")) is None

    async def test_ends_after_half_a_minute(self):
        ticket = await a_ticket((await an_account()).id)
        assert await redeemed(ticket, now=NOON + rules.TICKET_LIFETIME) is None

    async def test_is_kept_as_a_hash_only(self):
        ticket = await a_ticket((await an_account()).id)
        async with transaction() as session:
            rows = (await run(session, text("select * from sign_in_tickets"))).all()
        assert ticket not in str(rows)

    async def test_a_new_session_ends_the_one_before_in_the_same_browser(self):
        maja = await an_account()
        old = await signed_in(maja.id, BROWSER)
        again = a_browser(session_hash=digest(old))
        await redeemed(await a_ticket(maja.id, again), again)
        assert await actor_behind(old) is None


class TestTheLog:
    async def test_says_whose_session_began_and_ended_and_no_secret(self):
        maja = await an_account()
        with structlog.testing.capture_logs() as told:
            secret = await signed_in(maja.id, BROWSER)
            async with transaction() as session:
                await sessions.end(session, digest(secret), now=NOON)
        assert [line["event"] for line in told] == ["session.started", "session.ended"]
        assert {line["account_id"] for line in told} == {str(maja.id)}
        assert BROWSER.address not in str(told)
        assert secret not in str(told)


class TestSecrets:
    """What opens something is 256 bits of the system's randomness."""

    async def test_of_tickets_and_sessions_are_long_and_all_different(self):
        maja = await an_account()
        tickets = [await a_ticket(maja.id) for _ in range(20)]
        opened = [await redeemed(ticket) for ticket in tickets]
        assert all(secret and SECRET.fullmatch(secret) for secret in tickets + opened)
        assert len({*tickets, *opened}) == 40

    async def test_of_mailed_links_are_long_and_all_different(self):
        maja = await an_account()
        async with transaction() as session:
            mailed = [links.new(session, maja, links.RESET, now=NOON) for _ in range(20)]
        assert all(map(SECRET.fullmatch, mailed))
        assert len({*mailed}) == 20


class TestSessions:
    async def test_are_kept_as_a_hash_only(self):
        secret = await signed_in((await an_account()).id, BROWSER)
        async with transaction() as session:
            rows = (await run(session, text("select * from account_sessions"))).all()
        assert secret not in str(rows)

    async def test_note_the_address_only_with_consent(self):
        maja = await an_account()
        await redeemed(await a_ticket(maja.id))
        await redeemed(await a_ticket(maja.id, may_log_address=True))
        async with transaction() as session:
            rows = await run(
                session, text("select ip_address from account_sessions order by created_at, id")
            )
            assert [row[0] for row in rows] == [None, "127.0.0.1"]

    async def test_end_after_thirty_minutes_of_silence_since_what_may_not_be_written(self):
        """Who did something 59 seconds after noon has half an hour from then."""
        secret = await signed_in((await an_account()).id, BROWSER)
        silent = NOON + rules.ACTIVITY_STEP + timedelta(minutes=30)
        assert await actor_behind(secret, silent - timedelta(seconds=1))
        assert await actor_behind(secret, silent) is None

    async def test_that_nobody_ended_are_told_as_silent(self):
        secret = await signed_in((await an_account()).id, BROWSER)
        assert await sessions.was_silent(digest(secret), now=NOON + rules.IDLE_LIMIT)

    @pytest.mark.parametrize(("minutes", "silent"), [(1, False), (28, False), (29, True)])
    async def test_that_were_ended_are_told_as_silent_only_after_silence(
        self, minutes: int, silent: bool
    ):
        """Activity is written once a minute, and a page tells its silence after half an hour."""
        secret = await signed_in((await an_account()).id, BROWSER)
        async with transaction() as session:
            await sessions.end(session, digest(secret), now=NOON + timedelta(minutes=minutes))
        assert await sessions.was_silent(digest(secret), now=NOON + timedelta(hours=9)) is silent

    async def test_that_are_forgotten_are_told_as_ended(self):
        assert not await sessions.was_silent(digest("nobody's"), now=NOON)

    async def test_live_on_with_activity(self):
        secret = await signed_in((await an_account()).id, BROWSER)
        later = NOON + timedelta(minutes=29)
        actor = await actor_behind(secret, later)
        async with transaction() as session:
            await sessions.note_activity(session, actor, now=later)
        assert await actor_behind(secret, NOON + timedelta(minutes=58))

    async def test_end_after_thirty_days_whatever_happens(self):
        secret = await signed_in((await an_account()).id, BROWSER)
        last = NOON + rules.SESSION_LIFETIME
        actor = await actor_behind(secret)
        async with transaction() as session:
            await sessions.note_activity(session, actor, now=last)
        assert await actor_behind(secret, last) is None

    async def test_activity_does_not_wake_an_ended_session(self):
        secret = await signed_in((await an_account()).id, BROWSER)
        actor = await actor_behind(secret)
        async with transaction() as session:
            await sessions.end(session, digest(secret), now=NOON)
            await sessions.note_activity(session, actor, now=NOON)
        assert await actor_behind(secret) is None

    async def test_all_but_one_can_be_ended(self):
        maja = await an_account()
        kept, other = await signed_in(maja.id, BROWSER), await signed_in(maja.id, a_browser("b"))
        actor = await actor_behind(kept)
        async with transaction() as session:
            ended = await sessions.end_all(session, maja.id, now=NOON, keep=actor.session_id)
        assert ended == 1
        assert await actor_behind(kept)
        assert await actor_behind(other) is None

    @pytest.mark.parametrize("secret", ["", "made up", "\ud800", "x" * 10_000])
    async def test_nobody_is_behind_a_made_up_secret(self, secret: str):
        assert await actor_behind(secret) is None

    async def test_activity_is_written_once_a_minute(self):
        actor_session = (
            await actor_behind(await signed_in((await an_account()).id, BROWSER))
        ).session_id
        assert sessions.should_write_activity(actor_session)
        assert not sessions.should_write_activity(actor_session)


class TestAlive:
    async def test_lists_those_that_are_used_the_latest_first(self):
        maja = await an_account()
        await signed_in(maja.id, a_browser("a"))
        await signed_in(maja.id, a_browser("b"), now=NOON + timedelta(minutes=5))
        async with transaction() as session:
            found = await sessions.alive(session, maja.id, now=NOON + timedelta(minutes=6))
        assert [each.user_agent for each in found] == ["browser b", "browser a"]

    async def test_leaves_out_idle_ended_and_foreign_ones(self):
        maja, noor = await an_account(), await an_account("noor@example.com", name="Noor")
        ended = await signed_in(maja.id, a_browser("a"))
        await signed_in(maja.id, a_browser("b"), now=NOON - rules.IDLE_LIMIT - rules.ACTIVITY_STEP)
        await signed_in(noor.id, a_browser("c"))
        async with transaction() as session:
            await sessions.end(session, digest(ended), now=NOON)
            assert not await sessions.alive(session, maja.id, now=NOON)


class TestRevoke:
    async def test_ends_another_session_of_ones_own(self):
        maja = await an_account()
        here, there = [await signed_in(maja.id, a_browser(name)) for name in "ab"]
        async with transaction() as session:
            await sessions.revoke(
                session, await actor_behind(here), (await actor_behind(there)).session_id, now=NOON
            )
        assert await actor_behind(there) is None
        assert await actor_behind(here)

    async def test_never_the_one_that_asks(self):
        maja = await actor_behind(await signed_in((await an_account()).id, BROWSER))
        with pytest.raises(rules.NoSuchSession):
            async with transaction() as session:
                await sessions.revoke(session, maja, maja.session_id, now=NOON)

    async def test_never_somebody_elses(self):
        maja = await actor_behind(await signed_in((await an_account()).id, BROWSER))
        noor = await an_account("noor@example.com", name="Noor")
        theirs = await signed_in(noor.id, a_browser("b"))
        with pytest.raises(rules.NoSuchSession):
            async with transaction() as session:
                await sessions.revoke(
                    session, maja, (await actor_behind(theirs)).session_id, now=NOON
                )
        assert await actor_behind(theirs)

    async def test_says_so_where_it_has_ended_already(self):
        maja = await an_account()
        here, there = [await actor_behind(await signed_in(maja.id, a_browser(n))) for n in "ab"]
        async with transaction() as session:
            await sessions.revoke(session, here, there.session_id, now=NOON)
        with pytest.raises(rules.NoSuchSession):
            async with transaction() as session:
                await sessions.revoke(session, here, there.session_id, now=NOON)


ENDINGS = (sessions.SESSION_ENDED, sessions.SESSION_TAKEN)


class TestWhoseDoingItWas:
    """Pages that are led out by somebody else's are told so."""

    async def test_signing_out_is_ones_own(self):
        own = digest(await signed_in((await an_account()).id, BROWSER))
        with told(*ENDINGS) as heard:
            async with transaction() as session:
                await sessions.end(session, own, now=NOON)
        assert list(heard.values()) == [[own], []]

    async def test_a_revoked_one_was_ended_from_elsewhere(self):
        maja = await an_account()
        here, there = [await signed_in(maja.id, a_browser(name)) for name in "ab"]
        revoked = (await actor_behind(there)).session_id
        with told(*ENDINGS) as heard:
            async with transaction() as session:
                await sessions.revoke(session, await actor_behind(here), revoked, now=NOON)
        assert list(heard.values()) == [[], [digest(there)]]

    async def test_of_all_that_end_one_may_have_done_it(self):
        maja = await an_account()
        own, other = [digest(await signed_in(maja.id, a_browser(name))) for name in "ab"]
        with told(*ENDINGS) as heard:
            async with transaction() as session:
                await sessions.end_all(session, maja.id, now=NOON, own=own)
        assert list(heard.values()) == [[own], [other]]
