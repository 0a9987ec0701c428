"""Arguments made from the code: what a handler's annotations and its slice let a client say.

Nothing here names a handler. A new one is attacked because it is registered.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, get_origin
from uuid import UUID

import annotated_types
import hypothesis
from hypothesis import strategies as st
from pydantic.fields import FieldInfo
from reflex_base.utils.form import FORM_DATA_ENTRIES_KEY

from rewards_app.core.access import LONGEST_FORM, LONGEST_LINE, Access
from rewards_app.core.errors import BadArguments

FEATURES = Path(__file__).parents[2] / "rewards_app"
SEED = int(os.environ.get("ATTACK_SEED", "1815"))
ROUNDS = int(os.environ.get("ATTACK_ROUNDS", "1"))
"""Another seed makes other calls, more rounds make more of them: `make attack`."""
FIELD = re.compile(r"""form(?:\.get\(|\[)f?["'](\w+)["']""")
NAMES_OF_FIELDS = re.compile(r"FIELDS = \(([^)]*)\)")
WRITTEN = (
    *("", " ", "0", "1", "-1", "12", "99999999999999999999", "1e9", "1,5", "0.01", "NaN", "٣", "½"),
    *("maja@example.com", "a@b", "admin@demo.watchcoins.example", "070-174 06 05", "+46701740605"),
    *("2026-03-14T10:00:00+00:00 12", "0001-01-01T00:00:00+14:00 99999999999999999999"),
    *("9999-12-31T23:59:59-14:00", "2026-03-14T10:00 1", "0001-01-01T00:00:00+00:00 1", "#12"),
    *("2026-03-14", "1998-05-17", "0001-01-01", "9999-12-31", "2026-02-30", "24:61", "Europe/Oslo"),
    *("https://example.com/ad.png", "javascript:alert(1)", "//evil.example", "http://127.0.0.1:1"),
    *("' or 1=1 --", "%", "_", "\\", "{}", "{0}", "%s", "$1", "../../etc/passwd", "on", "true"),
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "{{7*7}}", "=1+1", "a" * 300),
    *("\u202egnp.exe", "\u200b", "İ", "ﬃ", "👩‍👩‍👧‍👦", "á" * 40, "مرحبا", "A line\nand another"),
    *("Tall-Otter7-rides!", "123456", "00000000-0000-0000-0000-000000000000", "null", "admin"),
)


OF_KIND = {
    "account_id": ("accounts",),
    "ad_id": ("ads",),
    "advertiser_id": ("advertisers",),
    "alert_id": ("security_alerts",),
    "by": ("accounts",),
    "campaign_id": ("ad_campaigns",),
    "checkout_id": ("test_checkouts",),
    "company": ("advertisers",),
    "entry_id": ("waitlist",),
    "game_id": ("user_games",),
    "invitation_id": ("advertiser_invitations",),
    "notification_id": ("notifications",),
    "order_id": ("purchases",),
    "passkey_id": ("passkeys",),
    "post_id": ("forum_posts",),
    "reply_id": ("forum_replies",),
    "reset_id": ("factor_resets",),
    "session_id": ("account_sessions", "ad_views"),
    "thing_id": ("forum_posts", "forum_replies"),
    "top_up_id": ("top_ups",),
    "view_id": ("ad_views",),
}
"""In which tables that lies which an argument, or a field of a form, names."""
OF_NO_KIND = {"after", "attempt", "before"}
"""Where a list goes on, and which press of a button it was: anything may stand there."""


@dataclass(frozen=True, slots=True)
class Others:
    """Identifiers of what is not the attacker's, by table."""

    of: Mapping[str, list[str]]

    def named(self, argument: str) -> list[str]:
        """Of what the argument names; of everything, where that is nothing of ours."""
        return [key for table in OF_KIND.get(argument, self.of) for key in self.of[table]]


@dataclass(frozen=True, slots=True)
class Known:
    """Something that exists, chosen when the call is made: what the page told, or others'."""

    number: int
    argument: str
    is_told: bool

    def among(self, told: list[str], others: Others) -> str:
        pool = told if told and self.is_told else others.named(self.argument)
        return pool[self.number % len(pool)]


@cache
def words_of_the_app() -> tuple[str, ...]:
    """Every value of every enumeration: kinds, standings, deeds, reasons, periods."""

    def below(kind: type) -> Iterator[type]:
        for one in kind.__subclasses__():
            yield one
            yield from below(one)

    ours = (one for one in below(StrEnum) if one.__module__.startswith("rewards_app."))
    return tuple(sorted({member.value for one in ours for member in one}))  # type: ignore[attr-defined]


@cache
def fields_of(slice_name: str) -> tuple[str, ...]:
    """The names under which the files of a slice look into a form."""
    found: set[str] = set()
    for file in (FEATURES / "features" / slice_name).glob("*.py"):
        text = file.read_text("utf-8")
        found.update(FIELD.findall(text))
        for names in NAMES_OF_FIELDS.findall(text):
            found.update(re.findall(r"[\"'](\w+)[\"']", names))
    return tuple(sorted(found))


def slice_of(handler: str) -> str:
    found = re.search(r"rewards_app___features___(\w+?)___", handler)
    return found.group(1) if found else "shell"


def often(*choices: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """As often as each is named: `one_of` forgets that."""
    return st.integers(0, len(choices) - 1).flatmap(choices.__getitem__)


def known(argument: str) -> st.SearchStrategy[Known]:
    return st.builds(Known, st.integers(0, 10_000), st.just(argument), st.booleans())


def lines(argument: str = "") -> st.SearchStrategy[Any]:
    return often(
        known(argument),
        st.sampled_from(WRITTEN),
        st.sampled_from(words_of_the_app()),
        st.text(max_size=40),
    )


def forms(handler: str) -> st.SearchStrategy[Any]:
    """Most of the fields that its slice knows, and now and then one that nobody knows.

    Half of them as a page sends them: in entries.
    """
    names = st.sampled_from(fields_of(slice_of(handler)) or ("text",))
    fields = st.lists(
        often(names, names, names, lines()).flatmap(
            lambda name: st.tuples(st.just(name), lines(str(name)))
        ),
        max_size=12,
    )
    in_entries = fields.map(lambda found: {FORM_DATA_ENTRIES_KEY: [list(one) for one in found]})
    return often(fields.map(dict), in_entries)


def of_its_type(handler: str, name: str, field: FieldInfo) -> st.SearchStrategy[Any]:
    """What has the declared type, at its borders too."""
    kind = field.annotation
    if kind is bool:
        return st.booleans()
    if kind is UUID:
        return often(known(name), known(name), st.uuids().map(str))
    if kind is int:
        least = max(_bounds(field, annotated_types.Ge, annotated_types.Gt) or [-(2**63)])
        most = min(_bounds(field, annotated_types.Le, annotated_types.Lt) or [2**63])
        edges = st.sampled_from([0, 1, 15, least, most, least + 1, most - 1])
        return st.one_of(edges, st.integers(least, most))
    if kind is str:
        return lines(name)
    if get_origin(kind) is list:
        return st.lists(lines(), max_size=4)
    return forms(handler)


def _bounds(field: FieldInfo, *kinds: type) -> list[int]:
    values = [one for one in field.metadata if isinstance(one, kinds)]
    return [next(iter(vars_of(one))) for one in values]


def vars_of(bound: Any) -> Iterator[int]:
    for name in ("ge", "gt", "le", "lt"):
        if hasattr(bound, name):
            yield getattr(bound, name)


rubbish = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(),
        st.sampled_from(["", "x" * (LONGEST_LINE + 1), "\0", "\x07", "\ud800", "NaN"]),
        lines(),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=8), st.just("x" * 301)), inner, max_size=4),
        st.lists(st.lists(inner, min_size=2, max_size=2), max_size=LONGEST_FORM + 1).map(
            lambda pairs: {FORM_DATA_ENTRIES_KEY: pairs}
        ),
    ),
    max_leaves=8,
)

