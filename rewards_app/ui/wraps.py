"""What lies around every page: the connection bar, the toasts, and the name of the page.

rx.App(toaster=None, extra_app_wraps=app_wraps(SomeState.notice))
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import reflex as rx

from rewards_app.ui.connection import connection_bar
from rewards_app.ui.feedback import notices
from rewards_app.ui.standing import Standing

Wraps: TypeAlias = dict[tuple[int, str], Callable[[bool], rx.Component | None]]

# The key of Reflex's own overlay: what stands under it replaces that.
_OVERLAY = (5, "Overlay")
_NOTICES = (6, "Notices")


def app_wraps(notice: Any) -> Wraps:
    """The wraps of the app; a fragment each, because the page is rendered inside of them."""
    return {
        _OVERLAY: lambda _: rx.fragment(connection_bar()),
        _NOTICES: lambda _: rx.fragment(notices(notice), Standing.create()),
    }
