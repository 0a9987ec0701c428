"""Password rules: the specification's score, the well-known words, the rotation."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.accounts.password_rules import (
    KnownPassword,
    PasswordAge,
    PasswordTooLong,
    PersonalPassword,
    ShortPassword,
    WeakPassword,
    check_password,
    is_widely_known,
    password_notice,
    refuse_weak,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
A_GOOD_PASSWORD = "Tall-Otter7-rides!"
MOST_USED = Path(__file__).with_name("most_used")
"""Of SecLists' ten million passwords: the first 3,000, and what of the first million is valid."""


class TestCheckPassword:
    def test_accepts_a_password_that_keeps_every_rule(self):
        check = check_password("Kelp7!dB")
        assert (check.score, check.label, check.missing) == (5, "strong", ())
        assert check.is_valid

    @pytest.mark.parametrize(
        ("password", "missing"),
        [
            ("Kelp7!d", "length"),
            ("kelp7!db", "uppercase"),
            ("KELP7!DB", "lowercase"),
            ("Kelpy!dB", "digit"),
            ("Kelp7ydB", "special"),
        ],
    )
    def test_is_good_but_not_valid_when_one_rule_is_unmet(self, password: str, missing: str):
        check = check_password(password)
        assert (check.score, check.label, check.missing) == (4, "good", (missing,))
        assert not check.is_valid

    def test_names_what_is_missing_in_the_specifications_order(self):
        missing = ("length", "uppercase", "lowercase", "digit", "special")
        assert check_password("").missing == missing

    @pytest.mark.parametrize("password", ["PassWord7!x", "123456Ab!", "QWERTY7!x"])
    def test_takes_two_points_for_a_common_beginning_in_any_case(self, password: str):
        check = check_password(password)
        assert "common_pattern" in check.missing
        assert check.score == 5 - len(set(check.missing) - {"common_pattern"}) - 2

    def test_allows_a_common_pattern_that_does_not_begin_the_password(self):
        assert check_password("My-Qwerty7").is_valid

    def test_takes_two_points_for_three_equal_characters_in_a_row(self):
        check = check_password("Kelp777!dB")
        assert (check.score, check.label, check.missing) == (3, "fair", ("repeated",))

    def test_finds_a_repetition_at_the_very_end_and_after_a_line_break(self):
        assert check_password("Kelp7dB!!!").missing == ("repeated",)
        assert check_password("Kelp7dB!\naaa").missing == ("repeated",)

    def test_allows_two_equal_characters_in_a_row(self):
        assert check_password("Kelp77!!dB").is_valid

    def test_takes_the_two_points_once_for_both_patterns(self):
        both = check_password("Password111!")
        assert (both.score, both.missing) == (3, ("common_pattern", "repeated"))

    def test_never_scores_below_zero(self):
        assert check_password("qwerty").score == 0

    @pytest.mark.parametrize("password", ["Привет-мир7", "Łódź-jest7", "Ünder-wegs7"])
    def test_counts_letters_of_every_alphabet(self, password: str):
        assert check_password(password).is_valid

    def test_counts_a_letter_with_its_accent_as_one_character(self):
        assert check_password("Kelp7!e\u0301").missing == ("length",)

    def test_does_not_take_a_combining_accent_for_a_special_character(self):
        assert check_password("Kelp7yyx\u0301dB").missing == ("special",)

    @pytest.mark.parametrize("special", [" ", "_", "€", "🎮", "«"])
    def test_takes_spaces_punctuation_and_symbols_for_special(self, special: str):
        assert check_password(f"Kelp7{special}ydB").is_valid

    @given(st.text())
    def test_the_score_is_between_zero_and_five(self, password: str):
        assert 0 <= check_password(password).score <= 5

    @given(st.text(alphabet="aB7! €é", max_size=20))
    def test_a_valid_password_misses_nothing(self, password: str):
        check = check_password(password)
        assert check.is_valid == (not check.missing)
        assert not check.is_valid or check.label in {"good", "strong"}


