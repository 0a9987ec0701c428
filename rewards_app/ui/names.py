"""What people and things are called: also those who are called nothing any more, and where the
lines of a long name may break."""

from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.links import LINK
from rewards_app.ui.markup import Text

_LIBRARY = "$/public/names"


class Unbroken(rx.Component):
    library = _LIBRARY
    tag = "Unbroken"
    text: rx.Var[str]


class MailAddress(rx.Component):
    library = _LIBRARY
    tag = "MailAddress"
    address: rx.Var[str]


class WithMail(rx.Component):
    library = _LIBRARY
    tag = "WithMail"
    text: rx.Var[str]
    address: rx.Var[str]


def name_of(name: Any) -> Any:
    """As it is; who deleted their account has none."""
    return rx.cond(name == "", t("closing.deleted_player"), name).to(str)


def unbroken(text: Text) -> rx.Component:
    """A text with a name such as V-Bucks in it, whose hyphen ends no line."""
    return Unbroken.create(text=text)


def mail_address(address: Any) -> rx.Component:
    """Too long for its line, it breaks at the @ or after a full stop, not within a word."""
    return MailAddress.create(address=rx.Var.create(address).to(str))


def with_mail_link(text: Text, address: str) -> rx.Component:
    """A sentence that names the address: a mail to it begins there."""
    return WithMail.create(text=text, address=address, class_name=LINK)
