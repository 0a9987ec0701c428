"""Account rules: who may sign up with what, and how long a session lives."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.actor import Role
from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.features.accounts import name_rules, rules
from rewards_app.features.accounts.password_rules import (
    PersonalPassword,
    ShortPassword,
    WeakPassword,
)
from rewards_app.features.accounts.rules import AccountKind, Gender, SignUp
from tests.people import A_FORM as MAJAS_FORM

COUNTRIES = frozenset({"US", "SE", "PL"})
A_FORM = replace(MAJAS_FORM, email="anna@example.com", name="Anna", phone="070-123 45 67")


def sign_up(kind: AccountKind = AccountKind.PLAYER, **changes: str) -> SignUp:
    return rules.validated_sign_up(kind, replace(A_FORM, **changes), countries=COUNTRIES)


class TestKindAndRole:
    @pytest.mark.parametrize(
        ("raw", "kind"),
        [("player", "player"), ("company", "company"), ("admin", "admin")],
    )
    def test_reads_the_type_of_the_address(self, raw: str, kind: str):
        assert rules.kind_from(raw) == kind

    @pytest.mark.parametrize("raw", [None, "", "root", "ADMIN"])
    def test_takes_anything_else_for_a_player(self, raw: str | None):
        assert rules.kind_from(raw) is AccountKind.PLAYER

    def test_a_player_and_a_company_get_their_roles(self):
        assert rules.role_at_signup(AccountKind.PLAYER) is Role.PLAYER
        assert rules.role_at_signup(AccountKind.COMPANY) is Role.COMPANY

    def test_asking_for_admin_grants_nothing_but_is_remembered(self):
        wanted = sign_up(AccountKind.ADMIN)
        assert wanted.role is Role.PLAYER
        assert wanted.asked_for_admin
        assert not sign_up(AccountKind.COMPANY).asked_for_admin


class TestValidatedSignUp:
    def test_tells_all_that_is_wrong_at_once_the_first_field_first(self):
        with pytest.raises(name_rules.NameLength) as refused:
            sign_up(name="a", phone="", age="12", gender="", country="", email="", password="weak")
        named = {field: type(fault) for field, fault in refused.value.faults.items()}
        assert named == {
            "name": name_rules.NameLength,
            "phone": rules.BadPhone,
            "age": rules.TooYoung,
            "gender": rules.GenderMissing,
            "country": rules.UnknownCountry,
            "email": rules.BadEmail,
            "password": ShortPassword,
        }

    def test_a_player_brings_every_detail(self):
        player = sign_up(name="  Anna ", age=" 21 ", country="se", phone=" 070-123 45 67 ").player
        assert player == rules.PlayerDetails(
            name="Anna",
            phone="070-123 45 67",
            phone_country="SE",
            age=21,
            gender=Gender.FEMALE,
            country="SE",
        )

    @pytest.mark.parametrize("kind", [AccountKind.COMPANY, AccountKind.ADMIN])
    def test_others_bring_an_email_and_a_password_only(self, kind: AccountKind):
        wanted = sign_up(kind, name="", phone="", age="", gender="", country="")
        assert (wanted.email, wanted.player) == ("anna@example.com", None)

    def test_refuses_a_name_that_would_be_masked(self):
        with pytest.raises(name_rules.NameNotNice):
            sign_up(name="You idiot")

    def test_refuses_a_weak_password_of_a_company_too(self):
        with pytest.raises(WeakPassword):
            sign_up(AccountKind.COMPANY, password="short")

    def test_refuses_a_password_made_of_the_players_name(self):
        with pytest.raises(PersonalPassword):
            sign_up(name="Karlsson", password="My-Karlsson7!")

    def test_never_shows_the_password_or_the_phone_in_a_log(self):
        for shown in (repr(A_FORM), repr(sign_up())):
            assert A_FORM.password not in shown
            assert A_FORM.phone not in shown

    def test_names_the_first_field_that_is_wrong(self):
        with pytest.raises(name_rules.NameLength):
            sign_up(name="", age="", password="")


class TestAge:
    @pytest.mark.parametrize(("raw", "age"), [("13", 13), ("99", 99), (" 21 ", 21), ("013", 13)])
    def test_accepts_13_to_99(self, raw: str, age: int):
        assert rules.age_from(raw) == age

    @pytest.mark.parametrize("raw", ["12", "0"])
    def test_refuses_under_13_with_the_words_on_coppa(self, raw: str):
        with pytest.raises(rules.TooYoung) as refusal:
            rules.age_from(raw)
        assert refusal.value.title == "errors.accounts.too_young_title"

    @pytest.mark.parametrize("raw", ["", "100", "9" * 5000, "-5", "13.5", "1e1", "abc", "1 3"])
    def test_refuses_what_is_no_whole_number_up_to_99(self, raw: str):
        with pytest.raises(rules.BadAge) as refusal:
            rules.age_from(raw)
        assert refusal.value.params == {"youngest": 13, "oldest": 99}

    @given(st.text())
    def test_answers_any_text_with_an_age_or_a_refusal(self, raw: str):
        with suppress(rules.BadAge, rules.TooYoung):
            assert 13 <= rules.age_from(raw) <= 99


class TestGenderCountryAndPhone:
    @pytest.mark.parametrize(
        ("raw", "stored"), [("Male", "man"), ("Female", "kvinna"), ("Other", "other")]
    )
    def test_stores_the_specifications_values(self, raw: str, stored: str):
        assert rules.gender_from(raw) == stored

    @pytest.mark.parametrize("raw", ["", "man", "x"])
    def test_refuses_another_gender_value(self, raw: str):
        with pytest.raises(rules.GenderMissing):
            rules.gender_from(raw)

    @pytest.mark.parametrize("raw", ["", "XX", "SWE", "S"])
    def test_refuses_a_country_that_is_not_offered(self, raw: str):
        with pytest.raises(rules.UnknownCountry):
            rules.country_from(raw, COUNTRIES)

    def test_refuses_a_code_of_three_letters_even_if_it_is_in_the_list(self):
        with pytest.raises(rules.UnknownCountry):
            rules.country_from("SWE", {"SWE"})

    def test_offers_twenty_phone_countries_in_the_specifications_order(self):
        offered = "US CA GB DE FR ES IT NL SE NO DK FI AU NZ JP KR BR MX AR IN"
        assert " ".join(rules.PHONE_COUNTRIES) == offered

    def test_a_form_that_names_no_country_means_the_united_states(self):
        form = rules.SignUpForm("anna@example.com", "x")
        assert (form.country, form.phone_country) == ("US", "US")

    @pytest.mark.parametrize(
        ("phone", "country"), [("", "SE"), ("  ", "SE"), ("1" * 33, "SE"), ("0701234567", "PL")]
    )
    def test_refuses_no_phone_a_long_one_and_a_country_not_offered(self, phone: str, country: str):
        with pytest.raises(rules.BadPhone):
            rules.phone_from(phone, country)


class TestEmail:
    def test_trims_and_lowers(self):
        assert rules.email_from("  Anna@Example.COM\n") == "anna@example.com"

    def test_looks_at_nothing_of_what_is_far_too_long(self):
        """Marks on letters are put together in a time that grows with their square."""
        with pytest.raises(rules.BadEmail):
            rules.email_from(f"{' ' * name_rules.LONGEST_TYPED}anna@example.com")

    def test_accepts_254_characters_and_refuses_255(self):
        assert len(rules.email_from("a" * 242 + "@example.com")) == 254
        with pytest.raises(rules.BadEmail):
            rules.email_from("a" * 243 + "@example.com")

    @pytest.mark.parametrize(
        "email",
        ["", " ", "an na@x.se", "anna@x.se\nbcc:b@x.se", "anna\u200b@x.se", "anna\x00@x.se"],
    )
    def test_refuses_nothing_gaps_and_unseen_characters(self, email: str):
        with pytest.raises(rules.BadEmail):
            rules.email_from(email)


class TestSession:
    def test_ends_after_half_an_hour_of_silence_and_after_thirty_days_in_any_case(self):
        assert timedelta(minutes=30) == rules.IDLE_LIMIT
        assert timedelta(days=30) == rules.SESSION_LIFETIME

    def test_tickets_and_links_last_as_long_as_was_promised(self):
        assert timedelta(seconds=30) == rules.TICKET_LIFETIME
        assert timedelta(hours=24) == rules.VERIFICATION_LIFETIME
        assert timedelta(hours=1) == rules.RESET_LIFETIME


class TestRefusals:
    def test_every_refusal_has_a_code_of_its_own(self):
        refusals = [
            found
            for found in vars(rules).values()
            if isinstance(found, type) and issubclass(found, DomainError)
        ]
        codes = [refusal.code for refusal in refusals if refusal not in (DomainError, FieldRefused)]
        assert codes
        assert len(codes) == len(set(codes))
        assert all(code.startswith("accounts.") for code in codes)
