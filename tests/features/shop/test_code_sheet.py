"""An admin's sheet of gift codes: every line is a code or a named problem."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rewards_app.features.shop.code_sheet import MOST_CHARACTERS, MOST_LINES, Problem, Row, read
from rewards_app.i18n import catalogues

PACKAGES = {"vbucks-2800": "2800 V-Bucks", "robux-800": "800 Robux"}
HEADER = "package,code"


def read_lines(*lines: str, header: str = HEADER, end: str = "\n"):
    return read(end.join([header, *lines]), PACKAGES)


def problem(line: int, name: str, **params: int) -> Problem:
    return Problem(line, f"codes.problems.{name}", params)


def only_problem(*lines: str, **changes) -> Problem:
    sheet = read_lines(*lines, **changes)
    assert sheet.rows == []
    [found] = sheet.problems
    return found


class TestRows:
    def test_are_read_with_their_lines(self):
        sheet = read_lines("vbucks-2800,AAAA-1111", "robux-800,BBBB-2222")
        assert sheet.rows == [Row(2, "vbucks-2800", "AAAA-1111"), Row(3, "robux-800", "BBBB-2222")]
        assert sheet.problems == []

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_may_end_as_any_system_ends_them(self, end: str):
        assert [
            row.line for row in read_lines("robux-800,AAAA", "", "robux-800,BBBB", end=end).rows
        ] == [2, 4]

    @pytest.mark.parametrize(
        ("header", "line"),
        [
            ("code,package", "AAAA,robux-800"),
            ("PACKAGE,Code", "robux-800,AAAA"),
            (" package , code ", " robux-800 , AAAA "),
            ("package;code", "robux-800;AAAA"),
            ("package\tcode", "robux-800\tAAAA"),
            ('"package","code"', '"robux-800","AAAA"'),
            ("\ufeffpackage,code", "robux-800,AAAA"),
            ('\ufeff"code";"package"', '"AAAA";"robux-800"'),
        ],
    )
    def test_are_found_under_any_form_of_the_header(self, header: str, line: str):
        assert read_lines(line, header=header).rows == [Row(2, "robux-800", "AAAA")]

    def test_keep_the_spaces_inside_a_code(self):
        assert read_lines("robux-800,  AA  BB  ").rows[0].code == "AA  BB"

    def test_may_have_a_separator_inside_quotes(self):
        assert read_lines('robux-800,"AA,B""B"').rows[0].code == 'AA,B"B'

    def test_may_be_as_short_and_as_long_as_codes_are(self):
        sheet = read_lines("robux-800,AAAA", f"robux-800,{'B' * 64}")
        assert len(sheet.rows) == 2

    def test_do_not_show_their_code_by_accident(self):
        assert "AAAA" not in repr(read_lines("robux-800,AAAA"))


class TestProblems:
    @pytest.mark.parametrize(
        ("line", "name", "params"),
        [
            ("robux-801,AAAA", "unknown_package", {}),
            (",AAAA", "unknown_package", {}),
            ("robux-800,", "no_code", {}),
            ('robux-800,"  "', "no_code", {}),
            ("robux-800,AAA", "too_short", {"least": 4}),
            (f"robux-800,{'A' * 65}", "too_long", {"most": 64}),
            ("robux-800,AA\x07AA", "unprintable", {}),
            ("robux-800,AA\u200bAA", "unprintable", {}),
            ("robux-800,AA\u202eAA", "unprintable", {}),
            ("robux-800,AA\ud800AA", "unprintable", {}),
            ("robux-800", "columns", {}),
            ("robux-800,AAAA,", "columns", {}),
            ("robux-800;AAAA", "columns", {}),
            ('robux-800,"AAAA', "unreadable", {}),
            ('robux-800,"AA"AA', "unreadable", {}),
        ],
    )
    def test_name_what_is_wrong(self, line: str, name: str, params: dict[str, int]):
        assert only_problem(line) == problem(2, name, **params)

    @pytest.mark.parametrize("start", [*"=+-@＝＋－＠"])
    def test_refuse_what_a_spreadsheet_would_run(self, start: str):
        assert only_problem(f"robux-800,{start}AAAA") == problem(2, "formula")
        assert only_problem(f'robux-800,"\t{start}AAAA"') == problem(2, "formula")

    def test_name_the_line_where_a_code_stood_first(self):
        sheet = read_lines("robux-800,AAAA", "vbucks-2800, AAAA ", "robux-800,AAAA")
        assert [row.line for row in sheet.rows] == [2]
        assert sheet.problems == [problem(3, "repeated", first=2), problem(4, "repeated", first=2)]

    @pytest.mark.parametrize("again", ["abcd-efgh", "ABCDEFGH", "AB CD EF GH", "aBcD\u2013eFgH"])
    def test_name_the_line_where_a_code_stood_in_another_writing(self, again: str):
        sheet = read_lines("robux-800,ABCD-EFGH", f"robux-800,{again}")
        assert [row.code for row in sheet.rows] == ["ABCD-EFGH"]
        assert sheet.problems == [problem(3, "repeated", first=2)]

    def test_leave_codes_apart_that_no_game_takes_for_one(self):
        assert len(read_lines("robux-800,ABCD-EFGH", "robux-800,ABCD_EFGH").rows) == 2

    def test_count_blank_lines_too(self):
        assert only_problem("", "", "robux-800,").line == 4

    def test_leave_the_good_lines_good(self):
        sheet = read_lines("robux-800,AAAA", "x,BBBB", "robux-800,CCCC")
        assert [row.line for row in sheet.rows] == [2, 4]
        assert [found.line for found in sheet.problems] == [3]

    def test_a_line_without_its_closing_quote_takes_no_other_with_it(self):
        sheet = read_lines('robux-800,"AAAA', "robux-800,BBBB", 'robux-800,CCCC"')
        assert [row.line for row in sheet.rows] == [3, 4]

    @pytest.mark.parametrize(
        "line", ["SECRET-1,robux-800", "robux-800,=SECRET-1", 'SECRET-1,"', "SECRET-1"]
    )
    def test_never_quote_a_code(self, line: str):
        assert "SECRET" not in repr(read_lines(line, "robux-800,SECRET-1", "robux-800,SECRET-1"))

    def test_all_have_their_words(self):
        names = "empty no_header too_large too_many_lines unreadable columns unknown_package"
        names += " no_code formula too_short too_long unprintable repeated in_stock"
        known = catalogues.interface("en")
        assert [name for name in names.split() if f"codes.problems.{name}" not in known] == []


class TestWholeSheet:
    @pytest.mark.parametrize("text", ["", "\ufeff", "\r\n\r\n", " \n\t\n"])
    def test_without_a_line_is_empty(self, text: str):
        assert read(text, PACKAGES).problems == [problem(1, "empty")]

    @pytest.mark.parametrize(
        "header",
        ["robux-800,AAAA", "package", "code", "package,code,code", "package,name", "package code"],
    )
    def test_without_a_header_is_not_read(self, header: str):
        assert only_problem("robux-800,AAAA", header=header) == problem(1, "no_header")

    def test_the_header_may_follow_blank_lines(self):
        assert read(f"\n\n{HEADER}\nrobux-800,AAAA", PACKAGES).rows[0].line == 4

    def test_with_a_header_alone_has_no_codes_and_no_problem(self):
        sheet = read_lines()
        assert (sheet.rows, sheet.problems) == ([], [])

    def test_may_have_as_many_lines_as_the_limit(self):
        full = [f"robux-800,CODE-{number}" for number in range(MOST_LINES)]
        assert len(read_lines(*full, "").rows) == MOST_LINES
        assert only_problem(*full, "robux-800,ONE-MORE") == problem(
            1, "too_many_lines", most=MOST_LINES
        )

    def test_may_have_as_many_characters_as_the_limit(self):
        text = f"{HEADER}\nrobux-800,AAAA\n".ljust(MOST_CHARACTERS, "\n")
        assert len(read(text, PACKAGES).rows) == 1
        assert read(f"{text}\n", PACKAGES).problems == [
            problem(1, "too_large", most=MOST_CHARACTERS)
        ]

    def test_one_endless_line_is_one_problem(self):
        assert only_problem("A" * 400_000) == problem(2, "unreadable")


LINES = st.one_of(
    st.text(),
    st.builds("robux-800,{}".format, st.text()),
    st.sampled_from(
        ["robux-800,AAAA", 'robux-800,"AAAA', "x,y", "", " ", ",", '"', "robux-800,=1+1"]
    ),
)


def not_blank(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line for line in lines if line.strip()]


class TestAnyText:
    @given(st.text())
    @example('"')
    @example("package,code\n\x00")
    def test_is_read_without_a_sound(self, text: str):
        read(text, PACKAGES)

    @given(st.lists(LINES, max_size=20))
    def test_every_line_is_a_row_or_a_problem(self, lines: list[str]):
        text = "\n".join([HEADER, *lines])
        sheet = read(text, PACKAGES)
        assert len(sheet.rows) + len(sheet.problems) == len(not_blank(text)) - 1
        numbers = [found.line for found in (*sheet.rows, *sheet.problems)]
        assert len(set(numbers)) == len(numbers)

    @given(st.lists(LINES, max_size=20))
    def test_every_row_can_be_sold(self, lines: list[str]):
        rows = read_lines(*lines).rows
        assert all(row.package_id in PACKAGES for row in rows)
        assert all(4 <= len(row.code) <= 64 and row.code.isprintable() for row in rows)
        assert len({row.code for row in rows}) == len(rows)
