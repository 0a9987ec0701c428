"""What makes a phone at home here: what it may install, bars in our colours, the native shell."""

from collections.abc import Sequence

import reflex as rx

from rewards_app.ui.palette import DARK, LIGHT

MANIFEST = "/manifest.webmanifest"
TOUCH_ICON = "/icons/apple-touch-icon.png"


class Phone(rx.Component):
    """Follows the theme, keeps the worker for lost connections, wakes the native shell's hooks."""

    library = "$/public/phone"
    tag = "Phone"
    bars: rx.Var[str]


def phone() -> rx.Component:
    """The native shell's bars are dark in both themes."""
    return Phone.create(bars=DARK["bg"])


def head() -> Sequence[rx.Component]:
    """What every document says of the app to the system that shows it."""
    bars = (("dark", DARK["bg"]), ("light", LIGHT["bg"]))
    return [
        rx.el.link(rel="manifest", href=MANIFEST),
        rx.el.link(rel="apple-touch-icon", href=TOUCH_ICON),
        *(
            rx.el.meta(
                name="theme-color",
                content=colour,
                custom_attrs={"media": f"(prefers-color-scheme: {scheme})"},
            )
            for scheme, colour in bars
        ),
    ]
