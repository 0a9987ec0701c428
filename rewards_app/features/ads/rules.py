"""When an ad may start, and when watching it earns coins. Pure: no database, no clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from rewards_app.core.errors import DomainError, FieldRefused, TooManyAttempts

DAILY_LIMIT = 50
LISTED_ADS = 10
LISTED_TIMES = 3
ADULT_AT = 18
ADS_A_SITTING = 15
SITTING_ENDS_AFTER = timedelta(minutes=60)
FINISH_WITHIN = timedelta(minutes=10)
"""How long after its required time an ad can still be finished: pauses and lost connections."""
HEARD_FOR = timedelta(minutes=30)
"""How long an end that was heard of in time waits until we can pay: as a silent session does."""
LONGEST_REPORT = 300
A_MINUTE, A_DAY = timedelta(minutes=1), timedelta(days=1)
STARTS_A_MINUTE, STARTS_A_DAY = 20, 300
"""So often an ad may be started, whatever becomes of it: each start is an impression."""


class Status(StrEnum):
    RUNNING = "running"
    REWARDED = "rewarded"
    REFUSED = "refused"
    GIVEN_UP = "given_up"
    EXPIRED = "expired"


class ReportReason(StrEnum):
    MISLEADING = "misleading"
    OFFENSIVE = "offensive"
    BROKEN = "broken"
    UNSAFE_LINK = "unsafe_link"
    OTHER = "other"


SECURITY_CHECK = "errors.ads.security_check"


class AgeNotVerified(DomainError):
    """Coins are for people who have said when they were born."""

    code = "ads.age_not_verified"


class DailyLimitReached(DomainError):
    """Before the start."""

    code = "ads.daily_limit"
    title = "errors.ads.daily_limit_title"


class SittingIsOver(DomainError):
    """Under the `age`, a sitting has so many `ads`; in `count` minutes the next one may begin."""

    code = "ads.sitting_over"
    title = "errors.ads.sitting_over_title"


class AlreadyWatching(DomainError):
    """Another tab or device of this player shows a running ad."""

    code = "ads.already_watching"
    title = "errors.ads.already_watching_title"
    is_recorded = True


class EarningPaused(DomainError):
    """`why` is an admin's reason, or a key of the catalogue in a list."""

    code = "ads.earning_paused"
    title = "errors.ads.earning_paused_title"


class Suspended(DomainError):
    """Its player's account was suspended while the ad ran."""

    code = "ads.suspended"


class NoAdToShow(DomainError):
    """No ad is eligible right now."""

    code = "ads.no_ad"
    title = "errors.ads.no_ad_title"


class NotStarted(DomainError):
    """Something of ours broke: no ad has begun."""

    code = "ads.not_started"
    title = "errors.ads.no_ad_title"


class UnknownView(DomainError):
    """A session that is made up, or another's."""

    code = "ads.unknown_view"
    title = SECURITY_CHECK
    is_recorded = True


class AlreadyRewarded(DomainError):
    code = "ads.already_rewarded"
    title = SECURITY_CHECK
    is_recorded = True


class ViewEnded(DomainError):
    """The player left the ad, or started another one instead."""

    code = "ads.view_ended"
    title = SECURITY_CHECK


class ViewExpired(DomainError):
    """Finished long after its time."""

    code = "ads.view_expired"
    title = SECURITY_CHECK
    is_recorded = True


class WatchedTooShort(DomainError):
    """`count` seconds are missing by the server's clock. Nothing is lost: the rest can follow."""

    code = "ads.watched_too_short"
    title = SECURITY_CHECK
    is_recorded = True


class TooQuick(DomainError):
    """Completions came closer together than the ads are long."""

    code = "ads.too_quick"
    title = SECURITY_CHECK
    is_recorded = True


class DailyLimitAtFinish(DomainError):
    code = "ads.daily_limit_at_finish"
    title = SECURITY_CHECK
    is_recorded = True


class UnknownAd(DomainError):
    code = "ads.unknown_ad"


class BadReport(FieldRefused):
    """No reason of ours."""

    code = "ads.bad_report"


class ReportTooLong(FieldRefused):
    """More than `most` characters."""

    code = "ads.report_too_long"


class UnknownZone(DomainError):
    """A time zone that does not exist."""

    code = "ads.unknown_zone"


ENDING: dict[type[DomainError], Status] = {
    DailyLimitAtFinish: Status.REFUSED,
    ViewExpired: Status.EXPIRED,
}
"""Refusals after which the view is over; after the others the player can go on watching."""


AFTER_THE_END = (TooQuick, DailyLimitAtFinish)
"""Refusals of a view that was watched to its end, by our own clock."""


@dataclass(frozen=True, slots=True)
class WatchedAd:
    """A view when its player says that it is finished."""

    status: Status
    started_at: datetime
    required: timedelta
    reward: int
    expires_at: datetime
    paused: timedelta = timedelta(0)
    paused_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class History:
    """What the player was paid before."""

    rewarded_today: int = 0
    last_rewarded_at: datetime | None = None


def watched_time(view: WatchedAd, *, now: datetime) -> timedelta:
    """By the server's clock alone, without the pauses."""
    return (view.paused_at or now) - view.started_at - view.paused


def is_too_late(view: WatchedAd, *, heard_at: datetime | None = None, now: datetime) -> bool:
    """Whether its time is over.

    It is not where its end was heard of in time, and it is we who are late.
    """
    if now <= view.expires_at:
        return False
    if heard_at is None or heard_at > view.expires_at or now - heard_at > HEARD_FOR:
        return True
    return watched_time(view, now=heard_at) < view.required