class TestIsWidelyKnown:
    @pytest.mark.parametrize(
        "password",
        [
            *("WatchCoins1!", "P@ssw0rd!23", "Fortnite2026!", "Qwertz123!", "Summer2026!"),
            *("Watch-Coins-9", "2026-Minecraft", "I love you 1!", "ＷatchCoins1!"),
        ],
    )
    def test_finds_a_listed_word_with_digits_and_punctuation(self, password: str):
        assert is_widely_known(password)

    @pytest.mark.parametrize(
        "password",
        ["Lösenord1!", "Losenord1!", "Passwort99!", "Soleil-2025", "Contraseña1", "Ciaociao1!"],
    )
    def test_finds_words_of_western_languages_with_and_without_accents(self, password: str):
        assert is_widely_known(password)

    @pytest.mark.parametrize("password", ["Hasło123!", "Haslo123!", "Пароль1!", "Gfhjkm1!"])
    def test_finds_polish_and_russian_words_and_russian_on_a_latin_keyboard(self, password: str):
        assert is_widely_known(password)

    @pytest.mark.parametrize("password", ["!QAZ2wsx", "Zaq12wsx!", "Q1w2e3r4!", "Asdfghjkl1!"])
    def test_finds_keyboard_walks(self, password: str):
        assert is_widely_known(password)

    @pytest.mark.parametrize("password", ["$ecret1!", "Ninj@1!", "Fa1c0n99!", "F1nland!7"])
    def test_undoes_leetspeak_at_the_edges_and_both_readings_of_one(self, password: str):
        assert is_widely_known(password)

    def test_finds_a_word_written_twice(self):
        assert is_widely_known("DragonDragon1!")

    @pytest.mark.parametrize(
        "password", [A_GOOD_PASSWORD, "correct horse 9 Battery!", "xK7#pq!mZ2", "Kelp7!dB", ""]
    )
    def test_lets_random_passphrases_pass(self, password: str):
        assert not is_widely_known(password)

    def test_looks_no_further_than_the_longest_password(self):
        assert not is_widely_known("Watchcoins" + "1" * 1_000_000)

    @given(st.text(alphabet=st.characters()))
    def test_answers_for_any_text(self, password: str):
        assert is_widely_known(password) in {True, False}

    def test_answers_for_a_lone_surrogate(self):
        assert not is_widely_known("\ud800")

    @given(st.sampled_from(["fortnite", "WatchCoins", "żółw", "Sommar"]), st.integers(0, 10**6))
    def test_capitals_do_not_matter(self, word: str, number: int):
        known = is_widely_known(f"{word}{number}")
        assert known == is_widely_known(f"{word.upper()}{number}")


