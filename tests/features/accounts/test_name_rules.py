"""Which names would be taken for the house."""

import pytest

from rewards_app.features.accounts import rules
from rewards_app.features.accounts.handle_rules import handle_from
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
        assert rules.untyped_name("Watchcoins Support", "maja") == "maja"

    @pytest.mark.parametrize("name", ["admin", "you.idiot", "a", "\u202eevil"])
    def test_that_nobody_typed_give_way_to_a_neutral_one(self, name: str):
        assert rules.untyped_name("Admin", name) == "player"

    def test_that_nobody_typed_are_cut(self):
        assert rules.untyped_name("m" * 64) == "m" * 40


class TestNiceness:
    def test_nobody_is_called_what_would_be_masked(self):
        with pytest.raises(rules.NameNotNice) as refusal:
            rules.name_from("Stupid Idiot")
        assert "Idiot" in refusal.value.params["words"]
        assert rules.name_from("MAXIMILIANE HOHENSTAUFEN")

    @pytest.mark.parametrize("name", ["xXIdiotXx", "noob_99", "1d10t"])
    def test_nobody_hides_such_a_name_in_another(self, name: str):
        with pytest.raises(rules.NameNotNice):
            rules.name_from(name)

    def test_a_name_is_read_in_its_owners_language(self):
        assert rules.name_from("Slut", "sv") == "Slut"


class TestHandles:
    def test_are_made_of_names(self):
        assert handle_from("Maja K") == "maja_k"

    @pytest.mark.parametrize("name", ["Friend of the best Adminton", "Friend of the best Idiotika"])
    def test_that_say_something_else_when_they_are_cut_are_neutral(self, name: str):
        assert rules.name_from(name)
        assert handle_from(name) == "player"
