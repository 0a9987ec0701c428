"""Receipts as their buyers read them: one page, right sums, in eight languages."""

from datetime import UTC, datetime
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st
from pypdf import PageObject, PdfReader

from rewards_app.core.settings import settings
from rewards_app.features.shop.receipt import Receipt, receipt_pdf
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from rewards_app.paper.letters import FONTS, drawable

BOUGHT_AT = datetime(2026, 11, 21, 17, 5, tzinfo=UTC)
A4 = (595, 842)
MARGIN = 62
"""In points, a little less than what the page keeps free."""


def a_receipt(**changes) -> Receipt:
    known = {
        "purchase_code": "COIN-1795280700123-k3JX9aQz2L",
        "product": "2800 V-Bucks",
        "game": "Fortnite",
        "bought_at": BOUGHT_AT,
        "buyer_name": "Maja Lindqvist",
        "buyer_email": "maja@example.com",
        "price_ore": 20900,
        "coins_spent": 140,
        "charged_ore": 6900,
    }
    return Receipt(**known | changes)


def a_refunded(**changes) -> Receipt:
    refund = {
        "refunded_ore": 6900,
        "refunded_coins": 140,
        "refunded_at": datetime(2026, 12, 1, 8, tzinfo=UTC),
    }
    return a_receipt(**refund | changes)


def page_of(receipt: Receipt, language: str = "en") -> PageObject:
    [page] = PdfReader(BytesIO(receipt_pdf(receipt, language))).pages
    return page


def words_of(receipt: Receipt, language: str = "en") -> str:
    """What stands on the page, with single plain spaces."""
    return " ".join(page_of(receipt, language).extract_text().split())


def places_of(receipt: Receipt, language: str) -> list[tuple[float, float]]:
    """Where each piece of text begins, in points from the lower left corner."""
    places: list[tuple[float, float]] = []

    def visit(text, _, matrix, *__):
        if text.strip():
            places.append((matrix[4], matrix[5]))

    page_of(receipt, language).extract_text(visitor_text=visit)
    return places


class TestSums:
    def test_price_less_discount_is_what_was_paid(self):
        words = words_of(a_receipt())
        assert "2,800 V-Bucks 209 kr Fortnite" in words
        assert "Discount for 140 WatchCoins −140 kr" in words
        assert "Paid 69 kr" in words

    def test_one_coin_is_singular(self):
        words = words_of(a_receipt(coins_spent=1, charged_ore=20800))
        assert "Discount for 1 WatchCoin −1 kr" in words

    def test_without_coins_there_is_no_discount(self):
        words = words_of(a_receipt(coins_spent=0, charged_ore=20900))
        assert "Discount" not in words
        assert "−" not in words

    def test_all_paid_with_coins_is_zero(self):
        words = words_of(a_receipt(coins_spent=209, charged_ore=0))
        assert "−209 kr" in words
        assert "Paid 0 kr" in words

    def test_ore_are_shown_where_there_are_some(self):
        words = words_of(a_receipt(price_ore=20950, charged_ore=6950), "sv")
        assert "209,50 kr" in words
        assert "69,50 kr" in words


class TestRefund:
    def test_says_what_went_back_and_what_was_kept(self):
        words = words_of(a_refunded(refunded_ore=2000))
        assert "Refunded, December 1, 2026 −20 kr" in words
        assert "Paid after refund 49 kr" in words
        assert "Coins returned 140 WatchCoins" in words

    def test_of_coins_alone_moves_no_money(self):
        words = words_of(a_refunded(refunded_ore=0, coins_spent=209, charged_ore=0))
        assert "Coins returned" in words
        assert "Paid after refund" not in words

    def test_of_money_alone_moves_no_coins(self):
        assert "Coins returned" not in words_of(a_refunded(refunded_coins=0))

    def test_is_silent_where_there_was_none(self):
        assert "efund" not in words_of(a_receipt())


class TestMarks:
    def test_a_test_payment_says_so(self):
        words = words_of(a_receipt(is_test_payment=True))
        assert "Test payment" in words
        assert "no money was moved" in words

    def test_a_demo_code_says_so(self):
        assert "Demo code" in words_of(a_receipt(is_demo=True))

    def test_a_real_purchase_carries_none(self):
        words = words_of(a_receipt())
        assert "Test" not in words
        assert "Demo" not in words


class TestPeople:
    def test_names_buyer_and_seller(self):
        words = words_of(a_receipt())
        for who in ("Maja Lindqvist", "maja@example.com", settings().support_email):
            assert who in words

    @pytest.mark.parametrize(
        "name", ["Łukasz Żółć", "Анна Ёлкина", "Zoë Ångström", "Ștefan Ğül", "Ελένη", "D’Artagnan"]
    )
    def test_writes_the_names_of_europe(self, name: str):
        assert name in words_of(a_receipt(buyer_name=name))

    def test_a_name_without_any_of_our_letters_leaves_the_email(self):
        assert "Buyer maja@example.com" in words_of(a_receipt(buyer_name="李明"))