class TestRefuseWeak:
    def test_accepts_a_passphrase(self):
        refuse_weak(A_GOOD_PASSWORD, about=("the.player@example.com", "Anna Karlsson"))

    def test_names_every_unmet_rule(self):
        with pytest.raises(WeakPassword) as refusal:
            refuse_weak("kelp")
        assert refusal.value.params == {
            "missing": [
                f"password.missing.{rule}" for rule in ("length", "uppercase", "digit", "special")
            ]
        }
        assert refusal.value.title == "errors.accounts.weak_password_title"

    def test_of_too_few_characters_has_words_of_its_own(self):
        with pytest.raises(ShortPassword):
            refuse_weak("Kelp-7!")
        with pytest.raises(WeakPassword) as refusal:
            refuse_weak("kelp-and-otters")
        assert not isinstance(refusal.value, ShortPassword)

    def test_refuses_a_well_known_password_that_keeps_every_rule(self):
        with pytest.raises(KnownPassword):
            refuse_weak("WatchCoins1!")

    @pytest.mark.parametrize(
        "password", ["WatchCoins-Rewards7", "my-W4tchC01ns-rule", "Moderator1!", "Administrator-7"]
    )
    def test_refuses_the_name_of_the_house_and_of_those_who_work_for_it(self, password: str):
        with pytest.raises(KnownPassword):
            refuse_weak(password)

    def test_accepts_128_characters_and_refuses_129(self):
        refuse_weak(("Tall-Otter7-rides! " * 7)[:128])
        with pytest.raises(PasswordTooLong) as refusal:
            refuse_weak(("Tall-Otter7-rides! " * 7)[:129])
        assert refusal.value.params == {"most": 128}

    @pytest.mark.parametrize(
        "password", ["xx-Karlsson-77", "K4rl550n!xyz", "7!AnnaKarlssonB", "Otterhill-7!"]
    )
    def test_refuses_the_persons_own_name_or_email(self, password: str):
        with pytest.raises(PersonalPassword):
            refuse_weak(password, about=("otterhill@example.com", "Anna Karlsson"))

    def test_refuses_a_name_of_short_words_written_together(self):
        with pytest.raises(PersonalPassword):
            refuse_weak("9!xJoLiyB", about=("Jo Li",))

    def test_calls_nothing_personal_that_everybody_would_try(self):
        with pytest.raises(KnownPassword) as refusal:
            refuse_weak("Fortnite2026!", about=("fortnite@example.com",))
        assert type(refusal.value) is KnownPassword

    def test_lets_a_name_of_three_letters_pass(self):
        refuse_weak("Tall-bobcats7-ride!", about=("bob@example.com", "Bob"))

    def test_does_not_mind_the_domain_of_the_email(self):
        refuse_weak("My-example7-here!", about=("bob@example.com",))

    @given(st.text(), st.lists(st.text(), max_size=3))
    def test_raises_nothing_but_its_three_refusals(self, password: str, about: list[str]):
        try:
            refuse_weak(password, about=about)
        except (WeakPassword, KnownPassword, PasswordTooLong):
            return
        assert check_password(password).is_valid


def accepted(passwords: list[str]) -> list[str]:
    found: list[str] = []
    for password in passwords:
        try:
            refuse_weak(password)
        except (WeakPassword, KnownPassword):
            continue
        found.append(password)
    return found


class TestTheMostUsed:
    def test_are_refused_as_they_are_and_in_what_the_rules_have_people_add(self):
        words = (MOST_USED / "passwords.txt").read_text("utf-8").splitlines()
        assert len(words) == 3_000
        added = [f"{word.capitalize()}{end}" for word in words for end in ("1!", "123!", "2026!")]
        assert sum(check_password(password).is_valid for password in added) > 7_000
        assert accepted(words + added) == []

    def test_of_a_million_are_refused_where_they_keep_every_rule(self):
        valid = (MOST_USED / "keeping_every_rule.txt").read_text("utf-8").splitlines()
        assert len(valid) == 1_280
        assert all(check_password(password).is_valid for password in valid)
        assert accepted(valid) == []

    @pytest.mark.parametrize("password", ["India@123", "Aa112233@"])
    def test_are_no_stronger_with_a_sign_among_them(self, password: str):
        assert accepted([password]) == []


class TestPasswordNotice:
    def after(self, age: timedelta, rotation_days: int = 180) -> PasswordAge | None:
        return password_notice(NOON, rotation_days, NOON + age)

    def test_says_nothing_when_rotation_is_switched_off(self):
        assert self.after(timedelta(days=9999), rotation_days=0) is None

    def test_counts_all_days_for_a_new_password(self):
        assert self.after(timedelta(0)) == (180, False)

    def test_does_not_warn_with_eight_days_left(self):
        notice = self.after(timedelta(days=172))
        assert notice == (8, False)
        assert notice
        assert not notice.is_warning

    @pytest.mark.parametrize(("age", "left"), [(173, 7), (179, 1)])
    def test_warns_from_seven_days_to_one(self, age: int, left: int):
        notice = self.after(timedelta(days=age))
        assert notice == (left, False)
        assert notice
        assert notice.is_warning

    def test_counts_the_last_second_as_a_day(self):
        assert self.after(timedelta(days=180, seconds=-1)) == (1, False)

    @pytest.mark.parametrize("age", [180, 181, 4000])
    def test_needs_rotation_once_the_days_are_over(self, age: int):
        notice = self.after(timedelta(days=age))
        assert notice == (0, True)
        assert notice
        assert not notice.is_warning
