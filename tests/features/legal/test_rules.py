"""Sections, editions, and who is told of them."""

from rewards_app.features.legal.rules import EDITIONS, SECTIONS, Document, newest, untold

BOTH = {(one.document.value, one.number) for one in map(newest, Document)}


class TestEditions:
    def test_of_each_document_are_numbered_from_one_without_a_gap(self):
        for document in Document:
            numbers = [one.number for one in EDITIONS if one.document is document]
            assert numbers == list(range(1, len(numbers) + 1))

    def test_come_in_the_order_of_their_days(self):
        for document in Document:
            days = [one.since for one in EDITIONS if one.document is document]
            assert days == sorted(days)

    def test_the_newest_one_has_the_highest_number(self):
        for document in Document:
            most = max(one.number for one in EDITIONS if one.document is document)
            assert newest(document).number == most


class TestUntold:
    def test_who_read_nothing_is_told_of_both(self):
        assert [one.document for one in untold(set())] == [*Document]

    def test_who_read_both_is_told_of_nothing(self):
        assert untold(BOTH) == []

    def test_who_read_one_is_told_of_the_other(self):
        assert [one.document for one in untold({("terms", newest(Document.TERMS).number)})] == [
            Document.PRIVACY
        ]

    def test_an_older_edition_is_not_the_newest(self):
        assert len(untold({("terms", 0), ("privacy", 0)})) == 2


def test_each_document_has_its_ten_sections():
    assert {len(sections) for sections in SECTIONS.values()} == {10}
