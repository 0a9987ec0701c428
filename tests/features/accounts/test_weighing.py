"""What the meter says of a password is what decides whether it may be used."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rewards_app.core import limits
from rewards_app.core.errors import DomainError
from rewards_app.core.watching import storms
from rewards_app.features.accounts import contacts, weighing
from rewards_app.features.accounts.password_rules import LABELS, refuse_weak
from rewards_app.features.accounts.weighing import IS_STRONG, Weight, weigh
from tests.people import a_browser

MAJA = ("maja@example.com", "Maja Berg")
KNOWN = "errors.accounts.known_password"
PERSONAL = "errors.accounts.personal_password"
TOO_LONG = "errors.accounts.password_too_long"
NEAR = st.sampled_from(
    [
        *("", "maja", "Maja-Berg77!", "berg", "Fortnite2026!", "Summer", "P@ssw0rd", "qwerty"),
        *("Liverpool-10", "Aa1!", "Otter", "-7", "!", "2026", "x" * 90, "Tall-Otter7-rides!"),
    ]
)


@pytest.fixture(autouse=True)
def _nobody_has_asked() -> None:
    limits.forget_everything()


async def weighed(password: str, about: tuple[str, ...] = ()) -> Weight:
    return await weigh(password, about=about, caller=a_browser())


async def says(password: str, about: tuple[str, ...] = ()) -> str:
    return (await weighed(password, about)).text


@pytest.fixture
def storms_heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[storms.Storm]]:
    heard: list[storms.Storm] = []
    monkeypatch.setattr(storms, "_listeners", [heard.append])
    storms.forget()
    yield heard
    storms.forget()


def is_refused(password: str, about: tuple[str, ...]) -> bool:
    try:
        refuse_weak(password, about=about)
        contacts.refuse_guessable(password, about=about)
    except DomainError:
        return True
    return False


class TestTheMeter:
    async def test_calls_a_good_password_strong(self):
        weight = await weighed("Tall-Otter7-rides!", MAJA)
        assert (weight.label, weight.text) == ("strong", IS_STRONG)

    async def test_names_what_is_missing_in_the_same_words_however_short_it_is(self):
        weight = await weighed("kelp")
        assert (weight.label, weight.text) == ("weak", "errors.accounts.weak_password")
        assert weight.params["missing"] == [
            f"password.missing.{rule}" for rule in ("length", "uppercase", "digit", "special")
        ]

    @pytest.mark.parametrize("password", ["Fortnite2026!", "Summer2026!", "P@ssw0rd!23"])
    async def test_knows_what_everybody_would_try(self, password: str):
        weight = await weighed(password)
        assert (weight.label, weight.text) == ("fair", KNOWN)

    @pytest.mark.parametrize("password", ["University-10", "Aa1!Aa1!Aa1!", "Iloveyou-22"])
    async def test_knows_what_is_guessed_within_minutes(self, password: str):
        assert await says(password) == KNOWN

    async def test_knows_what_is_made_of_a_name_or_an_address(self):
        assert await says("Maja-Berg77!") == IS_STRONG
        assert await says("Maja-Berg77!", MAJA) == PERSONAL
        assert await says("Maja-Berg77!", ("maja@example.com", "")) == PERSONAL

    async def test_calls_nothing_personal_that_everybody_would_try(self):
        assert await says("Fortnite2026!", ("fortnite@example.com", "Fortnite")) == KNOWN

    async def test_knows_what_only_a_name_makes_guessable(self):
        """Whose parts are too short for the rule."""
        assert await says("Jo@li.se12") == IS_STRONG
        assert await says("Jo@li.se12", ("jo@li.se", "Jo")) == PERSONAL

    async def test_says_that_more_than_128_characters_are_too_many(self):
        long = ("Tall-Otter7-rides! " * 7)[:129]
        weight = await weighed(long)
        assert (weight.text, weight.params) == (TOO_LONG, {"most": 128})

    async def test_knows_very_long_ones_too(self):
        repeated = "Aa1!" * 30
        assert is_refused(repeated, ())
        assert await says(repeated) == KNOWN

    @given(st.lists(NEAR, max_size=4), st.sampled_from([(), MAJA]))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    async def test_calls_strong_what_is_accepted_and_nothing_else(
        self, parts: list[str], about: tuple[str, ...]
    ):
        limits.forget_everything()
        password = "".join(parts)
        weight = await weighed(password, about)
        assert (weight.text == IS_STRONG) is not is_refused(password, about)
        assert weight.label == LABELS[weight.score]


class TestAskingOften:
    @pytest.mark.parametrize(
        ("password", "limit"),
        [
            ("Otter-Hill7!x", weighing.ESTIMATES),
            ("Aa1!" * 7, weighing.LONG_ESTIMATES),
        ],
        ids=["short", "long"],
    )
    async def test_estimates_no_more_and_still_weighs(
        self, password, limit, monkeypatch, storms_heard
    ):
        """Each estimate holds up everybody."""
        asked: list[str] = []
        monkeypatch.setattr(
            contacts, "refuse_guessable", lambda password, about: asked.append(password)
        )
        for _ in range(limit.amount + storms.STORMS_FROM[storms.What.LIMITED]):
            await weighed(password)
        assert len(asked) == limit.amount
        assert storms_heard == []
        assert await says("kelp") == "errors.accounts.weak_password"
        assert await says("Fortnite2026!") == KNOWN
