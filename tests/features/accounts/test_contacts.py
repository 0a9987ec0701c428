"""What the libraries know about addresses, numbers and passwords is told with what rules refuse."""

from dataclasses import replace

import pytest
from zxcvbn_rs_py import zxcvbn

from rewards_app.core.errors import DomainError
from rewards_app.features.accounts import contacts, name_rules, rules
from rewards_app.features.accounts.password_rules import (
    KnownPassword,
    PersonalPassword,
    WeakPassword,
)
from rewards_app.features.accounts.rules import AccountKind
from tests.people import A_FORM


def faults_of(kind: AccountKind = AccountKind.PLAYER, **changes: str) -> dict[str, type]:
    with pytest.raises(DomainError) as refused:
        contacts.sign_up_from(replace(A_FORM, **changes), kind, "en")
    return {field: type(fault) for field, fault in refused.value.faults.items()}


class TestASignUp:
    def test_is_read_whole(self):
        wanted = contacts.sign_up_from(A_FORM, AccountKind.PLAYER, "en")
        assert (wanted.email, wanted.player and wanted.player.age) == (A_FORM.email, 21)

    def test_tells_what_rules_and_libraries_refuse_at_once(self):
        found = faults_of(name="a", phone="12", email="anna@mailinator.com")
        assert found == {
            "name": name_rules.NameLength,
            "phone": rules.BadPhone,
            "email": rules.DisposableEmail,
        }

    def test_tells_what_is_wrong_with_a_password(self):
        assert faults_of(password="password") == {"password": WeakPassword}
        assert faults_of(password="WatchCoins1!") == {"password": KnownPassword}

    def test_of_a_company_asks_for_no_number(self):
        found = faults_of(AccountKind.COMPANY, phone="", email="no address")
        assert found == {"email": rules.BadEmail}


def refusal_of(password: str, *about: str) -> type[DomainError] | None:
    try:
        contacts.refuse_guessable(password, about=about)
    except DomainError as refusal:
        return type(refusal)
    return None


class TestAGuessablePassword:
    def test_is_personal_where_only_a_name_makes_it_so(self):
        assert refusal_of("Jo@li.se12") is None
        assert refusal_of("Jo@li.se12", "jo@li.se") is PersonalPassword

    def test_is_known_where_no_name_does(self):
        assert refusal_of("Liverpool-10") is KnownPassword
        assert refusal_of("Liverpool-10", "jo@li.se", "") is KnownPassword

    def test_is_estimated_once_where_it_is_long(self, monkeypatch: pytest.MonkeyPatch):
        """A second time it would hold up everybody for as long again."""
        estimated: list[str] = []
        monkeypatch.setattr(
            contacts,
            "zxcvbn",
            lambda password, words: estimated.append(password) or zxcvbn(password, words),
        )
        long = "Xkvq-Wzpt7!Xkvq-Wzpt8?Bnmrl"
        assert len(long) > contacts.LONG
        assert refusal_of(long, long) is KnownPassword
        assert estimated == [long]

    def test_is_estimated_piece_by_piece_until_one_holds(self, monkeypatch: pytest.MonkeyPatch):
        """A hundred signs at once, each of which may stand for a letter, take a second."""
        estimated: list[str] = []
        monkeypatch.setattr(
            contacts,
            "zxcvbn",
            lambda password, words: estimated.append(password) or zxcvbn(password, words),
        )
        weak, holds = "Aa1!" * 10, "4@8({[<369!1|70$5+%2" * 2
        assert refusal_of(weak + holds + holds + "Aa1!Aa1!") is None
        assert estimated == [weak, holds]
        assert refusal_of(weak * 3) is KnownPassword
        assert {len(piece) for piece in estimated} == {contacts.ESTIMATED_AT_ONCE}
