"""What companies type, one field at a time: what is kept of it, and what is refused beside it."""

import string
import unicodedata
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.errors import FieldRefused
from rewards_app.features.advertiser import fields

RIGHT_TO_LEFT = "\u202egnp.exe"
ZERO_WIDTH = "Win\u200bter"


def line(raw: str, **changes: object) -> str:
    return fields.line_from(raw, "name", **{"longest": 80} | changes)  # pyright: ignore


def address(raw: str, *, allows_http: bool = False, **changes: bool) -> str:
    return fields.address_from(raw, "click_url", allows_http=allows_http, **changes)


def cents(raw: str, **changes: object) -> int | None:
    return fields.cents_from(raw, "budget", **changes)  # pyright: ignore


class TestRetyped:
    def test_is_what_differs_from_what_the_form_showed(self):
        shown = {"name": "Winter", "budget": "500.00", "daily_budget": "50.00"}
        typed = {"name": "Spring", "budget": "500.00", "daily_budget": ""}
        assert fields.retyped(typed, shown) == {"name": "Spring", "daily_budget": ""}

    @pytest.mark.parametrize("same", ["One\r\nTwo", " One\nTwo ", "One\nTwo\n"])
    def test_is_not_what_a_browser_writes_in_another_way(self, same: str):
        assert fields.retyped({"text": same}, {"text": "One\nTwo"}) == {}

    def test_is_what_the_form_did_not_show_at_all(self):
        assert fields.retyped({"name": "Spring", "budget": " "}, {}) == {"name": "Spring"}


