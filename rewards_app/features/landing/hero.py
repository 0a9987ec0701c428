"""The picture on the landing page: an ad that is being watched, drawn by us."""

import reflex as rx

from rewards_app.ui.brand import coin

_GRID = (
    "M0 300h640M0 326h640M0 350h640"
    "M320 262L40 360M320 262L180 360M320 262v98M320 262l140 98M320 262l280 98"
)
_PORTAL = "M276 262c0-46 20-84 44-84s44 38 44 84z"
_SUN = (0, 55, 100)
_GEM = "M300 196l20-34 20 34-20 18z"


def picture() -> rx.Component:
    """Decoration only: it shows how a watched ad looks, and no figure of anybody."""
    return rx.el.div(
        rx.el.div(_scene(), _prize(), class_name="hero-scene relative aspect-video"),
        rx.el.div(
            rx.el.span("0:19"),
            rx.el.div(
                rx.el.div(
                    class_name="h-full w-[62%] rounded-full bg-linear-to-r from-purple to-cyan"
                ),
                class_name="h-2 flex-1 overflow-hidden rounded-full bg-raised",
            ),
            rx.el.span("0:30"),
            class_name="tnum flex items-center gap-3.5 bg-panel px-4.5 py-4 text-sm text-quiet",
        ),
        class_name="glow overflow-hidden rounded-2xl border border-line",
        aria_hidden="true",
    )


def _scene() -> rx.Component:
    return rx.el.svg(
        rx.el.svg.defs(
            rx.el.svg.linear_gradient(
                *(rx.el.svg.stop(offset=f"{at}%", class_name=f"hero-sun-{at}") for at in _SUN),
                id="hero-sun",
                x1="0",
                y1="0",
                x2="0",
                y2="1",
            )
        ),
        rx.el.svg.path(d=_GRID, class_name="hero-grid"),
        rx.el.svg.circle(cx="320", cy="190", r="86", class_name="hero-sun"),
        rx.el.svg.path(d=_PORTAL, class_name="hero-portal"),
        rx.el.svg.path(d=_GEM, class_name="hero-gem"),
        view_box="0 0 640 360",
        class_name="absolute inset-0 size-full",
    )


def _prize() -> rx.Component:
    return rx.el.span(
        coin(18),
        "+15",
        class_name=(
            "hero-prize tnum absolute top-4 right-4 flex h-10 items-center gap-2 rounded-full"
            " border px-3.5 font-display text-lg font-bold"
        ),
    )
