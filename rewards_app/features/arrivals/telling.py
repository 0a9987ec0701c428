"""How pages tell which campaign led to them, where that is allowed."""

import reflex as rx
from reflex_base.event import passthrough_event_spec
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import Var, VarData

from rewards_app.features.arrivals.rules import LED_BY
from rewards_app.features.arrivals.state import ArrivalState
from rewards_app.features.consent.state import ConsentState

_LIBRARY = "$/public/arrivals"


class Arrival(rx.Component):
    """Tells the campaign in the address once, and has the tab remember it."""

    library = _LIBRARY
    tag = "Arrival"
    is_counted: rx.Var[bool]
    on_come: rx.EventHandler[passthrough_event_spec(str)]


def arrival() -> rx.Component:
    return Arrival.create(is_counted=ConsentState.counts_campaigns, on_come=ArrivalState.come)


def led_by() -> Var[str]:
    """The campaign that this visit began with; empty without one, and where it is not allowed."""
    return Var(
        "ledBy",
        _var_type=str,
        _var_data=VarData(
            imports={_LIBRARY: [ImportVar(tag="useCampaign")]},
            hooks={"const ledBy = useCampaign();": None},
        ),
    ).to(str)


def led_by_field() -> rx.Component:
    return rx.cond(led_by(), rx.el.input(type="hidden", name=LED_BY, value=led_by()))
