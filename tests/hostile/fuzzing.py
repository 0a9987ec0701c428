"""What fuzzers feed parsers with: what is right, and what is nearly so."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from rewards_app.core.errors import DomainError
from tests.hostile.generated import WRITTEN, fields_of

SIGNS = (
    "\0\t\r\n \u00a0\u200b\u202e\u2028\ufeff\"'`<>&;:,.|/\\%_-+=#@!?*()[]{}$~^0٣½²A{İßﬃé\u0301👩"
)
"""What is usually forgotten."""


def near(*samples: str, longest: int = 400) -> st.SearchStrategy[str]:
    """What is right, with something cut out, put in, doubled or turned around; or anything."""
    right = st.sampled_from(samples or ("a",))
    piece = st.one_of(st.text(max_size=12), st.text(SIGNS, max_size=8), st.sampled_from(WRITTEN))

    def spoilt(text: str, start: int, length: int, put: str, times: int) -> str:
        at = start % (len(text) + 1)
        return (text[:at] + put * times + text[at + length :])[:longest]

    changed = st.builds(
        spoilt, right, st.integers(0, 400), st.integers(0, 6), piece, st.integers(0, 4)
    )
    return st.one_of(right, changed, changed, changed, piece, st.text(max_size=60))


@dataclass(frozen=True)
class Fuzz:
    """`more` are arguments of ours. What `settles` finds nothing to change in its own answer."""

    given: st.SearchStrategy[Any]
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    refusals: tuple[type[Exception], ...] = (DomainError,)
    settles: bool = False
    is_text: bool = True


def lines(*samples: str, settles: bool = False, **more: Any) -> Fuzz:
    return Fuzz(near(*samples), more, settles=settles)


def of_form(slice_name: str, more: Mapping[str, Any], **right: str) -> Fuzz:
    """Filled in right, but for some of its fields, and for those of others."""
    names = sorted({*fields_of(slice_name), *right})
    values = {name: near(right.get(name, ""), *WRITTEN) for name in names}
    spoilt = st.fixed_dictionaries({}, optional=values).map(lambda found: right | found)
    return Fuzz(spoilt, more, is_text=False)


def of_thing(given: st.SearchStrategy[Any], **more: Any) -> Fuzz:
    """No text, but what a library has made of one."""
    return Fuzz(given, more, is_text=False)


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=12,
)


def things_like(right: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object of somebody's interface, with some of it missing or something else."""
    return st.fixed_dictionaries(
        {}, optional={name: st.one_of(st.just(value), json_values) for name, value in right.items()}
    ).map(lambda found: right | found)


def texts_like(right: dict[str, Any]) -> st.SearchStrategy[str]:
    return st.one_of(
        things_like(right).map(json.dumps),
        near(json.dumps(right)),
        st.sampled_from(("[" * 9_000, '{"a":' * 9_000, "9" * 5_000, "NaN", "\ud800")),
    )