class TestALine:
    def test_is_kept_as_one_line_with_single_spaces(self):
        assert line("  Winter \t sale\n2026 ") == "Winter sale 2026"

    def test_is_composed_so_that_equal_names_are_equal(self):
        assert line("Kopfho\u0308rer") == "Kopfhörer"

    @pytest.mark.parametrize(
        "name", ["Zażółć gęślą jaźń", "Осенняя кампания", "冬のセール 🎧", "❤️", "!?"]
    )
    def test_may_be_written_in_any_script(self, name: str):
        assert line(name) == name

    @pytest.mark.parametrize("nothing", ["", " ", "\t\n", "\u3000"])
    def test_must_say_something_where_it_is_needed(self, nothing: str):
        with pytest.raises(fields.Missing) as refusal:
            line(nothing)
        assert refusal.value.params == {"field": "name"}
        assert line(nothing, required=False) == ""

    @pytest.mark.parametrize("length", [81, 10_000])
    def test_may_not_be_longer_than_its_field(self, length: int):
        with pytest.raises(fields.TooLong) as refusal:
            line("x" * length)
        assert refusal.value.params == {"field": "name", "most": 80}

    def test_may_be_exactly_as_long_as_its_field(self):
        assert len(line("x" * 80)) == 80

    @pytest.mark.parametrize(
        "raw",
        [
            RIGHT_TO_LEFT,
            ZERO_WIDTH,
            "a\u2066b",
            "a\u00adb",
            "a\ufeffb",
            "a\x00b",
            "a\x7fb",
            "\ue000",
            "\u3164",
            "Win\u2800ter",
            "\ufe0f",
            "\u0301\u0302",
        ],
    )
    def test_hides_nothing_and_turns_nothing_around(self, raw: str):
        with pytest.raises(fields.Unseen):
            line(raw)

    @given(st.text(max_size=200))
    def test_that_is_accepted_is_short_and_can_be_seen_whole(self, raw: str):
        try:
            kept = line(raw)
        except FieldRefused:
            return
        assert 0 < len(kept) <= 80
        assert kept == kept.strip()
        assert all(unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Cn"} for c in kept)
        assert line(kept) == kept


class TestAText:
    def test_keeps_its_lines(self):
        text = fields.text_from(" First \n\n  second  line ", "description", longest=100)
        assert text == "First\n\nsecond line"

    def test_may_be_empty(self):
        assert fields.text_from("", "description", longest=100) == ""

    @pytest.mark.parametrize("raw", [RIGHT_TO_LEFT, ZERO_WIDTH, "a\x1bb"])
    def test_hides_nothing(self, raw: str):
        with pytest.raises(fields.Unseen):
            fields.text_from(raw, "description", longest=100)

    def test_may_not_be_longer_than_its_field(self):
        with pytest.raises(fields.TooLong):
            fields.text_from("x" * 10_000, "description", longest=500)


class TestAnAddress:
    @pytest.mark.parametrize(
        ("raw", "kept"),
        [
            ("https://example.com", "https://example.com"),
            (" https://example.com/a?b=c#d ", "https://example.com/a?b=c#d"),
            ("https://EXAMPLE.com:8443/x", "https://example.com:8443/x"),
            ("https://bücher.example/", "https://xn--bcher-kva.example/"),
            ("https://пример.рф/", "https://xn--e1afmkfd.xn--p1ai/"),
            ("https://example.com./x", "https://example.com/x"),
        ],
    )
    def test_of_a_public_page_is_kept_in_punycode(self, raw: str, kept: str):
        assert address(raw) == kept

    def test_may_be_one_of_our_own_files_where_these_are_shown(self):
        own = "/ads/hear-the-fjord.webm"
        assert address(own, allows_own=True) == own
        with pytest.raises(fields.BadScheme):
            address(own)

    @pytest.mark.parametrize("path", ["/other/path", "/ads/../session/start", "/ads/x.webm?y=z"])
    def test_of_our_own_is_a_files_alone(self, path: str):
        with pytest.raises(fields.BadScheme):
            address(path, allows_own=True)

    def test_may_be_left_out_where_it_is_not_needed(self):
        assert address("  ") == ""
        with pytest.raises(fields.Missing):
            address("", required=True)

    @pytest.mark.parametrize(
        "raw",
        [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)//https://example.com",
            "data:text/html,<script>alert(1)</script>",
            "file:///etc/passwd",
            "ftp://example.com/x",
            "blob:https://example.com/x",
            "vbscript:x",
            "//example.com/x",
            "example.com",
            "/other/path",
            "/ads/../session/start",
            "/ads/x.webm?y=z",
            "http://example.com",
        ],
    )
    def test_of_anything_but_https_is_refused(self, raw: str):
        with pytest.raises(fields.BadScheme):
            address(raw)

    def test_may_be_http_where_it_is_developed(self):
        assert address("http://example.com/x", allows_http=True) == "http://example.com/x"

    @pytest.mark.parametrize(
        "raw",
        [
            "https://user:secret@example.com/",
            "https://user@example.com/",
            "https://@example.com/",
            "https://example.com:443@evil.example/",
        ],
    )
    def test_carries_no_credentials(self, raw: str):
        with pytest.raises(fields.AddressWithCredentials):
            address(raw)

    @pytest.mark.parametrize(
        "host",
        [
            "localhost", "LOCALHOST", "localhost.", "127.0.0.1", "127.1", "0", "2130706433",
            "0x7f000001", "0x7f.1", "0177.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254",
            "8.8.8.8", "[::1]", "[::ffff:127.0.0.1]", "[fe80::1]", "1.2.3.4.", "printer",
            "router.local", "db.internal", "nas.lan", "a.localhost", "x.home.arpa", "x.onion",
            "１２７.０.０.１", "127。0。0。1", "①②⑦.⓪.⓪.①", "ｌocalhost",
            "example.0x10", "example.1", "1.2.3.4。", "localhost．", "localhost｡", "example.com..",
        ],
    )  # fmt: skip
    def test_leads_to_no_private_place_however_it_is_written(self, host: str):
        with pytest.raises((fields.PrivateAddress, fields.BadAddress)):
            address(f"https://{host}/x")

    @pytest.mark.parametrize(
        "raw",
        [
            "https://",
            "https:///path",
            "https://exa mple.com/",
            "https://example.com\\@evil.example",
            "https://example.com/\u202egnp",
            "https://example.com/\u200b",
            "https://example.com:99999/",
            "https://example.com:x/",
            "https://[::1/",
            "https://-bad-.example/",
            "https://a..example/",
            "https://example.com/\nSet-Cookie:x",
            "https://example.com\t.evil.example/",
        ],
    )
    def test_that_no_browser_would_read_the_same_way_is_refused(self, raw: str):
        with pytest.raises(FieldRefused):
            address(raw)

    def test_may_not_be_longer_than_its_column(self):
        with pytest.raises(fields.TooLong) as refusal:
            address("https://example.com/" + "x" * 10_000)
        assert refusal.value.params == {"field": "click_url", "most": 500}

    @given(st.text(max_size=80), st.booleans())
    def test_that_is_accepted_is_a_public_https_page(self, raw: str, has_scheme: bool):
        try:
            kept = address(f"https://{raw}" if has_scheme else raw)
        except FieldRefused:
            return
        parts = urlsplit(kept)
        if not kept:
            return
        assert parts.scheme == "https"
        assert parts.username is None
        assert parts.hostname
        assert parts.hostname.isascii()
        assert "." in parts.hostname
        assert not parts.hostname.rsplit(".", 1)[-1].isdigit()
        assert address(kept) == kept

    @given(st.integers(min_value=0, max_value=2**32 - 1), st.sampled_from("dxo"))
    def test_that_is_a_number_is_refused(self, number: int, notation: str):
        written = {"d": str(number), "x": hex(number), "o": f"0{number:o}"}[notation]
        with pytest.raises(FieldRefused):
            address(f"https://{written}/")

    @given(st.tuples(*[st.integers(0, 255)] * 4), st.sampled_from("dx"))
    def test_that_has_numbers_for_a_name_is_refused(self, bytes_: tuple[int, ...], notation: str):
        parts = [str(byte) if notation == "d" else hex(byte) for byte in bytes_]
        with pytest.raises(FieldRefused):
            address(f"https://{'.'.join(parts)}/")


