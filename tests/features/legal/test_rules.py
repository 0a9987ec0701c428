"""Sections, editions, and who is told of them."""

from rewards_app.features.legal.rules import EDITIONS, SECTIONS, Document, earlier, newest, untold

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

    def test_whoever_missed_editions_is_told_of_each_in_their_order(self):
        told = untold({("terms", newest(Document.TERMS).number), ("privacy", 1)})
        numbers = [(one.document, one.number) for one in told]
        last = newest(Document.PRIVACY).number
        assert numbers == [(Document.PRIVACY, number) for number in range(2, last + 1)]
        assert len(numbers) > 1

    def test_what_came_before_the_last_that_was_read_is_not_news(self):
        last = {(one.document.value, one.number - 1) for one in map(newest, Document)}
        assert untold(last) == [newest(document) for document in Document]


class TestEarlier:
    def test_editions_are_all_but_the_newest_the_last_one_first(self):
        for document in Document:
            numbers = [one.number for one in earlier(document)]
            assert numbers == [*range(newest(document).number - 1, 0, -1)]


def test_each_document_has_its_ten_sections():
    assert {len(sections) for sections in SECTIONS.values()} == {10}
