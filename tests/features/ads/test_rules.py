"""When an ad may start and when it pays: every refusal at its edge, and which one comes first."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.errors import DomainError
from rewards_app.features.ads import rules
from rewards_app.features.ads.rules import (
    DAILY_LIMIT,
    LONGEST_REPORT,
    SITTING_ENDS_AFTER,
    History,
    Sitting,
    Status,
    WatchedAd,
)
from tests.people import NOON

THIRTY_SECONDS = timedelta(seconds=30)
SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)
NOTHING_BEFORE = History()


def a_watched_ad(**changes) -> WatchedAd:
    known = {
        "status": Status.RUNNING,
        "started_at": NOON,
        "required": THIRTY_SECONDS,
        "reward": 15,
        "expires_at": rules.expiry(THIRTY_SECONDS, now=NOON),
    }
    return WatchedAd(**known | changes)


def finish(view: WatchedAd, history: History = NOTHING_BEFORE, *, after: timedelta) -> int:
    return rules.coins_for(view, history, now=NOON + after)


class TestCoinsFor:
    def test_pays_the_reward_exactly_on_time(self):
        assert finish(a_watched_ad(), after=THIRTY_SECONDS) == 15

    def test_pays_what_was_promised_at_the_start(self):
        assert finish(a_watched_ad(reward=50), after=THIRTY_SECONDS) == 50

    @pytest.mark.parametrize(
        ("watched", "missing"), [(29, 1), (1, 29), (0, 30), (29.999, 1), (28.001, 2), (-5, 35)]
    )
    def test_refuses_an_ad_watched_too_short_and_says_by_how_much(self, watched, missing):
        with pytest.raises(rules.WatchedTooShort) as refusal:
            finish(a_watched_ad(), after=timedelta(seconds=watched))
        assert refusal.value.params == {"count": missing}

    def test_refuses_a_second_payment(self):
        with pytest.raises(rules.AlreadyRewarded):
            finish(a_watched_ad(status=Status.REWARDED), after=THIRTY_SECONDS)

    @pytest.mark.parametrize("status", [Status.GIVEN_UP, Status.REFUSED, Status.EXPIRED])
    def test_refuses_a_view_that_is_over(self, status: Status):
        with pytest.raises(rules.ViewEnded):
            finish(a_watched_ad(status=status), after=THIRTY_SECONDS)

    def test_pays_up_to_the_last_moment(self):
        assert finish(a_watched_ad(), after=THIRTY_SECONDS + rules.FINISH_WITHIN) == 15

    def test_refuses_a_view_finished_after_its_last_moment(self):
        with pytest.raises(rules.ViewExpired):
            finish(a_watched_ad(), after=THIRTY_SECONDS + rules.FINISH_WITHIN + MILLISECOND)

    def test_pays_when_the_last_payment_is_as_long_ago_as_the_ad_is_long(self):
        history = History(1, NOON)
        assert finish(a_watched_ad(), history, after=THIRTY_SECONDS) == 15

    def test_refuses_completions_closer_together_than_the_ad_is_long(self):
        history = History(1, NOON + MILLISECOND)
        with pytest.raises(rules.TooQuick):
            finish(a_watched_ad(), history, after=THIRTY_SECONDS)

    def test_refuses_while_the_last_payment_is_still_to_come(self):
        """The clock was ahead when it was made."""
        with pytest.raises(rules.TooQuick):
            finish(a_watched_ad(), History(1, NOON + timedelta(hours=1)), after=THIRTY_SECONDS)

    def test_pays_the_last_ad_of_the_day(self):
        assert finish(a_watched_ad(), History(DAILY_LIMIT - 1), after=THIRTY_SECONDS) == 15

    @pytest.mark.parametrize("rewarded", [DAILY_LIMIT, DAILY_LIMIT + 1])
    def test_refuses_more_than_the_daily_limit(self, rewarded: int):
        with pytest.raises(rules.DailyLimitAtFinish):
            finish(a_watched_ad(), History(rewarded), after=THIRTY_SECONDS)

    def test_names_the_first_check_that_fails(self):
        """Each view has all the faults that come after the one it is refused for."""
        at_the_limit = History(DAILY_LIMIT, NOON + timedelta(hours=1))
        expired = {"expires_at": NOON - SECOND}
        order = [
            (a_watched_ad(status=Status.REWARDED, **expired), rules.AlreadyRewarded),
            (a_watched_ad(status=Status.GIVEN_UP, **expired), rules.ViewEnded),
            (a_watched_ad(**expired), rules.ViewExpired),
            (a_watched_ad(), rules.WatchedTooShort),
            (a_watched_ad(started_at=NOON - THIRTY_SECONDS), rules.TooQuick),
        ]
        assert [refusal_of(view, at_the_limit) for view, _ in order] == [why for _, why in order]

    @given(
        st.timedeltas(timedelta(0), timedelta(minutes=9)),
        st.timedeltas(timedelta(0), timedelta(minutes=9)),
    )
    def test_never_pays_before_the_required_time_was_watched(self, after, paused):
        view = a_watched_ad(paused=paused)
        try:
            finish(view, after=after)
        except rules.WatchedTooShort:
            assert after - paused < THIRTY_SECONDS
        else:
            assert after - paused >= THIRTY_SECONDS


def refusal_of(view: WatchedAd, history: History) -> type[DomainError]:
    with pytest.raises(DomainError) as refusal:
        rules.coins_for(view, history, now=NOON)
    return refusal.type


class TestAnEndThatWasHeardOf:
    """In time, while nobody could pay for it."""

    ON_TIME = NOON + THIRTY_SECONDS
    LAST = rules.expiry(THIRTY_SECONDS, now=NOON)

    def pays(self, *, heard_at: datetime, now: datetime, **changes: object) -> int:
        view = a_watched_ad(**changes)
        return rules.coins_for(view, NOTHING_BEFORE, heard_at=heard_at, now=now)

    @pytest.mark.parametrize("heard_at", [ON_TIME, LAST])
    def test_is_paid_half_an_hour_later(self, heard_at: datetime):
        assert self.pays(heard_at=heard_at, now=heard_at + rules.HEARD_FOR) == 15

    @pytest.mark.parametrize(
        ("heard_at", "now"),
        [
            (ON_TIME, ON_TIME + rules.HEARD_FOR + SECOND),
            (LAST + SECOND, LAST + SECOND),
            (ON_TIME - SECOND, LAST + SECOND),
        ],
        ids=["is not waited for longer", "came too late", "was none yet"],
    )
    def test_is_too_late_otherwise(self, heard_at: datetime, now: datetime):
        with pytest.raises(rules.ViewExpired):
            self.pays(heard_at=heard_at, now=now)

    def test_was_none_where_pauses_were_missing_then(self):
        with pytest.raises(rules.ViewExpired):
            self.pays(heard_at=self.ON_TIME, now=self.LAST + SECOND, paused=SECOND)

    def test_pays_for_no_view_that_is_over_by_now(self):
        with pytest.raises(rules.ViewEnded):
            self.pays(heard_at=self.ON_TIME, now=self.LAST + SECOND, status=Status.EXPIRED)

    @pytest.mark.parametrize(
        ("heard_at", "paused", "over_at"),
        [
            (ON_TIME, 0 * SECOND, ON_TIME),
            (None, 0 * SECOND, LAST),
            (ON_TIME - SECOND, 0 * SECOND, LAST),
            (ON_TIME, SECOND, LAST),
            (LAST + SECOND, 0 * SECOND, LAST),
        ],
        ids=["was true", "is heard now", "was none yet", "lacked a pause", "another clock"],
    )
    def test_is_when_the_ad_was_over(
        self, heard_at: datetime | None, paused: timedelta, over_at: datetime
    ):
        view = a_watched_ad(paused=paused)
        assert rules.over_at(view, heard_at=heard_at, now=self.LAST) == over_at


class TestWatchedTime:
    def test_runs_on_the_servers_clock(self):
        assert rules.watched_time(a_watched_ad(), now=NOON + 12 * SECOND) == 12 * SECOND

    def test_leaves_pauses_out(self):
        view = a_watched_ad(paused=5 * SECOND)
        assert rules.watched_time(view, now=NOON + 12 * SECOND) == 7 * SECOND

    def test_stands_still_in_a_pause(self):
        view = a_watched_ad(paused_at=NOON + 10 * SECOND)
        assert rules.watched_time(view, now=NOON + timedelta(minutes=5)) == 10 * SECOND

    def test_of_a_pause_that_goes_on_after_earlier_ones_leaves_all_out(self):
        view = a_watched_ad(paused=4 * SECOND, paused_at=NOON + 10 * SECOND)
        assert rules.watched_time(view, now=NOON + timedelta(minutes=5)) == 6 * SECOND


def asks_to_start(**changes) -> None:
    known = {"age": 21, "rewarded_today": 0, "sitting": Sitting(), "now": NOON}
    rules.refuse_start(**known | changes)


def a_full_sitting(*, started: timedelta = timedelta(minutes=30), **changes) -> Sitting:
    """Fifteen ads, the last of which started so long ago."""
    known = {
        "started_at": NOON - timedelta(hours=2),
        "last_started_at": NOON - started,
        "rewarded": 15,
    }
    return Sitting(**known | changes)


class TestRefuseStart:
    def test_lets_a_player_start_their_first_ad(self):
        asks_to_start()

    def test_refuses_who_has_not_said_when_they_were_born(self):
        with pytest.raises(rules.AgeNotVerified):
            asks_to_start(age=None)

    def test_lets_a_player_start_the_last_ad_of_the_day(self):
        asks_to_start(rewarded_today=DAILY_LIMIT - 1)

    def test_refuses_the_first_ad_after_the_daily_limit(self):
        with pytest.raises(rules.DailyLimitReached):
            asks_to_start(rewarded_today=DAILY_LIMIT)

    def test_lets_a_minor_start_the_last_ad_of_a_sitting(self):
        asks_to_start(age=17, sitting=a_full_sitting(rewarded=14))

    def test_refuses_a_minor_the_first_ad_after_a_sitting(self):
        with pytest.raises(rules.SittingIsOver) as refusal:
            asks_to_start(age=17, sitting=a_full_sitting())
        assert refusal.value.params == {"count": 30, "age": 18, "ads": 15}

    def test_lets_a_grown_up_sit_as_long_as_they_like(self):
        asks_to_start(age=18, sitting=a_full_sitting())

    def test_lets_a_minor_begin_a_new_sitting_after_the_rest(self):
        asks_to_start(age=17, sitting=a_full_sitting(started=SITTING_ENDS_AFTER))

    @pytest.mark.parametrize(
        ("rested", "wait"),
        [
            (timedelta(minutes=59, seconds=59), 1),
            (timedelta(minutes=59), 1),
            (timedelta(minutes=58, seconds=59), 2),
            (timedelta(seconds=1), 60),
            (timedelta(0), 60),
        ],
    )
    def test_says_in_how_many_whole_minutes_the_next_sitting_may_begin(self, rested, wait):
        with pytest.raises(rules.SittingIsOver) as refusal:
            asks_to_start(age=17, sitting=a_full_sitting(started=rested))
        assert refusal.value.params == {"count": wait, "age": 18, "ads": 15}

    @pytest.mark.parametrize(
        ("sitting", "wait"),
        [
            (a_full_sitting(), timedelta(minutes=30)),
            (a_full_sitting(rewarded=14), None),
            (a_full_sitting(started=SITTING_ENDS_AFTER), None),
            (Sitting(), None),
        ],
    )
    def test_says_until_when_a_break_lasts(self, sitting: Sitting, wait: timedelta | None):
        assert rules.break_until(sitting, now=NOON) == (NOON + wait if wait else None)

    def test_names_the_first_check_that_fails(self):
        faults = {"rewarded_today": DAILY_LIMIT, "sitting": a_full_sitting()}
        with pytest.raises(rules.AgeNotVerified):
            asks_to_start(age=None, **faults)
        with pytest.raises(rules.DailyLimitReached):
            asks_to_start(age=17, **faults)


class TestSittings:
    def test_have_ended_before_the_first_ad(self):
        assert rules.is_over(Sitting(), now=NOON)

    def test_end_an_hour_after_the_last_start(self):
        sitting = Sitting(NOON, NOON)
        assert not rules.is_over(sitting, now=NOON + SITTING_ENDS_AFTER - MILLISECOND)
        assert rules.is_over(sitting, now=NOON + SITTING_ENDS_AFTER)


class TestMidnights:
    @pytest.mark.parametrize(
        ("ads", "left_today", "days"),
        [(0, 0, 0), (36, 36, 0), (37, 36, 1), (86, 36, 1), (87, 36, 2), (50, 0, 1), (51, 0, 2)],
    )
    def test_are_those_until_so_many_ads_are_watched(self, ads: int, left_today: int, days: int):
        assert rules.midnights_before(ads, left_today=left_today) == days


class TestReports:
    @pytest.mark.parametrize("reason", rules.ReportReason)
    def test_take_each_of_our_reasons(self, reason: rules.ReportReason):
        assert rules.report_from(reason.value, "") == (reason, "")

    @pytest.mark.parametrize(
        "reason", ["", "Broken", "broken ", "boring", "REPORT_REASON", "x" * 999]
    )
    def test_refuse_every_other_reason(self, reason: str):
        with pytest.raises(rules.BadReport) as refusal:
            rules.report_from(reason, "")
        assert [*refusal.value.faults] == ["reason"]

    def test_take_a_text_of_the_greatest_length(self):
        assert rules.report_from("other", "ö" * LONGEST_REPORT)[1] == "ö" * LONGEST_REPORT

    def test_refuse_a_text_of_one_letter_more(self):
        with pytest.raises(rules.ReportTooLong) as refusal:
            rules.report_from("other", "ö" * (LONGEST_REPORT + 1))
        assert refusal.value.params == {"field": "text", "most": LONGEST_REPORT}

    def test_keep_one_blank_between_words(self):
        assert rules.report_from("other", "  a\n\n b\t ")[1] == "a b"


class TestSafeUrls:
    @pytest.mark.parametrize(
        "url",
        ["https://northlight.example", "https://northlight.example/a?b=c#d", "HTTPS://x.example"],
    )
    def test_are_web_pages(self, url: str):
        assert rules.is_safe_url(url, allows_http=False)

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "northlight.example",
            "//northlight.example",
            "/ads/clip.webm",
            "javascript:alert(1)",
            "data:text/html,hi",
            "ftp://northlight.example",
            "https://",
            "https:///path",
            "https://user@northlight.example",
            "https://user:word@northlight.example",
            "https://:@northlight.example",
            "https://[half",
        ],
    )
    def test_are_nothing_else(self, url: str):
        assert not rules.is_safe_url(url, allows_http=True)

    def test_may_be_plain_http_only_where_it_is_allowed(self):
        assert rules.is_safe_url("http://northlight.example", allows_http=True)
        assert not rules.is_safe_url("http://northlight.example", allows_http=False)


class TestATag:
    @pytest.mark.parametrize(
        ("url", "tagged"),
        [
            (
                "https://fjord.example/",
                "https://fjord.example/?utm_source=watchcoins&utm_medium=rewarded"
                "&utm_campaign=Winter+sale&utm_content=Hear+%26+see",
            ),
            (
                "https://fjord.example/x?utm_source=own&a=#top",
                "https://fjord.example/x?utm_source=own&a=&utm_medium=rewarded"
                "&utm_campaign=Winter+sale&utm_content=Hear+%26+see#top",
            ),
        ],
    )
    def test_names_campaign_and_ad_and_leaves_what_was_there(self, url: str, tagged: str):
        assert rules.tagged(url, "Winter sale", "Hear & see") == tagged


class TestInTheirPlaces:
    @pytest.mark.parametrize(
        ("shown", "listed", "then"),
        [
            ("abcd", "abcd", "abcd"),
            ("abcd", "dcba", "abcd"),
            ("abcd", "xacd", "axcd"),
            ("abcd", "xabcd", "abcdx"),
            ("abcd", "acd", "adc"),
            ("abcd", "xycd", "xycd"),
            ("abcd", "ad", "ad"),
            ("abcd", "b", "b"),
            ("ab", "xyz", "xyz"),
            ("", "ab", "ab"),
            ("ab", "", ""),
        ],
    )
    def test_whatever_stays_is_not_moved_but_into_a_gap(self, shown: str, listed: str, then: str):
        assert "".join(rules.in_their_places([*shown], [*listed])) == then


class TestRefusals:
    @pytest.mark.parametrize(
        "refusal",
        [
            rules.AlreadyWatching,
            rules.UnknownView,
            rules.AlreadyRewarded,
            rules.ViewExpired,
            rules.WatchedTooShort,
            rules.TooQuick,
            rules.DailyLimitAtFinish,
        ],
    )
    def test_that_leave_a_reason_or_a_signal_are_recorded(self, refusal: type[DomainError]):
        assert refusal.is_recorded

    def test_end_a_view_only_when_it_could_never_be_finished(self):
        assert set(rules.ENDING) == {rules.DailyLimitAtFinish, rules.ViewExpired}
