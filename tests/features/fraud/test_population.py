"""A made-up population: nobody honest is suspended by itself, and most cheats are stopped."""

import pytest

from bench.fraud_people import CHEATING, HONEST, Verdicts, judge
from rewards_app.features.fraud.rules import Consequence

PAUSED, SUSPENDED = Consequence.EARNING_PAUSED, Consequence.ACCOUNT_SUSPENDED
OF_EACH = 12


@pytest.fixture(scope="module", params=[6, 1815])
def verdicts(request: pytest.FixtureRequest) -> Verdicts:
    return Verdicts.of(judge(request.param, OF_EACH))


class TestThePopulation:
    @pytest.mark.parametrize("kind", HONEST, ids=lambda kind: kind.name)
    def test_has_no_honest_player_who_is_suspended(self, verdicts: Verdicts, kind):
        assert verdicts.of_kind(kind, SUSPENDED) == 0

    def test_has_hardly_an_honest_player_whose_earning_is_paused(self, verdicts: Verdicts):
        assert verdicts.precision(PAUSED, SUSPENDED) >= 0.95

    def test_has_few_cheats_who_go_on(self, verdicts: Verdicts):
        assert verdicts.recall(PAUSED, SUSPENDED) >= 0.85

    @pytest.mark.parametrize("kind", CHEATING, ids=lambda kind: kind.name)
    def test_is_as_large_for_each_kind(self, verdicts: Verdicts, kind):
        assert verdicts.of_kind(kind, *Consequence) == OF_EACH

    def test_is_the_same_again(self):
        once, again = (list(judge(3, 1)) for _ in range(2))
        assert once == again
