"""What a receipt says, in its buyer's language; `paper.page` draws it."""

from dataclasses import dataclass
from datetime import datetime

from rewards_app.core.house import NAME
from rewards_app.core.settings import settings
from rewards_app.i18n import languages
from rewards_app.i18n.mail_text import text
from rewards_app.i18n.written import MINUS, counted, day, kronor, time_of_day
from rewards_app.paper.content import Fact, Mark, Paper, Row, Tone


@dataclass(frozen=True, slots=True)
class Receipt:
    """One purchase as it was paid, and what of it went back."""

    purchase_code: str
    product: str
    """With its amount: 2800 V-Bucks."""
    game: str
    bought_at: datetime
    """In the time zone that the receipt names."""
    buyer_name: str
    buyer_email: str
    price_ore: int
    coins_spent: int
    charged_ore: int
    refunded_ore: int = 0
    refunded_coins: int = 0
    refunded_at: datetime | None = None
    is_test_payment: bool = False
    is_demo: bool = False

    @property
    def discount_ore(self) -> int:
        return self.price_ore - self.charged_ore


def receipt_pdf(receipt: Receipt, language: str) -> bytes:
    """One A4 page; the same receipt in the same language is the same file."""
    # What draws is large, and the app starts more often than it sells.
    from rewards_app.paper.page import drawn

    return drawn(_paper(receipt, languages.known(language)))


def _paper(receipt: Receipt, language: str) -> Paper:
    support = settings().support_email
    return Paper(
        language=language,
        made_at=receipt.bought_at,
        subject=text("receipt.subject", language, order=receipt.purchase_code),
        title=text("receipt.title", language),
        seller=NAME,
        marks=_marks(receipt, language),
        facts=_facts(receipt, language, support),
        head=(text("receipt.item", language), text("receipt.price", language)),
        rows=_rows(receipt, language),
        total=Row(text("receipt.paid", language), kronor(receipt.charged_ore, language)),
        after=_after_refund(receipt, language),
        foot=text("receipt.questions", language, support=support),
    )


def _marks(receipt: Receipt, language: str) -> list[Mark]:
    carried = {"test_payment": receipt.is_test_payment, "demo": receipt.is_demo}
    return [
        Mark(text(f"receipt.{name}", language), text(f"receipt.{name}_text", language))
        for name, is_carried in carried.items()
        if is_carried
    ]


def _facts(receipt: Receipt, language: str, support: str) -> list[Fact]:
    return [
        Fact(text("receipt.order", language), receipt.purchase_code),
        Fact(
            text("receipt.date", language),
            day(receipt.bought_at, language),
            time_of_day(receipt.bought_at, language),
        ),
        Fact(text("receipt.buyer", language), receipt.buyer_name, receipt.buyer_email),
        Fact(text("receipt.seller", language), NAME, support),
    ]


def _rows(receipt: Receipt, language: str) -> list[Row]:
    product = counted(receipt.product, language)
    item = Row(product, kronor(receipt.price_ore, language), receipt.game)
    if not receipt.coins_spent:
        return [item]
    coins = text("amounts.coins", language, count=receipt.coins_spent)
    discount = text("receipt.discount", language, coins=coins)
    return [item, Row(discount, _less(receipt.discount_ore, language), tone=Tone.SAVED)]


def _after_refund(receipt: Receipt, language: str) -> list[Row]:
    if receipt.refunded_at is None:
        return []
    rows: list[Row] = []
    label = text("receipt.refunded", language, day=day(receipt.refunded_at, language))
    if receipt.refunded_ore:
        kept = kronor(receipt.charged_ore - receipt.refunded_ore, language)
        rows.append(Row(label, _less(receipt.refunded_ore, language)))
        rows.append(Row(text("receipt.kept", language), kept))
    if receipt.refunded_coins:
        coins = text("amounts.coins", language, count=receipt.refunded_coins)
        rows.append(Row(text("receipt.coins_back", language), coins))
    return rows


def _less(ore: int, language: str) -> str:
    return f"{MINUS}{kronor(ore, language)}" if ore else kronor(ore, language)
