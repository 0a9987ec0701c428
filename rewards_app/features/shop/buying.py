"""Buying a package: the steps, each of which is committed before the next begins."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, StorageAway
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.coins import service as coins
from rewards_app.features.guardians import service as guardians
from rewards_app.features.payments import rules as payment_rules
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.gateway import Asked, Gateway
from rewards_app.features.shop import repository, rules
from rewards_app.features.shop.catalogue import Currency, Package, package_of
from rewards_app.features.shop.repository import PURPOSE, NewPurchase, PressedTwice
from rewards_app.features.shop.rules import Offer, Status

_log = structlog.get_logger(__name__)

CHANGED = "purchases_changed"
"""Published with the account's id whenever one of its purchases has changed."""
CHECKOUTS_AT_ONCE = limits.parse("12 per 10 minutes")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the button was pressed for. `attempt` is the offer's: pressed twice, bought once."""

    currency_id: str
    package_id: str
    coins: int
    attempt: UUID
    only_looks: bool = False
    """The button said that it is sold out: nothing is spent, whatever is there by now."""


@dataclass(frozen=True, slots=True)
class Bought:
    """What came of it: the code is here, or the rest is paid at `checkout_url`."""

    purchase_id: UUID
    status: Status
    checkout_url: str | None = None


async def buy(actor: Actor, wish: Wish, *, language: str, now: datetime) -> Bought:
    """Buy with coins alone at once, else open a card checkout for the rest."""
    currency, package = package_of(wish.currency_id, wish.package_id)
    offer = rules.offer_for(package, wish.coins)
    if actor.needs_age:
        raise rules.AgeUnknown
    try:
        if wish.only_looks:
            raise rules.SoldOut
        return await _begin(actor, wish, currency, package, offer, language, now=now)
    except rules.PurchaseFailed:
        # This very press has made an order, and failed to open its checkout.
        raise
    except (DomainError, PressedTwice) as refusal:
        # The first press may have taken the coins, or the last code, that the second one lacks.
        if known := await _pressed_before(actor, wish):
            return known
        if isinstance(refusal, DomainError):
            raise
        raise rules.PurchaseFailed from refusal
    except Exception as failure:
        _log.exception("purchase.broke", package=package.id)
        raise rules.PurchaseFailed from failure


async def _begin(
    actor: Actor,
    wish: Wish,
    currency: Currency,
    package: Package,
    offer: Offer,
    language: str,
    *,
    now: datetime,
) -> Bought:
    provider = None if offer.is_free else payments.gateway()
    await _refuse_too_much(actor, offer, now=now)
    new = NewPurchase(
        id=new_id(),
        account_id=actor.user_id,
        attempt=wish.attempt,
        package_id=package.id,
        product_name=currency.product_name(package),
        game=currency.game,
        currency_amount=package.amount,
        price_kr=package.price_kr,
        coins=offer.coins,
        purchase_code=rules.purchase_code(now, _random_letters()),
        hold_id=new_id(),
        payment_id=new_id(),
        amount_ore=offer.to_pay_ore,
        provider=provider.name if provider else "",
        codes=rules.codes_for(
            is_trial=bool(provider and provider.is_for_trial),
            is_production=settings().is_production,
        ),
        expires_at=now + payment_rules.CHECKOUT_LASTS,
        look_at=now + payment_rules.OPENING_TAKES_AT_MOST,
        now=now,
    )
    return await (_by_card(actor, new, provider, language) if provider else _with_coins_alone(new))


async def _pressed_before(actor: Actor, wish: Wish) -> Bought | None:
    """What this attempt has made by now; NoAnswer where nobody can tell whether it has."""
    try:
        return await _made_by(actor, wish)
    except StorageAway as failure:
        raise rules.NoAnswer from failure


async def _made_by(actor: Actor, wish: Wish) -> Bought | None:
    found = await repository.of_attempt(actor.user_id, wish.attempt)
    if found is None:
        return None
    purchase_id, status = found
    payment = await payments.of_subject(PURPOSE, purchase_id)
    is_open = payment is not None and status is Status.WAITING
    return Bought(purchase_id, status, payment.checkout_url if payment and is_open else None)


async def _refuse_too_much(actor: Actor, offer: Offer, *, now: datetime) -> None:
    """What is easily seen before anything moves; the ledger decides in the end."""
    missing = offer.coins - (await coins.balance_of(actor.user_id)).balance
    if missing > 0:
        raise coins.NotEnoughCoins(count=missing)
    if not offer.is_free:
        await guardians.refuse_buyers_without_consent(actor.user_id, now=now)
        await limits.spend(CHECKOUTS_AT_ONCE, "checkout", str(actor.user_id))


def _random_letters() -> str:
    return "".join(secrets.choice(rules.CODE_LETTERS) for _ in range(rules.CODE_LENGTH))


async def _with_coins_alone(new: NewPurchase) -> Bought:
    async with transaction() as session:
        await repository.begin(session, new)
        await repository.complete(session, new.id, now=new.now)
    _tell(new)
    return Bought(new.id, Status.COMPLETED)


async def _by_card(actor: Actor, new: NewPurchase, provider: Gateway, language: str) -> Bought:
    await _begin_for_sure(new)
    _tell(new)
    asked = Asked(
        payment_id=new.payment_id,
        account_id=new.account_id,
        description=new.product_name,
        amount=new.amount_ore,
        currency="sek",
        email=actor.email,
        language=language,
        expires_at=new.expires_at,
        paid_url=payments.return_url(PURPOSE, new.id, "paid"),
        cancelled_url=payments.return_url(PURPOSE, new.id, "cancelled"),
    )
    try:
        opened = await payments.open_checkout(asked, provider)
    except StorageAway as failure:
        # What became of it is not known: who presses again asks for the same order.
        raise rules.PurchaseFailed from failure
    except DomainError as failure:
        _log.warning("checkout.failed", purchase=str(new.id), reason=failure.code)
        raise rules.PurchaseFailed(is_over=True) from failure
    return Bought(new.id, Status.WAITING, opened.url)


async def _begin_for_sure(new: NewPurchase) -> None:
    """The database may have gone away just after it began the order, and before it said so."""
    try:
        await repository.begin_alone(new)
    except rules.TooManyWaiting as refusal:
        if await repository.are_all_under_way(new.account_id):
            raise rules.AllUnderWay from refusal
        raise
    except StorageAway:
        begun = await repository.of_attempt(new.account_id, new.attempt)
        if begun is None or begun[0] != new.id:
            raise
        _log.info("purchase.goes_on", purchase=str(new.id))


def _tell(new: NewPurchase) -> None:
    live.announce(CHANGED, str(new.account_id))
    if new.coins:
        live.announce(coins.CHANGED, str(new.account_id))
