"""Codes, names and counters, without a database."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.features.factors import rules, totp

NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def shown_at(moment: datetime) -> str:
    return totp.TOTP(SECRET).at(moment)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes the system is asked for, each time it is."""
    asked: list[int] = []
    of_the_system = random._urandom  # pyright: ignore[reportAttributeAccessIssue]

    def draw(count: int) -> bytes:
        asked.append(count)
        return of_the_system(count)

    monkeypatch.setattr(random, "_urandom", draw)
    return asked


class TestSecretsOfApps:
    def test_are_32_letters_of_which_the_system_chooses_each(self, drawn: list[int]):
        secrets = {totp.a_secret() for _ in range(20)}
        assert [len(secret) for secret in secrets] == [32] * 20
        assert len(drawn) >= 20 * 32


class TestCodesOfAnApp:
    @pytest.mark.parametrize("seconds", [-30, 0, 29, 30])
    def test_fit_now_and_half_a_minute_beside(self, seconds: int):
        code = shown_at(NOON + timedelta(seconds=seconds))
        assert totp.matching_step(SECRET, code, now=NOON) is not None

    @pytest.mark.parametrize("seconds", [-31, 60])
    def test_fit_no_more_when_a_period_lies_between(self, seconds: int):
        code = shown_at(NOON + timedelta(seconds=seconds))
        assert totp.matching_step(SECRET, code, now=NOON) is None

    def test_fit_nothing_where_there_is_no_secret(self):
        nobodys = totp.TOTP(totp.NOBODYS).at(NOON)
        assert totp.matching_step(None, nobodys, now=NOON) is None

    @pytest.mark.parametrize("typed", ["", "12345", "１２３４５６", "abcdef", "0" * 40])
    def test_that_are_none_fit_nothing(self, typed: str):
        assert totp.matching_step(SECRET, typed, now=NOON) is None

    def test_tell_which_period_they_are_of(self):
        later = NOON + timedelta(seconds=30)
        step = totp.matching_step(SECRET, shown_at(later), now=NOON)
        assert step == rules.step_at(NOON) + 1


def letters_of_many_codes() -> set[str]:
    return set("".join(code for _ in range(50) for code in rules.made_codes()))


class TestBackupCodes:
    def test_are_ten_of_eight_capital_letters_and_digits(self):
        codes = rules.made_codes()
        assert len(set(codes)) == 10
        assert all(len(code) == 8 and code.isalnum() and code == code.upper() for code in codes)

    def test_are_chosen_by_the_system_letter_by_letter(self, drawn: list[int]):
        rules.made_codes()
        assert len(drawn) >= 10 * 8

    def test_are_of_forty_bits(self):
        """Eight letters of 32."""
        assert len(letters_of_many_codes()) == 32

    def test_have_no_letters_that_are_taken_for_others(self):
        assert not set("IO01") & letters_of_many_codes()

    @pytest.mark.parametrize("typed", ["abcd-efgh", " ABCD EFGH ", "abcdefgh\n", "ABCD–EFGH"])
    def test_are_read_as_people_type_them(self, typed: str):
        assert rules.normal(typed) == "ABCDEFGH"

    def test_that_never_end_are_cut(self):
        assert len(rules.normal("A" * 10_000)) == 40


class TestPasskeys:
    @pytest.mark.parametrize(("raw", "name"), [(" My  key ", "My key"), ("a\u202eb", "a b")])
    def test_are_called_what_can_be_read(self, raw: str, name: str):
        assert rules.passkey_name(raw) == name

    @pytest.mark.parametrize("raw", ["", "  ", "\u200b", "x" * 61])
    def test_are_not_called_nothing_or_a_story(self, raw: str):
        with pytest.raises(rules.BadPasskeyName):
            rules.passkey_name(raw)

    @pytest.mark.parametrize(
        ("known", "said", "is_copy"),
        [(0, 0, False), (0, 1, False), (5, 6, False), (5, 5, True), (5, 4, True), (5, 0, True)],
    )
    def test_that_count_backwards_are_copies(self, known: int, said: int, is_copy: bool):
        assert rules.is_copy(known=known, said=said) is is_copy

    def test_a_browser_names_no_trouble_that_we_do_not_know(self):
        assert isinstance(rules.trouble("<script>"), rules.PasskeyFailed)


class TestReasons:
    @pytest.mark.parametrize("raw", ["", " ok ", "x" * 501])
    def test_are_neither_missing_nor_a_story(self, raw: str):
        with pytest.raises(rules.ReasonMissing):
            rules.reason_from(raw)


def test_every_refusal_has_a_code_of_its_own():
    refusals = [
        found
        for found in vars(rules).values()
        if isinstance(found, type) and issubclass(found, DomainError)
    ]
    codes = [each.code for each in refusals if each not in (DomainError, FieldRefused)]
    assert len(codes) == len(set(codes)) > 0
    assert all(code.startswith("factors.") for code in codes)
