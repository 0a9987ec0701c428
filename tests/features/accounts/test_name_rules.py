"""Which names would be taken for the house."""

import pytest

from rewards_app.features.accounts import rules
from rewards_app.features.accounts.name_rules import passes_for_the_house


class TestNames:
    @pytest.mark.parametrize(
        "name",
        [
            *(
                "admin",
                "Admin",
                "ADMIN",
                "Adm1n",
                "AdmÏn",
                "Admln",
                "admin42",
                "Admins",
                "a.d.m.i.n",
            ),
            *("Anna Admin", "admin_anna", "The Moderator", "Supp0rt", "Support Team", "5upport"),
            *("WatchCoins", "Watch Coins", "W@tchC0ins_official", "mywatchcoinsteam", "Аdmin"),
        ],
    )
    def test_that_pass_for_the_house_are_reserved(self, name: str):
        assert passes_for_the_house(name)

    @pytest.mark.parametrize(
        "name",
        [
            *("Maja", "Badminton", "Supporter", "Moderato", "Watchman", "Coins", "Max 3000"),
            *("Adminton", "Анна", "Łukasz", "Sven", "1337", "Watch", "Admiral"),
        ],
    )
    def test_of_players_are_free(self, name: str):
        assert not passes_for_the_house(name)

    def test_are_refused_where_somebody_signs_up_or_renames(self):
        with pytest.raises(rules.NameReserved):
            rules.name_from("Admin")

    def test_that_a_provider_tells_give_way_to_another(self):
        assert rules.name_or("Watchcoins Support", "maja") == "maja"
