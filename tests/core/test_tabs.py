"""Whose tabs are open here."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from rewards_app.core import tabs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.ids import new_id
from tests.ads import NOON


@pytest.fixture(autouse=True)
def no_tabs() -> Iterator[None]:
    tabs.keep_only(())
    yield
    tabs.keep_only(())


def somebody(role: Role = Role.PLAYER) -> Actor:
    return Actor(new_id(), new_id(), role, "Maja", "maja@example.com", NOON, is_age_verified=True)


def shows(token: str, actor: Actor | None) -> None:
    tabs.remember(Caller(tab=token, socket=f"socket {token}", session_hash=token), actor)


class TestTabs:
    def test_of_one_person_are_found(self):
        maja, eva = somebody(), somebody()
        for token, who in (("a", maja), ("b", eva), ("c", maja), ("d", None)):
            shows(token, who)
        assert tabs.of_user(maja.user_id) == ["a", "c"]
        assert tabs.players() == {maja.user_id, eva.user_id}
        assert tabs.signed_in() == ["a", "b", "c"]

    def test_that_somebody_else_signs_in_at_are_theirs(self):
        maja, eva = somebody(), somebody()
        shows("a", maja)
        shows("a", eva)
        assert tabs.of_user(maja.user_id) == []
        assert not tabs.plays(maja.user_id)
        assert tabs.of_user(eva.user_id) == ["a"]

    def test_that_are_signed_out_are_nobodys(self):
        maja = somebody()
        shows("a", maja)
        shows("a", None)
        assert tabs.players() == set[UUID]()
        assert tabs.of_user(maja.user_id) == []

    def test_that_are_gone_are_forgotten(self):
        maja = somebody()
        shows("a", maja)
        shows("b", maja)
        tabs.keep_only(["b"])
        assert tabs.of_user(maja.user_id) == ["b"]
        tabs.keep_only([])
        assert not tabs.plays(maja.user_id)

    def test_of_companies_play_nothing(self):
        company = somebody(Role.COMPANY)
        shows("a", company)
        assert not tabs.plays(company.user_id)
        assert tabs.of_user(company.user_id) == ["a"]
