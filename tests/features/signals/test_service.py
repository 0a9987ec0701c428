"""Each rule notices what it should, also when the call was refused; and nothing is blocked."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.signals import rules, service
from rewards_app.features.signals.rules import Rule
from rewards_app.models import Ad
from tests.ads import NOON, SECOND, an_ad, finishes, starts, the_player, the_players, watches

pytestmark = pytest.mark.usefixtures("database")
DAY = timedelta(hours=24)
ON_TIME = NOON + 5 * SECOND
FINGERPRINT = "canvas:9f1c0a;fonts:214;zone:Europe/Stockholm"

Signals = Callable[[Actor], list[tuple[str, int, dict[str, Any]]]]


@pytest.fixture
async def ad(database: str) -> Ad:
    return await an_ad()


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def view(maja: Actor, ad: Ad) -> RunningAd:
    return await starts(maja, ad)


@pytest.fixture
def signals(database: str) -> Signals:
    """The rules that noticed a player, with the risk and the evidence, in order."""

    def of(player: Actor) -> list[tuple[str, int, dict[str, Any]]]:
        with psycopg.connect(database) as connection:
            return connection.execute(
                "select rule, risk_score, evidence from fraud_signals where account_id = %s"
                " order by created_at, id",
                (player.user_id,),
            ).fetchall()

    return of


async def is_refused(player: Actor, view: RunningAd | Any, *, now=ON_TIME) -> None:
    with pytest.raises(DomainError):
        await finishes(player, view, now=now)


async def notes(player: Actor, rule: Rule, *, now=NOON) -> int:
    async with transaction() as session:
        return await service.note(session, player.user_id, rule, now=now)


class TestWhatIsNoticed:
    async def test_nothing_of_an_honest_player(self, maja: Actor, ad: Ad, signals: Signals):
        for number in range(3):
            await watches(maja, ad, now=NOON + number * 60 * SECOND)
        assert signals(maja) == []

    async def test_an_early_completion(self, maja: Actor, view: RunningAd, signals: Signals):
        await is_refused(maja, view, now=NOON + 2 * SECOND)
        assert signals(maja) == [
            (
                "early_completion",
                10,
                {"view": str(view.view_id), "required_seconds": 5, "watched_seconds": 2},
            )
        ]

    async def test_a_replayed_completion(self, maja, view, signals: Signals):
        await finishes(maja, view, now=ON_TIME)
        await is_refused(maja, view)
        assert [(rule, risk) for rule, risk, _ in signals(maja)] == [("replayed_completion", 10)]

    async def test_a_second_ad_in_another_tab(self, maja, ad, view, signals: Signals):
        with pytest.raises(DomainError):
            await starts(maja, ad, tab="b")
        assert signals(maja) == [("parallel_sessions", 5, {"view": str(view.view_id)})]

    async def test_a_second_ad_once_however_often_it_is_pressed(self, maja, ad, view, signals):
        for second in range(14):
            with pytest.raises(DomainError):
                await starts(maja, ad, tab="b", now=NOON + second * SECOND / 4)
        assert signals(maja) == [("parallel_sessions", 5, {"view": str(view.view_id)})]

    async def test_a_second_ad_again_beside_the_next_one(self, maja, ad, view, signals):
        with pytest.raises(DomainError):
            await starts(maja, ad, tab="b")
        following = await starts(maja, ad, now=NOON + SECOND)
        with pytest.raises(DomainError):
            await starts(maja, ad, tab="b", now=NOON + 2 * SECOND)
        noted = [(risk, evidence["view"]) for _, risk, evidence in signals(maja)]
        assert noted == [(5, str(view.view_id)), (10, str(following.view_id))]

    async def test_completions_closer_together_than_the_ads_are_long(self, maja, ad, signals):
        await watches(maja, ad)
        second = await starts(maja, ad, now=NOON)
        await is_refused(maja, second, now=NOON + 6 * SECOND)
        assert [(rule, risk) for rule, risk, _ in signals(maja)] == [("impossible_pace", 30)]

    async def test_another_players_session(self, maja, view, signals: Signals):
        emil = await the_player("Emil")
        await is_refused(emil, view)
        assert signals(emil) == [("foreign_session", 40, {"view": str(view.view_id)})]
        assert signals(maja) == []

    async def test_a_session_that_was_made_up(self, maja: Actor, signals: Signals):
        made_up = new_id()
        await is_refused(maja, made_up)
        assert signals(maja) == [("made_up_session", 25, {"view": str(made_up)})]

    @pytest.mark.parametrize("claimed", [11, 3600, 2**31 - 1])
    async def test_a_page_whose_clock_runs_otherwise(self, maja, view, signals, claimed: int):
        await finishes(maja, view, now=ON_TIME, client_seconds=claimed)
        assert signals(maja) == [("clock_mismatch", 5, {"client_seconds": claimed})]

    @pytest.mark.parametrize("claimed", [0, 5, 10])
    async def test_no_page_whose_clock_is_a_little_off(self, maja, view, signals, claimed: int):
        await finishes(maja, view, now=ON_TIME, client_seconds=claimed)
        assert signals(maja) == []

    async def test_nothing_of_an_ad_that_was_finished_too_late(self, maja, view, signals):
        await is_refused(maja, view, now=NOON + timedelta(hours=1))
        assert signals(maja) == []


class TestTheScore:
    async def test_passes_over_what_a_newer_version_has_noted(self, maja: Actor, database: str):
        await notes(maja, Rule.FOREIGN_SESSION)
        with psycopg.connect(database) as connection:
            connection.execute("update fraud_signals set rule = 'of_tomorrow'")
        assert await notes(maja, Rule.CLOCK_MISMATCH) == 5

    async def test_adds_up(self, maja: Actor, signals: Signals):
        for rule in (Rule.EARLY_COMPLETION, Rule.EARLY_COMPLETION, Rule.MADE_UP_SESSION):
            await notes(maja, rule)
        assert [risk for _, risk, _ in signals(maja)] == [10, 18, 43]

    async def test_stops_at_a_hundred(self, maja: Actor):
        risks = [await notes(maja, Rule.FOREIGN_SESSION) for _ in range(5)]
        assert risks == [40, 70, 100, 100, 100]

    async def test_forgets_after_a_day(self, maja: Actor):
        await notes(maja, Rule.FOREIGN_SESSION, now=NOON)
        assert await notes(maja, Rule.FOREIGN_SESSION, now=NOON + DAY) == 70
        assert await notes(maja, Rule.CLOCK_MISMATCH, now=NOON + 2 * DAY + SECOND) == 5

    async def test_of_one_player_is_no_other_players(self, maja: Actor):
        await notes(maja, Rule.FOREIGN_SESSION)
        assert await notes(await the_player("Emil"), Rule.CLOCK_MISMATCH) == 5

    async def test_of_a_hundred_blocks_nothing(self, maja: Actor, ad: Ad):
        for _ in range(5):
            await notes(maja, Rule.FOREIGN_SESSION)
        assert (await watches(maja, ad)).coins == 15


class TestWithoutAnEnd:
    """What a page can do again and again leaves no more than decides anything."""

    async def test_an_ad_finished_too_early(self, maja: Actor, ad: Ad, view, database: str):
        for number in range(rules.ENOUGH_OF_A_RULE + 20):
            await is_refused(maja, view, now=NOON + number * SECOND / 100)
        with psycopg.connect(database) as connection:
            kept = connection.execute("select count(*), max(risk_score) from fraud_signals")
            counted = connection.execute("select sum(signals)::int from fraud_days")
            waiting = connection.execute("select count(*) from procrastinate_jobs")
            assert kept.fetchone() == (rules.ENOUGH_OF_A_RULE, 100)
            assert counted.fetchone() == (rules.ENOUGH_OF_A_RULE,)
            assert waiting.fetchone() == (1,)
        assert (await finishes(maja, view, now=ON_TIME)).coins == 15

    @pytest.mark.parametrize("rule", [rule for rule in Rule if rules.WEIGHTS[rule].each_more])
    async def test_is_enough_to_decide_whatever_it_weighs(self, rule: Rule):
        lightest = rules.DEFAULT.with_weights({rule: rules.Weight(1, 1)})
        risk = rules.risk_of_counts({rule: rules.ENOUGH_OF_A_RULE}, lightest)
        assert risk == rules.HIGHEST_RISK

    async def test_one_thing_hides_no_other_and_another_day_is_noted_anew(
        self, maja: Actor, signals: Signals
    ):
        enough = rules.ENOUGH_OF_A_RULE
        for _ in range(enough):
            await notes(maja, Rule.CLOCK_MISMATCH)
        assert await notes(maja, Rule.CLOCK_MISMATCH) == 5
        assert await notes(maja, Rule.FOREIGN_SESSION) == 45
        assert await notes(maja, Rule.CLOCK_MISMATCH, now=NOON + DAY + SECOND) == 5
        assert len(signals(maja)) == enough + 2


class TestSharedDevices:
    async def share(self, ad: Ad, accounts: int, *, now=NOON) -> list[Actor]:
        """So many players start an ad on one device, one after the other."""
        players = [await the_player(f"Player{number}") for number in range(accounts)]
        for player in players:
            await starts(player, ad, fingerprint=FINGERPRINT, now=now)
        return players

    async def test_of_a_household_are_no_signal(self, ad: Ad, signals: Signals):
        players = await self.share(ad, rules.ACCOUNTS_A_DEVICE)
        assert [signals(player) for player in players] == [[], [], []]

    async def test_of_more_accounts_are_a_signal(self, ad: Ad, signals: Signals):
        *_, fourth = await self.share(ad, rules.ACCOUNTS_A_DEVICE + 1)
        assert signals(fourth) == [("shared_device", 15, {"accounts": 4})]

    @pytest.mark.parametrize(("others", "noticed"), [(-1, 1), (0, 0), (50, 0)])
    async def test_of_a_whole_model_of_phone_are_no_signal(
        self, maja: Actor, ad: Ad, signals: Signals, database: str, others: int, noticed: int
    ):
        owners = await the_players(rules.ACCOUNTS_A_MODEL + others)
        device = service.device_hash(FINGERPRINT)
        with psycopg.connect(database) as connection:
            connection.cursor().executemany(
                "insert into device_uses values (%s, %s, %s, %s)",
                [(device, owner.user_id, NOON, NOON) for owner in owners],
            )
        await starts(maja, ad, fingerprint=FINGERPRINT)
        expected = ("shared_device", 15, {"accounts": rules.ACCOUNTS_A_MODEL})
        assert signals(maja) == [expected] * noticed

    async def test_are_a_signal_once_a_day(self, ad: Ad, signals: Signals):
        *_, fourth = await self.share(ad, rules.ACCOUNTS_A_DEVICE + 1)
        for hours in (1, 23, 24):
            at = NOON + timedelta(hours=hours)
            await starts(fourth, ad, fingerprint=FINGERPRINT, now=at)
        assert len(signals(fourth)) == 1
        await starts(fourth, ad, fingerprint=FINGERPRINT, now=NOON + DAY + SECOND)
        assert len(signals(fourth)) == 2

    async def test_are_forgotten_after_a_month(self, ad: Ad, signals: Signals):
        await self.share(ad, rules.ACCOUNTS_A_DEVICE)
        later = NOON + rules.DEVICE_REMEMBERED_FOR + SECOND
        wilma = await the_player("Wilma")
        await starts(wilma, ad, fingerprint=FINGERPRINT, now=later)
        assert signals(wilma) == []

    async def test_block_nothing(self, ad: Ad):
        *_, fourth = await self.share(ad, rules.ACCOUNTS_A_DEVICE + 1)
        assert (await watches(fourth, ad, now=NOON + 60 * SECOND)).coins == 15

    async def test_are_nothing_that_a_browser_without_a_fingerprint_has(self, ad: Ad, database):
        for number in range(rules.ACCOUNTS_A_DEVICE + 1):
            await starts(await the_player(f"Player{number}"), ad, fingerprint="")
        assert everything_kept_of_devices(database) == ""


class TestFingerprints:
    async def test_are_kept_as_a_keyed_hash_only(self, maja: Actor, ad: Ad, database: str):
        await starts(maja, ad, fingerprint=FINGERPRINT)
        kept = everything_kept_of_devices(database)
        assert service.device_hash(FINGERPRINT) in kept
        assert FINGERPRINT not in kept

    def test_cannot_be_guessed_without_the_secret(self, monkeypatch: pytest.MonkeyPatch):
        ours = service.device_hash(FINGERPRINT)
        monkeypatch.setattr(service, "settings", lambda: type("Other", (), {"secret": "another"}))
        assert service.device_hash(FINGERPRINT) != ours

    def test_that_differ_are_different_devices(self):
        assert service.device_hash("a") != service.device_hash("b")

    @pytest.mark.parametrize("fingerprint", ["\ud800", "ö" * 10_000, "\0"])
    def test_of_any_characters_are_hashed(self, fingerprint: str):
        assert len(service.device_hash(fingerprint)) == 64

    def test_that_are_empty_are_no_device(self):
        assert service.device_hash("") == ""


def everything_kept_of_devices(database: str) -> str:
    with psycopg.connect(database) as connection:
        rows = connection.execute(
            "select device_hash from device_uses union all"
            " select device_hash from ad_views union all select evidence::text from fraud_signals"
        ).fetchall()
    return "".join(row[0] for row in rows)