def over_at(view: WatchedAd, *, heard_at: datetime | None, now: datetime) -> datetime:
    """When its end was first heard of, if that was true; `now` where it is heard of now."""
    if heard_at is None or watched_time(view, now=heard_at) < view.required:
        return now
    return min(heard_at, now)


def coins_for(
    view: WatchedAd, history: History, *, heard_at: datetime | None = None, now: datetime
) -> int:
    """Coins earned by finishing `view` now."""
    if view.status is Status.REWARDED:
        raise AlreadyRewarded
    if view.status is not Status.RUNNING:
        raise ViewEnded
    if is_too_late(view, heard_at=heard_at, now=now):
        raise ViewExpired
    missing = view.required - watched_time(view, now=now)
    if missing > timedelta(0):
        raise WatchedTooShort(count=ceil(missing.total_seconds()))
    if history.last_rewarded_at and now - history.last_rewarded_at < view.required:
        raise TooQuick
    if history.rewarded_today >= DAILY_LIMIT:
        raise DailyLimitAtFinish
    return view.reward


@dataclass(frozen=True, slots=True)
class Sitting:
    """Ads without an hour's break; signing out does not end it."""

    started_at: datetime | None = None
    last_started_at: datetime | None = None
    rewarded: int = 0


@dataclass(frozen=True, slots=True)
class Haste:
    """The oldest of as many last starts as a time may have; None where there are fewer."""

    of_minute: datetime | None = None
    of_day: datetime | None = None


def refuse_haste(haste: Haste, *, now: datetime) -> None:
    """Refuse who starts more ads than anybody watches: a script that collects impressions."""
    begun = ((haste.of_minute, A_MINUTE), (haste.of_day, A_DAY))
    if waits := [oldest + time - now for oldest, time in begun if oldest and now - oldest < time]:
        raise TooManyAttempts(seconds=ceil(max(waits).total_seconds()))


def is_over(sitting: Sitting, *, now: datetime) -> bool:
    """Whether the next ad begins a new sitting."""
    last = sitting.last_started_at
    return last is None or now - last >= SITTING_ENDS_AFTER


def refuse_start(*, age: int | None, rewarded_today: int, sitting: Sitting, now: datetime) -> None:
    """Refuse who may not start an ad now."""
    if age is None:
        raise AgeNotVerified
    if rewarded_today >= DAILY_LIMIT:
        raise DailyLimitReached
    rest = break_until(sitting, now=now) if age < ADULT_AT else None
    if rest:
        raise SittingIsOver(count=ceil((rest - now) / A_MINUTE), age=ADULT_AT, ads=ADS_A_SITTING)


def left_in(sitting: Sitting) -> int:
    return max(0, ADS_A_SITTING - sitting.rewarded)


def break_until(sitting: Sitting, *, now: datetime) -> datetime | None:
    """When a player under 18 may go on; None for whoever may at once."""
    last = sitting.last_started_at
    if last is None or is_over(sitting, now=now) or left_in(sitting):
        return None
    return last + SITTING_ENDS_AFTER


def breaks_between(ads: int, *, left_today: int, left_in_sitting: int | None) -> timedelta:
    """What players under 18 wait between the sittings in which they watch so many.

    `left_in_sitting` is None for whoever needs no break.
    """
    if left_in_sitting is None or ads > left_today:
        # Over several days it is told how long they watch.
        return timedelta(0)
    later = max(0, ads - left_in_sitting)
    return ceil(later / ADS_A_SITTING) * SITTING_ENDS_AFTER


def midnights_before(ads: int, *, left_today: int) -> int:
    """How many days end before so many ads are watched: none for today, one for tomorrow."""
    return ceil(max(0, ads - left_today) / DAILY_LIMIT)


def expiry(required: timedelta, *, now: datetime) -> datetime:
    return now + required + FINISH_WITHIN


def in_their_places(shown: Sequence[str], listed: Sequence[str]) -> list[str]:
    """What is listed now, each where it is shown already: somebody may be about to press it.

    Who is new takes the place of who has gone, or comes last. What is left open then, the last
    ones fill.
    """
    staying = {*shown} & {*listed}
    new = iter([one for one in listed if one not in staying])
    places = [one if one in staying else next(new, None) for one in shown] + [*new]
    while None in places:
        if last := places.pop():
            places[places.index(None)] = last
    return [one for one in places if one]


def report_from(reason: str, text: str) -> tuple[ReportReason, str]:
    text = " ".join(text.split())
    if reason not in set(ReportReason):
        raise BadReport("reason")
    if len(text) > LONGEST_REPORT:
        raise ReportTooLong("text", most=LONGEST_REPORT)
    return ReportReason(reason), text


def is_safe_url(url: str, *, allows_http: bool) -> bool:
    """An address that a browser may be sent to: a web page, without credentials in it."""
    try:
        parts = urlsplit(url)
        has_credentials = parts.username is not None or parts.password is not None
    except ValueError:
        return False
    schemes = {"https", "http"} if allows_http else {"https"}
    return parts.scheme in schemes and bool(parts.hostname) and not has_credentials


def tagged(url: str, campaign: str, ad: str) -> str:
    """The address, telling the company's site which campaign and ad the visitor comes from."""
    tags = {
        "utm_source": "watchcoins",
        "utm_medium": "rewarded",
        "utm_campaign": campaign,
        "utm_content": ad,
    }
    parts = urlsplit(url)
    own = parse_qsl(parts.query, keep_blank_values=True)
    missing = [(name, value) for name, value in tags.items() if name not in dict(own)]
    query = "&".join(filter(None, [parts.query, urlencode(missing)]))
    return urlunsplit(parts._replace(query=query))