class TestAnAmount:
    @pytest.mark.parametrize(
        ("typed", "kept"),
        [("1", 100), ("1.00", 100), ("1,5", 150), ("18000.05", 1_800_005), (" 250 ", 25_000)],
    )
    def test_is_kept_in_cents(self, typed: str, kept: int):
        assert cents(typed) == kept

    @pytest.mark.parametrize(
        "typed",
        [
            "NaN", "inf", "-1", "+1", "1e9", "1.234", "1.", ".5", "0x10", "1 000", "1,000.00",
            "$5", "five", "١٠", "１０", "1_000", "--1", "1.5.5", "9" * 13, "\u221210",
        ],
    )  # fmt: skip
    def test_that_is_no_plain_number_is_refused(self, typed: str):
        with pytest.raises(fields.BadAmount) as refusal:
            cents(typed)
        assert refusal.value.params == {"field": "budget"}

    @pytest.mark.parametrize("typed", ["0", "0.99", "1000000.01", "999999999999"])
    def test_lies_between_a_dollar_and_a_million(self, typed: str):
        with pytest.raises(fields.AmountOutOfRange) as refusal:
            cents(typed)
        assert refusal.value.params == {"field": "budget", "least": 1, "most": 1_000_000}

    def test_may_be_left_out_where_it_is_not_needed(self):
        assert cents(" ", required=False) is None
        with pytest.raises(fields.Missing):
            cents("")

    @given(st.integers(100, fields.LARGEST_CENTS))
    def test_comes_back_as_it_was_written(self, amount: int):
        assert cents(f"{amount // 100}.{amount % 100:02}") == amount

    @given(st.text(alphabet=string.printable, max_size=20))
    def test_that_is_accepted_is_in_range(self, typed: str):
        try:
            kept = cents(typed)
        except FieldRefused:
            return
        assert kept is not None
        assert 100 <= kept <= fields.LARGEST_CENTS


class TestANumber:
    @pytest.mark.parametrize(("typed", "kept"), [("5", 5), ("60", 60), (" 30 ", 30)])
    def test_is_kept_within_its_range(self, typed: str, kept: int):
        assert fields.number_from(typed, "duration", least=5, most=60) == kept

    @pytest.mark.parametrize(
        "typed", ["4", "61", "-5", "5.0", "30.5", "1e1", "NaN", "thirty", "３０", "0x1e", "9" * 400]
    )
    def test_of_any_other_kind_is_refused(self, typed: str):
        with pytest.raises(fields.NumberOutOfRange) as refusal:
            fields.number_from(typed, "duration", least=5, most=60)
        assert refusal.value.params == {"field": "duration", "least": 5, "most": 60}

    def test_must_be_given(self):
        with pytest.raises(fields.Missing):
            fields.number_from(" ", "duration", least=5, most=60)


class TestAMoment:
    def test_of_a_day_is_its_first_one_in_stockholm(self):
        kept = fields.moment_from("2026-12-01", "start_date")
        assert kept == datetime(2026, 11, 30, 23, tzinfo=UTC)

    def test_that_ends_something_belongs_to_it_to_the_end_of_the_day(self):
        kept = fields.moment_from("2026-12-01", "end_date", is_end=True)
        assert kept == datetime(2026, 12, 1, 23, tzinfo=UTC)

    def test_to_the_minute_is_that_minute(self):
        kept = fields.moment_from("2026-07-01T12:30", "end_date", is_end=True)
        assert kept == datetime(2026, 7, 1, 10, 30, tzinfo=UTC)

    @pytest.mark.parametrize(
        "typed",
        [
            "tomorrow", "2026-13-01", "2026-02-30", "2026-12-01T25:00", "01/12/2026", "1e9",
            "2026-12-01T10:00Z", "2026-12-01T10:00+02:00", "1999-12-31", "2201-01-01", "9999-12-31",
            "0001-01-01", "٢٠٢٦-١٢-٠١", "NaN", "2026-12-01; drop table ads",
        ],
    )  # fmt: skip
    def test_of_any_other_kind_is_refused(self, typed: str):
        with pytest.raises(fields.BadDate) as refusal:
            fields.moment_from(typed, "start_date", is_end=True)
        assert refusal.value.params == {"field": "start_date"}

    def test_must_be_given(self):
        with pytest.raises(fields.Missing):
            fields.moment_from("", "start_date")

    @given(st.text(max_size=30))
    def test_that_is_accepted_is_a_moment_of_our_time(self, typed: str):
        try:
            kept = fields.moment_from(typed, "start_date", is_end=True)
        except FieldRefused:
            return
        assert datetime(1999, 12, 31, tzinfo=UTC) <= kept <= datetime(2201, 1, 1, tzinfo=UTC)
