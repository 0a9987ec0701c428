"""What the libraries know about addresses, numbers and passwords is told with what rules refuse."""

from dataclasses import replace

import pytest

from rewards_app.core.errors import DomainError
from rewards_app.features.accounts import contacts, rules
from rewards_app.features.accounts.password_rules import KnownPassword, WeakPassword
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
            "name": rules.NameLength,
            "phone": rules.BadPhone,
            "email": rules.DisposableEmail,
        }

    def test_tells_what_is_wrong_with_a_password(self):
        assert faults_of(password="password") == {"password": WeakPassword}
        assert faults_of(password="WatchCoins1!") == {"password": KnownPassword}

    def test_of_a_company_asks_for_no_number(self):
        found = faults_of(AccountKind.COMPANY, phone="", email="no address")
        assert found == {"email": rules.BadEmail}
