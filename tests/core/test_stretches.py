"""Lists that grow at both ends."""

from rewards_app.core.stretches import MOST_RENEWED, read_again, renewed, so_many


def rows(*ids: int) -> list[dict[str, object]]:
    return [{"id": each} for each in ids]


class TestRenewed:
    def test_puts_what_is_new_above_what_was_loaded(self):
        assert renewed(rows(5, 4, 3, 2, 1), rows(6, 5, 4)) == rows(6, 5, 4, 3, 2, 1)

    def test_takes_the_newer_version_of_a_row(self):
        newest = [{"id": 2, "status": "completed"}]
        assert renewed([{"id": 2, "status": "waiting"}, *rows(1)], newest) == [*newest, *rows(1)]

    def test_loses_what_has_left_the_list(self):
        assert renewed(rows(3, 2, 1), rows(3, 1)) is None
        assert renewed(rows(5, 4, 3, 2, 1), rows(5, 3, 2)) == rows(5, 3, 2, 1)

    def test_begins_anew_where_the_last_one_shown_has_left(self):
        assert renewed(rows(5, 4, 3), rows(5, 4, 2)) is None

    def test_begins_anew_where_there_is_nothing_older_any_more(self):
        assert renewed(rows(3, 2, 1), rows(3, 2), is_all=True) is None
        assert renewed(rows(3, 2, 1), [], is_all=True) is None

    def test_shows_once_what_has_moved_up(self):
        assert renewed(rows(5, 4, 3, 2, 1), rows(2, 5, 4)) == rows(2, 5, 4, 3, 1)

    def test_begins_anew_where_rows_in_between_would_be_missing(self):
        assert renewed(rows(3, 2, 1), rows(9, 8, 7)) is None

    def test_begins_anew_where_nothing_older_was_loaded(self):
        assert renewed(rows(2, 1), rows(3, 2, 1)) is None
        assert renewed([], rows(1)) is None


class TestReadAgain:
    def test_asks_for_what_is_shown_and_a_page_more_up_to_a_bound(self):
        assert so_many([], 20) == 20
        assert so_many(rows(3, 2, 1), 20) == 23
        assert so_many(rows(*range(600)), 20) == MOST_RENEWED
        assert so_many(rows(*range(60)), 20, most=40) == 40

    def test_leaves_no_row_as_it_was(self):
        found = [{"id": each, "is_read": True} for each in (6, 5, 4, 3, 2, 1)]
        assert read_again(rows(5, 4, 3), found) == found[:4]

    def test_loses_what_has_left_the_list(self):
        assert read_again(rows(5, 4, 3, 2), rows(5, 3, 2, 1)) == rows(5, 3, 2)

    def test_begins_anew_where_the_last_one_shown_has_left(self):
        assert read_again(rows(5, 4, 3), rows(5, 4, 2)) is None

    def test_begins_anew_where_nothing_is_older_or_was_shown(self):
        assert read_again(rows(3, 2, 1), rows(3, 2), is_all=True) is None
        assert read_again([], rows(1)) is None

    def test_keeps_what_lies_beyond_what_was_read(self):
        assert read_again(rows(5, 4, 3, 2, 1), rows(6, 5, 4)) == rows(6, 5, 4, 3, 2, 1)
