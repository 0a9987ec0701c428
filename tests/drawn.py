"""What a component draws, read from what it compiles to: no browser."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.i18n import catalogues
from rewards_app.rewards_app import PAGES

PROP = re.compile(r'"?([\w-]+)"?:(.*)', re.DOTALL)
EITHER = re.compile(r"\((.+?) \? (.+) : (.+)\)")
TEXT = re.compile(r't\("([\w.]+)"')
Answers = Mapping[str, object]
"""By the text of a var: what it holds."""


@dataclass(frozen=True, slots=True)
class Part:
    """An element or a text, with all that stands in it, in the order of the page."""

    name: str = ""
    props: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    within: tuple["Part", ...] = ()

    def __iter__(self) -> Iterator["Part"]:
        yield self
        for part in self.within:
            yield from part

    def named(self, *names: str) -> list["Part"]:
        return [part for part in self if part.name in names]

    @property
    def words(self) -> list[str]:
        """In English; what the catalogue does not know is as it was written."""
        return [_in_english(part.text) for part in self if part.text]

    @property
    def links(self) -> list[tuple[str, str]]:
        """The first words of each, and where it leads."""
        found = self.named("PageLink", "a")
        return [(link.words[0], link.props.get("to") or link.props["href"]) for link in found]

    def panel(self, title: str) -> "Part":
        """The one under that title."""
        [found] = [part for part in self.named("section") if part.words[0] == title]
        return found

    def inputs(self, name: str) -> list["Part"]:
        return [one for one in self.named("input") if one.props.get("name") == name]


def the_page(path: str, role: Role | None = None) -> Page:
    """The one that `role` has at `path`."""
    [found] = [one for one in PAGES if one.path == path and one.audience.includes(role)]
    return found


def drawn(component: Any, answers: Mapping[Any, object] | None = None) -> Part:
    """What is drawn where the vars of `answers` hold what they say; of other choices all sides."""
    given = [(str(var), answer) for var, answer in (answers or {}).items()]
    known = {asked: answer for var, answer in given for asked in (var, f"isTrue({var})")}
    return Part(within=tuple(_parts(component.render(), known)))


def _parts(compiled: Any, known: Answers) -> Iterator[Part]:
    if isinstance(compiled, list):
        for one in compiled:
            yield from _parts(one, known)
    elif "contents" in compiled:
        yield Part(text=_said(str(compiled["contents"]), known))
    elif "cond_state" in compiled:
        yield from _parts(_sides(compiled, known), known)
    elif "match_cases" in compiled:
        yield from _parts(_cases(compiled, known), known)
    else:
        props = [PROP.fullmatch(str(prop)) for prop in compiled["props"]]
        yield Part(
            compiled["name"].strip('"'),
            {prop[1]: _value(_said(prop[2], known)) for prop in props if prop},
            within=tuple(_parts(compiled["children"], known)),
        )


def _sides(choice: Mapping[str, Any], known: Answers) -> list[Any]:
    yes, no = choice["true_value"], choice["false_value"]
    if choice["cond_state"] not in known:
        return [yes, no]
    return [yes if known[choice["cond_state"]] else no]


def _cases(choice: Mapping[str, Any], known: Answers) -> list[Any]:
    cases = choice["match_cases"]
    if choice["cond"] not in known:
        return [*(shown for _, shown in cases), choice["default"]]
    held = json.dumps(known[choice["cond"]])
    return [next((shown for values, shown in cases if held in values), choice["default"])]


def _said(compiled: str, known: Answers) -> str:
    """Of two texts the one that is said."""
    either = EITHER.fullmatch(compiled)
    if not either or either[1] not in known:
        return compiled
    return either[2] if known[either[1]] else either[3]


def _value(compiled: str) -> str:
    return json.loads(compiled) if compiled.startswith('"') else compiled


def _in_english(text: str) -> str:
    key = TEXT.match(text)
    return catalogues.interface("en").get(key[1], text) if key else text
