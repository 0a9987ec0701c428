"""What accounts alert of: guessed passwords, whose refusal rolls everything back, and roles."""

from collections.abc import Iterator

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, TooManyAttempts
from rewards_app.features.accounts import roles, rules, service, signing_in
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts import soon
from rewards_app.features.alerts.service import Alert
from tests.ads import the_actor
from tests.people import NOON, PASSWORD, a_browser, an_account

pytestmark = pytest.mark.usefixtures("database")
ATTACKER = "192.0.2.7"


@pytest.fixture(autouse=True)
def nothing_noticed() -> Iterator[None]:
    soon.forget()
    yield
    soon.forget()


async def tries(
    email: str, password: str = "wrong", *, address: str = ATTACKER, may_log: bool = False
) -> None:
    with pytest.raises((rules.InvalidCredentials, rules.AccountLocked, TooManyAttempts)):
        async with transaction() as session:
            await signing_in.sign_in(
                session,
                email,
                password,
                a_browser(address=address),
                may_log_address=may_log,
                now=NOON,
            )


async def raised() -> dict[str, Alert]:
    await soon.raise_noticed()
    async with transaction() as session:
        return {alert.kind: alert for alert in (await alerts.newest(session)).shown}


class TestGuessing:
    async def test_at_one_account_is_told_when_it_is_locked(self):
        maja = await an_account()
        for _ in range(4):
            await tries(maja.email)
        assert await raised() == {}
        await tries(maja.email)
        alert = (await raised())["account_locked"]
        assert (alert.account_id, alert.params) == (maja.id, {"failures": 5, "minutes": 5})

    @pytest.mark.parametrize(("may_log", "named"), [(True, ATTACKER), (False, "")])
    async def test_at_one_account_names_the_address_only_where_that_is_allowed(
        self, may_log: bool, named: str
    ):
        """It may well be the owner, who forgot the password."""
        maja = await an_account()
        for _ in range(5):
            await tries(maja.email, may_log=may_log)
        assert (await raised())["account_locked"].ip_address == named

    async def test_at_nobodys_account_alerts_of_no_account(self):
        for _ in range(5):
            await tries("nobody@example.com")
        assert await raised() == {}

    async def test_from_one_address_names_it(self):
        for number in range(10):
            await tries(f"somebody-{number}@example.com")
        alert = (await raised())["sign_ins_failed"]
        assert (alert.ip_address, alert.params) == (ATTACKER, {"failures": 10})
        assert alert.times == 1

    async def test_that_goes_on_is_the_same_alert(self):
        for number in range(200):
            await tries(f"somebody-{number}@example.com")
        assert (await raised())["sign_ins_failed"].times == 1

    async def test_by_hand_now_and_then_is_none(self):
        maja = await an_account()
        for _ in range(4):
            await tries(maja.email)
        async with transaction() as session:
            assert await signing_in.sign_in(
                session, maja.email, PASSWORD, a_browser(), may_log_address=False, now=NOON
            )
        assert await raised() == {}


class TestRoles:
    async def test_a_new_admin_is_told_with_who_made_them(self):
        linnea = the_actor(await an_account("linnea@example.com", Role.ADMIN, name="Linnea"))
        maja = await an_account()
        async with transaction() as session:
            await roles.change(session, linnea, maja.id, Role.ADMIN, "She helps us", now=NOON)
        alert = (await raised())["admin_made"]
        assert (alert.severity, alert.account_id) == ("high", maja.id)
        assert alert.description == "Maja is an admin now, made by Linnea."

    async def test_the_command_line_is_told_as_what_it_is(self):
        maja = await an_account()
        async with transaction() as session:
            await service.promote(session, maja.email, Role.MODERATOR, now=NOON)
        alert = (await raised())["role_changed"]
        assert alert.params == {
            "name": "Maja",
            "before": ["roles.player"],
            "after": ["roles.moderator"],
            "by": "rewards promote",
        }
        assert "changed from Player to Moderator" in alert.description

    async def test_a_refused_change_alerts_of_nothing(self):
        emil = the_actor(await an_account("emil@example.com", name="Emil"))
        maja = await an_account()
        with pytest.raises(DomainError):
            async with transaction() as session:
                await roles.change(session, emil, maja.id, Role.ADMIN, "I want it", now=NOON)
        assert await raised() == {}

    async def test_every_change_of_power_is_an_alert_of_its_own(self):
        maja = await an_account()
        for role in (Role.ADMIN, Role.PLAYER, Role.ADMIN):
            async with transaction() as session:
                await service.promote(session, maja.email, role, now=NOON)
        async with transaction() as session:
            shown = (await alerts.newest(session)).shown
        assert [alert.kind for alert in shown] == ["admin_made", "role_changed", "admin_made"]
