"""How one event travels: a finished ad, from the player's click to everybody's screens.

Each step names what does it; a name that is no longer there breaks the drawing.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rewards_app.core.access import access_of
from tools.drawings.imports import APP
from tools.drawings.svg import EDGE, Drawing


@dataclass(frozen=True, slots=True)
class Step:
    where: str
    module: str
    name: str
    does: str

    def found(self) -> Any:
        """What it names, or AttributeError."""
        thing: Any = import_module(f"{APP}.{self.module}")
        for part in self.name.split("."):
            thing = getattr(thing, part)
        return thing


STEPS = (
    Step("browser", "features.ads.player", "player", "the dialog says that the ad is over"),
    Step("gate", "core.gate", "Gate.preprocess", "who calls, may they, are the arguments sane"),
    Step("handler", "features.ads.state", "WatchState.finish", "one transaction, one service call"),
    Step("service", "features.ads.finishing", "finish_ad", "asks the rules, then pays"),
    Step("rules", "features.ads.rules", "coins_for", "by the server's clock: coins or a refusal"),
    Step(
        "repository", "features.ads.repository", "pay", "one statement: view, entry, balance, day"
    ),
    Step("ledger", "features.coins.service", "CREDITING", "the part of it that moves coins"),
    Step("notice", "core.live", "announce", "told to all workers by NOTIFY, at most a tenth later"),
    Step("workers", "core.live", "listen", "each worker hears it and hands it to its listeners"),
    Step("own tabs", "features.shell.live", "TabCalls", "asks every tab of this player to look"),
    Step("their frame", "features.shell.state", "BarState.load", "the new balance, in each tab"),
    Step("all tabs", "features.shell.follow_calls", "FollowCalls", "whoever follows the topic"),
)
ROW, TOP, WHERE, GAP = 44, 84, 120, 16


def journey() -> str:
    height = TOP + len(STEPS) * (ROW + GAP) + EDGE
    drawing = Drawing(1120, height, "How an event travels: an ad was watched")
    drawing.say(EDGE, 40, "How an event travels: an ad was watched", size=20, weight="700")
    drawing.say(EDGE, 62, "Each line is a name in the code. Gold: who may call it", colour="quiet")
    for number, step in enumerate(STEPS):
        y = TOP + number * (ROW + GAP)
        _step(drawing, step, y)
        if number + 1 < len(STEPS):
            drawing.arrow_down(EDGE + WHERE + 28, y + ROW, y + ROW + GAP)
    return drawing.written()


def _step(drawing: Drawing, step: Step, y: int) -> None:
    drawing.say(EDGE, y + 27, step.where, colour="quiet")
    drawing.box(EDGE + WHERE, y, drawing.width - 2 * EDGE - WHERE, ROW)
    x = EDGE + WHERE + 14
    drawing.say(x, y + 27, f"{step.module}.{step.name}", colour="cyan", size=13, weight="700")
    drawing.say(x + 390, y + 27, step.does, size=13)
    drawing.say(x + 735, y + 27, _declared(step.found()), size=12, colour="gold")


def _declared(thing: Any) -> str:
    """Who may call it, where it is a handler."""
    access = access_of(thing.fn) if hasattr(thing, "fn") else None
    if access is None:
        return ""
    roles = ", ".join(sorted(role.value for role in access.roles))
    return f"{roles}, by itself" if access.is_passive else roles
