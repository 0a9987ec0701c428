"""How an ad of each type is shown while it is watched: one row a type."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t

Ad = Any
"""The ad in the player: a dict that the state fills."""


class AdVideo(rx.Component):
    """Plays with sound where the browser lets it; where it cannot play, its poster stands."""

    library = "$/public/player"
    tag = "AdVideo"

    source: rx.Var[str]
    poster: rx.Var[str]
    failed_text: rx.Var[str]
    mute_label: rx.Var[str]
    unmute_label: rx.Var[str]


class AdPicture(rx.Component):
    library = "$/public/player"
    tag = "AdPicture"

    source: rx.Var[str]
    alt: rx.Var[str]
    failed_text: rx.Var[str]
    is_banner: rx.Var[bool]


def video(ad: Ad) -> rx.Component:
    return AdVideo.create(
        source=ad["video_url"].to(str),
        poster=ad["image_url"].to(str),
        failed_text=t("watch.video_failed"),
        mute_label=t("watch.mute"),
        unmute_label=t("watch.unmute"),
    )


def image(ad: Ad) -> rx.Component:
    return _picture(ad, is_banner=False)


def banner(ad: Ad) -> rx.Component:
    return _picture(ad, is_banner=True)


def _picture(ad: Ad, *, is_banner: bool) -> rx.Component:
    return AdPicture.create(
        source=ad["image_url"].to(str),
        alt=ad["title"].to(str),
        failed_text=t("watch.picture_failed"),
        is_banner=is_banner,
    )


KINDS: dict[str, Callable[[Ad], rx.Component]] = {"video": video, "image": image, "banner": banner}


def creative(ad: Ad) -> rx.Component:
    """What the advertiser made, as its type is shown."""
    rows = [(kind, show(ad)) for kind, show in KINDS.items()]
    return rx.match(ad["kind"].to(str), *rows, image(ad))  # pyright: ignore[reportReturnType]
