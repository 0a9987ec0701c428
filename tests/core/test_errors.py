"""What is wrong with a form is told at once: the first of it, with each in its place."""

import pytest

from rewards_app.core.errors import DomainError, Faults, FieldRefused, StorageAway


class Missing(FieldRefused):
    code = "test.missing"


class TooShort(FieldRefused):
    code = "test.too_short"


def refuse(refusal: DomainError) -> None:
    raise refusal


def read(*refusals: DomainError) -> None:
    """A form whose fields are refused like this, one after the other."""
    with Faults() as faults:
        for refusal in refusals:
            faults.read(refuse, refusal)


def refusal_of(*refusals: DomainError) -> DomainError:
    with pytest.raises(DomainError) as raised:
        read(*refusals)
    return raised.value


def codes(refusal: DomainError) -> dict[str, str]:
    return {field: fault.code for field, fault in refusal.faults.items()}


class TestFaults:
    def test_of_nothing_are_none(self):
        with Faults() as faults:
            assert faults.read(str.upper, "name") == "NAME"

    def test_are_told_as_the_first_of_them(self):
        refusal = refusal_of(Missing("name"), TooShort("message", count=10))
        assert (refusal.code, refusal.params) == ("test.missing", {"field": "name"})
        assert codes(refusal) == {"name": "test.missing", "message": "test.too_short"}

    def test_of_one_field_are_its_first(self):
        assert codes(refusal_of(Missing("name"), TooShort("name"))) == {"name": "test.missing"}

    def test_that_were_told_together_stay_together(self):
        dates = refusal_of(Missing("start"), Missing("end"))
        assert sorted(codes(refusal_of(TooShort("name"), dates))) == ["end", "name", "start"]

    def test_do_not_hide_what_concerns_no_field(self):
        assert isinstance(refusal_of(Missing("name"), StorageAway()), StorageAway)

    def test_of_a_refusal_without_a_field_are_none(self):
        assert codes(StorageAway()) == {}
        assert codes(Missing("name")) == {"name": "test.missing"}
