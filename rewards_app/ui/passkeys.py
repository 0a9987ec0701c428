"""A button behind which the browser makes a passkey, or shows one."""

from typing import Any

import reflex as rx
from reflex_base.event import passthrough_event_spec

from rewards_app.ui.buttons import Kind, look
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Handler, Text


class PasskeyButton(rx.Component):
    """`options` are the server's, as WebAuthn spells them in JSON; so is the answer."""

    library = "$/public/passkeys"
    tag = "PasskeyButton"

    options: rx.Var[dict[str, Any]]
    disabled: rx.Var[bool]
    on_answer: rx.EventHandler[passthrough_event_spec(str)]
    on_trouble: rx.EventHandler[passthrough_event_spec(str)]


def passkey_button(
    label: Text,
    *,
    options: rx.Var[dict[str, Any]] | dict[str, Any],
    on_answer: Handler,
    on_trouble: Handler,
    kind: Kind = "primary",
    wide: bool = False,
    disabled: rx.Var[bool] | bool = False,
) -> rx.Component:
    """`on_trouble` hears one word of why there is no answer: factors.rules.trouble knows them."""
    return PasskeyButton.create(
        icon("key-round", 18),
        label,
        options=options,
        disabled=disabled,
        on_answer=on_answer,
        on_trouble=on_trouble,
        class_name=look(kind, wide=wide),
    )
