"""The tabs of the admin panel: another one is a module and a row here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from rewards_app.features.admin.orders_state import OrderDeskState
from rewards_app.features.admin.orders_tab import orders_tab
from rewards_app.features.admin.stock_state import StockState
from rewards_app.features.admin.stock_tab import stock_tab
from rewards_app.features.shop import buying, stock


@dataclass(frozen=True, slots=True)
class Tab:
    """`key` stands in the address and names the label, `admin.tabs.<key>`."""

    key: str
    icon: str
    view: Callable[[], rx.Component]
    loads: Sequence[Any]
    follows: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """As a page's: passive handlers that run again when anything under a topic has changed."""


TABS = (
    Tab(
        "orders",
        "receipt-text",
        orders_tab,
        [OrderDeskState.load],
        {buying.CHANGED: [OrderDeskState.refresh]},
    ),
    Tab(
        "stock",
        "ticket",
        stock_tab,
        [StockState.load],
        {buying.CHANGED: [StockState.refresh], stock.CHANGED: [StockState.refresh]},
    ),
)
