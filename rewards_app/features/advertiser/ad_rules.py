"""Ads: what a company may show, and for how long and how many coins. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rewards_app.core.errors import DomainError, Faults, FieldRefused
from rewards_app.features.ads.funding import Gap
from rewards_app.features.advertiser import fields

LONGEST_TITLE = 80
LONGEST_DESCRIPTION = 300
SHORTEST_SECONDS, LONGEST_SECONDS, USUAL_SECONDS = 5, 60, 30
FEWEST_COINS, MOST_COINS, USUAL_COINS = 5, 50, 15


class Kind(StrEnum):
    VIDEO = "video"
    IMAGE = "image"
    BANNER = "banner"


class Status(StrEnum):
    PENDING_REVIEW = "pending_review"
    ACTIVE = "active"
    PAUSED = "paused"
    REJECTED = "rejected"


class UnknownKind(FieldRefused):
    code = "ads_desk.unknown_kind"


class CannotPause(DomainError):
    code = "ads_desk.cannot_pause"


class CannotResume(DomainError):
    """Only an ad that was approved and then paused can be shown again."""

    code = "ads_desk.cannot_resume"


@dataclass(frozen=True, slots=True)
class Draft:
    """What a company types when it makes an ad."""

    title: str
    description: str
    kind: Kind
    video_url: str
    image_url: str
    click_url: str
    seconds: int
    coins: int


def draft_from(form: Mapping[str, str], *, allows_http: bool) -> Draft:
    """Without numbers the usual ones; a type's own address is needed, the other is dropped."""
    with Faults(form) as faults:
        title = faults.field(fields.line_from, "title", longest=LONGEST_TITLE)
        description = faults.field(fields.text_from, "description", longest=LONGEST_DESCRIPTION)
        creative = faults.read(_creative_from, form, allows_http=allows_http)
        click_url = faults.field(fields.address_from, "click_url", allows_http=allows_http)
        seconds = faults.read(
            fields.number_from,
            form.get("duration", str(USUAL_SECONDS)),
            "duration",
            least=SHORTEST_SECONDS,
            most=LONGEST_SECONDS,
        )
        coins = faults.read(
            fields.number_from,
            form.get("reward_coins", str(USUAL_COINS)),
            "reward_coins",
            least=FEWEST_COINS,
            most=MOST_COINS,
        )
    return Draft(title, description, *creative, click_url, seconds, coins)


def _creative_from(form: Mapping[str, str], *, allows_http: bool) -> tuple[Kind, str, str]:
    """Its type, and what is shown: a video's address or an image's."""
    kind = _kind_from(form.get("ad_type", Kind.VIDEO.value))
    shown_at = "video_url" if kind is Kind.VIDEO else "image_url"
    shown = fields.address_from(
        form.get(shown_at, ""), shown_at, required=True, allows_own=True, allows_http=allows_http
    )
    return (kind, shown, "") if kind is Kind.VIDEO else (kind, "", shown)


def written(draft: Draft) -> dict[str, str]:
    """As a form shows it."""
    return {
        "title": draft.title,
        "description": draft.description,
        "ad_type": draft.kind.value,
        "video_url": draft.video_url,
        "image_url": draft.image_url,
        "click_url": draft.click_url,
        "duration": str(draft.seconds),
        "reward_coins": str(draft.coins),
    }


def resumed(gap: Gap, *, is_review_due: bool) -> Status:
    """What a paused ad becomes: no review is due any more where its price covers its reward."""
    return Status.PENDING_REVIEW if is_review_due and gap is not Gap.NONE else Status.ACTIVE


SHOWN = ("ad_type", "video_url", "image_url")
"""What players see: these fields mean something only together."""


def retyped(form: Mapping[str, str], shown: Mapping[str, str]) -> dict[str, str]:
    """What was typed over what the form showed, with all that players see where any of it was."""
    typed = fields.retyped(form, shown)
    creative = {name: form[name] for name in SHOWN if name in form}
    return typed | creative if typed.keys() & creative.keys() else typed


BLANK = written(Draft("", "", Kind.VIDEO, "", "", "", USUAL_SECONDS, USUAL_COINS))


def _kind_from(raw: str) -> Kind:
    if raw not in set(Kind):
        raise UnknownKind("ad_type")
    return Kind(raw)