nonsense = rubbish.filter(lambda payload: payload is not None)
"""Without a payload an event has none to refuse: Reflex takes it for an empty one."""


def whole(handler: str, access: Access) -> st.SearchStrategy[dict[str, Any]]:
    """A call as its page makes it."""
    fields = access.arguments.model_fields
    typed = {name: of_its_type(handler, name, one) for name, one in fields.items()}
    return st.fixed_dictionaries(typed).filter(
        lambda payload: is_acceptable(access, resolved(payload, [], SOMETHING))
    )


def payloads(handler: str, access: Access) -> st.SearchStrategy[Any]:
    """A call as its page makes it, or with one argument that it never has, or nothing like it."""
    good, names = whole(handler, access), sorted(access.arguments.model_fields)
    if not names:
        return nonsense
    spoilt = st.builds(
        lambda payload, name, bad: payload | {name: bad}, good, st.sampled_from(names), rubbish
    )
    extra = st.builds(
        lambda payload, name, bad: payload | {name: bad},
        good,
        st.sampled_from(["self", "role", "actor", "user_id", "session", "_", "now"]),
        rubbish,
    )
    return often(good, good, good, spoilt, spoilt, extra, nonsense)


@cache
def calls_of(handler: str, access: Access, *, identity: str, count: int) -> tuple[Any, ...]:
    """One as its page makes it, and `count` of which each may be anything.

    The same for the same seed, and other ones for each identity.
    """
    seed, takes_any = f"{SEED} {identity} {handler}", access.arguments.model_fields
    right = _drawn(whole(handler, access), 1, f"{seed} whole") if takes_any else [{}]
    return (*right, *_drawn(payloads(handler, access), count, seed))


def _drawn(wanted: st.SearchStrategy[Any], count: int, seed: str) -> list[Any]:
    found: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count + 1,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(wanted)
    def collect(payload: Any) -> None:
        found.append(payload)

    collect()
    # The first is always the simplest one.
    return (found[1:] or found)[:count]


def is_acceptable(access: Access, payload: Any) -> bool:
    try:
        access.checked(payload)
    except BadArguments:
        return False
    return True


def resolved(payload: Any, told: list[str], others: Others) -> Any:
    """With what exists in the place of each `Known`."""
    if isinstance(payload, Known):
        return payload.among(told, others)
    if isinstance(payload, dict):
        return {
            str(resolved(name, told, others)): resolved(value, told, others)
            for name, value in payload.items()
        }
    if isinstance(payload, list):
        return [resolved(one, told, others) for one in payload]
    return payload


SOMETHING = Others(
    {
        table: ["00000000-0000-7000-8000-000000000001"]
        for table in chain.from_iterable(OF_KIND.values())
    }
)
"""In the place of what exists, to see whether a call is right."""
