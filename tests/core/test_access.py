"""What a handler declares, and what its arguments must be."""

import math

import pytest

from rewards_app.core.access import Access, Form, access_of, allow, public, signed_in, visitors_only
from rewards_app.core.actor import Actor, Role
from rewards_app.core.errors import BadArguments
from rewards_app.core.ids import new_id
from tests.people import NOON


def an_actor(role: Role) -> Actor:
    return Actor(new_id(), new_id(), role, "Maja", "maja@example.com", NOON, True)


def declared(decorator, function) -> Access:
    decorator(function)
    access = access_of(function)
    assert access
    return access


async def handler(self, name: str, count: int = 1): ...
async def measuring(self, share: float): ...
async def form_handler(self, form: Form): ...
async def without_arguments(self): ...


class TestAdmits:
    def test_allow_admits_the_named_roles_only(self):
        access = declared(allow(Role.ADMIN), handler)
        assert access.admits(an_actor(Role.ADMIN))
        assert not access.admits(an_actor(Role.PLAYER))
        assert not access.admits(None)

    def test_signed_in_admits_every_role_and_no_visitor(self):
        access = declared(signed_in(), handler)
        assert all(access.admits(an_actor(role)) for role in Role)
        assert not access.admits(None)

    def test_public_admits_everybody(self):
        access = declared(public(), handler)
        assert access.admits(None)
        assert access.admits(an_actor(Role.COMPANY))

    def test_visitors_only_admits_nobody_with_a_session(self):
        access = declared(visitors_only(), handler)
        assert access.admits(None)
        assert not any(access.admits(an_actor(role)) for role in Role)


DEEP: object = []
for _ in range(10_000):
    DEEP = [DEEP]


class TestArguments:
    @pytest.mark.parametrize(
        "payload",
        [
            {},
            {"name": 5},
            {"name": None},
            {"name": ["x"]},
            {"name": {"x": 1}},
            {"name": "x" * 301},
            {"name": "x" * 1_000_000},
            {"name": "nul\x00"},
            {"name": "\x1b[31m"},
            {"name": "\ud800"},
            {"name": "x", "count": "2"},
            {"name": "x", "count": 2.5},
            {"name": "x", "count": True},
            {"name": "x", "extra": 1},
            {"name": DEEP},
        ],
    )
    def test_of_another_kind_are_refused(self, payload: dict[str, object]):
        with pytest.raises(BadArguments):
            declared(public(), handler).checked(payload)

    @pytest.mark.parametrize("share", [math.nan, math.inf, -math.inf, "0.5"])
    def test_a_number_is_a_number(self, share: object):
        with pytest.raises(BadArguments):
            declared(public(), measuring).checked({"share": share})

    def test_of_the_declared_kind_pass(self):
        assert declared(public(), handler).checked({"name": "Maja"}) == {"name": "Maja", "count": 1}

    def test_none_are_taken_where_none_are_declared(self):
        access = declared(public(), without_arguments)
        assert access.checked({}) == {}
        with pytest.raises(BadArguments):
            access.checked({"anything": 1})


class TestForms:
    def test_a_submitted_form_becomes_a_dict(self):
        entries = {"__reflex_form_data__": [["email", "a@b.se"], ["email", "c@d.se"]]}
        access = declared(public(), form_handler)
        assert access.checked({"form": entries}) == {"form": {"email": "c@d.se"}}

    @pytest.mark.parametrize(
        "form",
        [
            5,
            "text",
            {"email": 5},
            {"email": ["a"]},
            {f"field{n}": "x" for n in range(41)},
            {"__reflex_form_data__": 5},
            {"__reflex_form_data__": [["one"]]},
            {"__reflex_form_data__": [["one", "x"]] * 41},
            {"__reflex_form_data__": [["a", {}]]},
            {"__reflex_form_data__": [[[], "b"]]},
        ],
    )
    def test_anything_else_is_refused(self, form: object):
        with pytest.raises(BadArguments):
            declared(public(), form_handler).checked({"form": form})
