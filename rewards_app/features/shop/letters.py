"""What buyers are mailed: the code with its receipt, and what went back to them."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from rewards_app.core import jobs, mail
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.mail import Attachment, Letter
from rewards_app.core.sealed import unseal
from rewards_app.core.settings import settings
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import history_repository, receipt, repository, rules
from rewards_app.features.shop.history_repository import Sold
from rewards_app.features.shop.receipt import Receipt
from rewards_app.i18n import written
from rewards_app.i18n.mail_text import text

ORDERS = "/shop/orders"


async def send_code(purchase_id: str, again: str = "") -> None:
    """Mail the code now: it must not lie in the queue.

    `again` names a further copy that was asked for: without it, it would be taken for the first.
    """
    async with transaction() as session:
        sold = await history_repository.sold(session, UUID(purchase_id))
    if sold is None or sold.sealed_code is None:
        return
    file = await _receipt(sold)
    letter = Letter(
        sold.email,
        sold.language,
        "purchase_delivered_demo" if sold.is_demo else "purchase_delivered",
        link=f"{settings().origin}{ORDERS}",
        params={
            "product": written.counted(sold.product_name, sold.language),
            "purchase_code": sold.purchase_code,
            "spent": _spent(sold.coins, sold.charged_ore, sold.language),
        },
        code=unseal(sold.sealed_code),
    )
    # Named, so that a second copy is recognised: a worker may die after it was sent.
    await mail.post(letter, file, message_id=f"purchase-{sold.id}{again and '-'}{again}")


SENDING_CODES = jobs.Job(repository.MAIL_TASK, send_code, mail.RETRY)


def _spent(coins: int, ore: int, language: str) -> str:
    """89 WatchCoins and 160 kr."""
    parts = [text("amounts.coins", language, count=coins)] if coins else []
    return written.together([*parts, *([written.kronor(ore, language)] if ore else [])], language)


async def tell_refused(session: AsyncSession, purchase_id: UUID) -> None:
    """Queue the letter on an order that a bank did not pay after all."""
    sold = await history_repository.sold(session, purchase_id)
    assert sold is not None, "purchases are never deleted"
    params = _params(sold) | {"purchase_code": sold.purchase_code}
    await _tell(session, sold, "payment_refused", params)


async def tell_refund(session: AsyncSession, purchase_id: UUID, *, was_bought: bool) -> None:
    """Queue the letter on what went back."""
    sold = await history_repository.sold(session, purchase_id)
    assert sold is not None, "purchases are never deleted"
    is_taken = await payments.was_taken(session, repository.PURPOSE, purchase_id)
    money = written.kronor(sold.charged_ore, sold.language)
    params = _params(sold) | {"money": money}
    if was_bought:
        name = "purchase_taken" if is_taken else "purchase_refunded"
        back = _back(sold, money, is_taken=is_taken)
        params |= {"purchase_code": sold.purchase_code, "back": back}
    else:
        name = "payment_taken" if is_taken else "payment_returned"
    await _tell(session, sold, name, params)


def _params(sold: Sold) -> dict[str, str | int]:
    return {
        "product": written.counted(sold.product_name, sold.language),
        "support": settings().support_email,
    }


async def _tell(session: AsyncSession, sold: Sold, name: str, params: dict[str, str | int]) -> None:
    link = f"{settings().origin}{ORDERS}"
    await mail.send(session, Letter(sold.email, sold.language, name, link=link, params=params))


def _back(sold: Sold, money: str, *, is_taken: bool) -> str:
    words = "back.taken" if is_taken else "back.money"
    coins = [text("back.coins", sold.language, count=sold.coins)] if sold.coins else []
    cash = [text(words, sold.language, money=money)] if sold.charged_ore else []
    return " ".join([*coins, *cash])


@dataclass(frozen=True, slots=True)
class ReceiptFile:
    name: str
    content: bytes


async def own_receipt(account_id: UUID, purchase_id: UUID, language: str) -> ReceiptFile:
    """The receipt of the account's own purchase."""
    async with transaction() as session:
        sold = await history_repository.sold(session, purchase_id)
    if sold is None or sold.account_id != account_id or not sold.was_delivered:
        raise rules.UnknownPurchase
    content = await asyncio.to_thread(receipt.receipt_pdf, _as_receipt(sold), language)
    return ReceiptFile(_file_name(sold), content)


async def _receipt(sold: Sold) -> Attachment:
    content = await asyncio.to_thread(receipt.receipt_pdf, _as_receipt(sold), sold.language)
    return Attachment(_file_name(sold), content)


def _file_name(sold: Sold) -> str:
    return f"WatchCoins-{sold.purchase_code}.pdf"


def _as_receipt(sold: Sold) -> Receipt:
    return Receipt(
        purchase_code=sold.purchase_code,
        product=sold.product_name,
        game=sold.game,
        bought_at=sold.bought_at,
        buyer_name=sold.name,
        buyer_email=sold.email,
        price_ore=sold.price_kr * rules.ORE_PER_KR,
        coins_spent=sold.coins,
        charged_ore=sold.charged_ore,
        refunded_ore=sold.charged_ore if sold.refunded_at else 0,
        refunded_coins=sold.coins if sold.refunded_at else 0,
        refunded_at=sold.refunded_at,
        is_test_payment=sold.is_test,
        is_demo=sold.is_demo,
    )
