"""Names that somebody may carry, and which would be taken for the house."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.errors import DomainError
from rewards_app.features.accounts import name_rules
from rewards_app.features.accounts.handle_rules import handle_from
from rewards_app.features.accounts.reserved_names import passes_for_the_house


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
        with pytest.raises(name_rules.NameReserved):
            name_rules.name_from("Admin")

    def test_that_a_provider_tells_give_way_to_another(self):
        assert name_rules.untyped_name("Watchcoins Support", "maja") == "maja"

    @pytest.mark.parametrize("name", ["admin", "you.idiot", "a", "\u202eevil"])
    def test_that_nobody_typed_give_way_to_a_neutral_one(self, name: str):
        assert name_rules.untyped_name("Admin", name) == "player"

    def test_that_nobody_typed_are_cut(self):
        assert name_rules.untyped_name("m" * 64) == "m" * 40

    def test_of_what_is_far_too_long_nothing_is_looked_at(self):
        """Marks on letters are put together in a time that grows with their square."""
        with pytest.raises(name_rules.NameLength):
            name_rules.name_from("\u200b" * (name_rules.LONGEST_TYPED + 1))
        with pytest.raises(name_rules.NameUnreadable):
            name_rules.name_from("\u200b" * name_rules.LONGEST_TYPED)


class TestNiceness:
    def test_nobody_is_called_what_would_be_masked(self):
        with pytest.raises(name_rules.NameNotNice) as refusal:
            name_rules.name_from("Stupid Idiot")
        assert "Idiot" in refusal.value.params["words"]
        assert name_rules.name_from("MAXIMILIANE HOHENSTAUFEN")

    @pytest.mark.parametrize("name", ["xXIdiotXx", "noob_99", "1d10t"])
    def test_nobody_hides_such_a_name_in_another(self, name: str):
        with pytest.raises(name_rules.NameNotNice):
            name_rules.name_from(name)

    def test_a_name_is_read_in_its_owners_language(self):
        assert name_rules.name_from("Slut", "sv") == "Slut"


class TestHandles:
    def test_are_made_of_names(self):
        assert handle_from("Maja K") == "maja_k"

    @pytest.mark.parametrize("name", ["Friend of the best Adminton", "Friend of the best Idiotika"])
    def test_that_say_something_else_when_they_are_cut_are_neutral(self, name: str):
        assert name_rules.name_from(name)
        assert handle_from(name) == "player"


class TestName:
    @pytest.mark.parametrize(
        "name",
        ["Al", "x" * 40, "Zażółć", "Анна", "xX_Pro-7_Xx", "O'Neill", "山田たろう", "Anna Иван"],
    )
    def test_accepts_names_of_all_kinds(self, name: str):
        assert name_rules.name_from(name) == name

    def test_composes_letters_and_tidies_spaces(self):
        assert name_rules.name_from("  Zoe\u0301 \u00a0  K ") == "Zoé K"

    @pytest.mark.parametrize("name", ["", "   ", "A", "x" * 41])
    def test_refuses_no_name_one_character_and_41(self, name: str):
        with pytest.raises(name_rules.NameLength) as refusal:
            name_rules.name_from(name)
        assert refusal.value.params == {"least": 2, "most": 40}

    @pytest.mark.parametrize(
        "unseen",
        [*"\x00\x07\n\t\u200b\u200d\u2028\u202e\u2066\ufeff\u00ad\u3164\u2800\ufe0f", "\ud800"],
        ids=lambda unseen: f"U+{ord(unseen):04X}",
    )
    def test_refuses_characters_that_cannot_be_seen(self, unseen: str):
        with pytest.raises(name_rules.NameUnreadable):
            name_rules.name_from(f"An{unseen}na")

    @pytest.mark.parametrize("name", ["...", "-_-", "🎮🎮"])
    def test_refuses_a_name_without_a_letter_or_digit(self, name: str):
        with pytest.raises(name_rules.NameUnreadable):
            name_rules.name_from(name)

    @pytest.mark.parametrize("name", ["\u0430dmin", "Anna P\u0430l", "Αnna", "x\u0301\u0430x"])
    def test_refuses_alphabets_that_look_alike_in_one_word(self, name: str):
        with pytest.raises(name_rules.NameMixesAlphabets):
            name_rules.name_from(name)

    @given(st.text(alphabet=st.characters(), max_size=50))
    def test_an_accepted_name_stays_as_it_is(self, raw: str):
        try:
            name = name_rules.name_from(raw)
        except DomainError:
            return
        assert name_rules.name_from(name) == name
        assert 2 <= len(name) <= 40