class TestDate:
    def test_is_written_as_the_language_does(self):
        assert "21 november 2026 17:05 UTC" in words_of(a_receipt(), "sv")
        assert "21 ноября 2026 17:05 UTC" in words_of(a_receipt(), "ru")

    def test_is_in_the_zone_that_the_receipt_names(self):
        there = BOUGHT_AT.astimezone(ZoneInfo("Europe/Stockholm"))
        assert "18:05 UTC+01:00" in words_of(a_receipt(bought_at=there), "sv")


class TestFile:
    def test_says_what_it_is_and_in_which_language(self):
        reader = PdfReader(BytesIO(receipt_pdf(a_receipt(), "pl")))
        assert reader.metadata
        assert reader.metadata.title == "Potwierdzenie zamówienia COIN-1795280700123-k3JX9aQz2L"
        assert reader.metadata.author == "WatchCoins"
        assert reader.metadata.creation_date == BOUGHT_AT
        assert reader.trailer["/Root"]["/Lang"] == "pl"

    def test_is_the_same_for_the_same_receipt(self):
        assert receipt_pdf(a_refunded(), "ru") == receipt_pdf(a_refunded(), "ru")

    def test_is_small_enough_for_any_mailbox(self):
        assert len(receipt_pdf(a_refunded(), "ru")) < 60_000

    def test_its_fonts_are_small_and_carry_their_licence(self):
        assert all(font.stat().st_size <= 120_000 for font in FONTS.glob("*.ttf"))
        assert "SIL Open Font License" in (FONTS / "LICENSE.txt").read_text("utf-8")


WORST = {
    "buyer_name": "W" * 40,
    "buyer_email": "w" * 242 + "@example.com",
    "product": "W" * 200,
    "game": "Ж" * 200,
    "price_ore": 10**11,
    "coins_spent": 10**9,
    "refunded_ore": 6900,
    "refunded_coins": 10**9,
    "is_test_payment": True,
    "is_demo": True,
}


@pytest.mark.parametrize("language", CODES)
class TestEachLanguage:
    def test_says_everything_in_its_own_words(self, language: str):
        words = words_of(a_refunded(is_test_payment=True, is_demo=True), language)
        texts = catalogues.mails(language)
        told = {key: text for key, text in texts.items() if key.startswith("receipt.")}
        del told["receipt.subject"]
        missing = [
            key
            for key, text in told.items()
            if not all(" ".join(part.split()) in words for part in text.split("{{")[:1])
        ]
        assert missing == []
        assert "\N{REPLACEMENT CHARACTER}" not in words

    def test_has_a_letter_for_every_character(self, language: str):
        for key, text in catalogues.mails(language).items():
            if key.startswith(("receipt.", "amounts.")):
                assert drawable(text) == " ".join(text.split(" ")), key

    def test_nothing_overflows(self, language: str):
        for x, y in places_of(a_refunded(**WORST), language):
            assert MARGIN <= x <= A4[0] - MARGIN
            assert y > 30

    def test_the_longest_receipt_ends_above_its_foot(self, language: str):
        heights = sorted({round(y) for _, y in places_of(a_refunded(**WORST), language)})
        foot, lowest = heights[:2]
        assert lowest - foot > 25


HOSTILE = [
    "\x00\x07\x1b[31m",
    "\u202egnp.exe",
    "אבג דהו",
    "🎮👩‍👩‍👧‍👦",
    "{nb}{nb}",
    "a\u0300\u0301\u0302" * 40,
    "\\) Tj ET (",
    "\ud800",
    "",
    " ",
    "**bold** __x__",
    "\N{SOFT HYPHEN}" * 30,
]


class TestHostileNames:
    @pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
    def test_leave_the_page_whole(self, name: str):
        words = words_of(a_receipt(buyer_name=name, product=name, game=name))
        assert "Paid 69 kr" in words
        assert "maja@example.com" in words

    def test_a_wide_name_wraps_whole(self):
        assert "W" * 40 in words_of(a_receipt(buyer_name="W" * 40)).replace(" ", "")

    def test_the_number_of_pages_is_not_filled_into_a_name(self):
        assert "{nb}" in words_of(a_receipt(buyer_name="{nb}"))

    @runs(max_examples=60)
    @given(st.text(max_size=300))
    def test_any_text_is_drawn_without_a_sound(self, name: str):
        page_of(a_receipt(buyer_name=name, buyer_email=name, product=name, game=name))

    @given(st.text())
    def test_what_is_drawable_stays_as_it_is(self, name: str):
        assert drawable(drawable(name)) == drawable(name)
