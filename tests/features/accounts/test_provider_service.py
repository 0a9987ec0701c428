"""People whom a provider vouches for."""

import pytest

from rewards_app.core.database import transaction
from rewards_app.features.accounts import provider_service, repository, rules, steps
from rewards_app.features.accounts.provider_service import Vouched, vouched_from
from tests.people import NOON, a_browser, an_account

CLAIMS = {"sub": "42", "email": "Maja@Example.com", "email_verified": True, "name": "Maja"}


async def sign_in(person: Vouched) -> steps.Ticket | steps.Step:
    async with transaction() as session:
        return await provider_service.sign_in(session, person, a_browser(), now=NOON)


async def the_account(email: str = "maja@example.com"):
    async with transaction() as session:
        return await repository.account_by_email(session, email)


class TestVouchedFrom:
    def test_takes_who_has_a_verified_email(self):
        assert vouched_from("google", CLAIMS) == Vouched("google", "42", "maja@example.com", "Maja")

    @pytest.mark.parametrize(
        "missing",
        [{"sub": ""}, {"email": None}, {"email_verified": False}, {"email_verified": "true"}],
    )
    def test_refuses_what_is_not_certain(self, missing: dict[str, object]):
        with pytest.raises(rules.ProviderRefused):
            vouched_from("google", CLAIMS | missing)

    def test_takes_the_email_for_a_name_that_breaks_our_rules(self):
        assert vouched_from("google", CLAIMS | {"name": "\u202eevil"}).name == "maja"

    def test_takes_neither_where_both_would_be_the_houses(self):
        claims = CLAIMS | {"name": "Admin", "email": "watchcoins.support@example.com"}
        assert vouched_from("google", claims).name == "player"


@pytest.mark.usefixtures("database")
class TestSignIn:
    async def test_makes_a_verified_account_on_the_first_visit(self):
        assert await sign_in(vouched_from("google", CLAIMS))
        maja = await the_account()
        assert (maja.role, maja.email_verified_at, maja.password_hash) == ("player", NOON, None)

    async def test_finds_the_same_account_when_the_email_changed_there(self):
        await sign_in(vouched_from("google", CLAIMS))
        await sign_in(vouched_from("google", CLAIMS | {"email": "new@example.com"}))
        assert await the_account("new@example.com") is None

    async def test_joins_an_account_whose_email_is_verified(self):
        maja = await an_account()
        await sign_in(vouched_from("google", CLAIMS))
        assert (await the_account()).password_hash == maja.password_hash

    async def test_takes_an_unverified_account_away_from_who_typed_the_email(self):
        await an_account(is_verified=False)
        await sign_in(vouched_from("google", CLAIMS))
        maja = await the_account()
        assert (maja.password_hash, maja.email_verified_at) == (None, NOON)
