"""Thousands of buyers' lives on the real shop: whatever happens in whatever order, it adds up.

A history is the life of one buyer: they earn, buy, pay, cancel, are refunded, in tabs and at times
of their own, while Stripe's news of them come late, twice, in any order or never, Stripe is away,
and the reconciliation looks now and then. Lives are lived in towns of buyers who share one stock.
"""

import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
import time_machine

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.features.coins import service as coins
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.gateway import Asked, Opened
from rewards_app.features.payments.rules import Outcome, ProviderAway
from rewards_app.features.payments.webhook import EVENTS
from rewards_app.features.shop import books, service
from rewards_app.features.shop.catalogue import PACKAGES
from rewards_app.models import Account
from tests.ads import the_actor
from tests.ledger import what_is_wrong
from tests.paying import hears
from tests.shop import NOON, buys, earns, stock
from tests.stripe.at_hand import StripeAtHand
from tests.stripe.objects import Thing
from tests.stripe.refusals import Refusal
from tests.stripe_server import StripeServer

SEED = int(os.environ.get("HISTORIES_SEED", "1815"))
HISTORIES = int(os.environ.get("HISTORIES", "400"))
A_TOWN = 20
STEPS_OF_A_LIFE = 12
GOODS = ("vbucks-1000", "robux-400", "cod-500")
SEEN = {Outcome.PAID, Outcome.ENDED, Outcome.TOO_LATE, Outcome.RETURNED, Outcome.NOTHING_NEW}


class MoodyStripe(StripeAtHand):
    """Away now and then; its answers are lost, or come after its news."""

    def __init__(self, stripe: StripeServer, chance: random.Random) -> None:
        super().__init__(stripe)
        self.chance = chance
        self.has_moods = True
        self.unseen: set[str] = set()
        """Checkouts whose address nobody was told: should somebody pay there, Stripe tells it."""

    async def open(self, asked: Asked) -> Opened:
        mood = self.chance.random() if self.has_moods else 1
        if mood < 0.03:
            raise ProviderAway
        opened = await super().open(asked)
        if mood < 0.06:
            self.unseen.add(opened.checkout_id)
            raise ProviderAway
        if mood < 0.12:
            self.stripe.pay(opened.checkout_id)
            await hears(self.stripe, self.stripe._books.events[-1])
        return opened

    async def pay_back(self, payment_id: UUID, intent_id: str, amount: int) -> str:
        mood = self.chance.random() if self.has_moods else 1
        if mood < 0.1:
            raise ProviderAway
        refund_id = await super().pay_back(payment_id, intent_id, amount)
        if mood < 0.2:
            raise ProviderAway
        return refund_id


@dataclass
class Town:
    stripe: StripeServer
    provider: MoodyStripe
    chance: random.Random
    clock: time_machine.Traveller
    beside: psycopg.Connection
    buyers: list[Actor]
    earned: Counter[UUID] = field(default_factory=Counter)
    attempts: dict[UUID, UUID] = field(default_factory=dict)
    untold: list[Thing] = field(default_factory=list)
    told_to: int = 0
    seen: Counter[str] = field(default_factory=Counter)

    async def step(self, buyer: Actor) -> None:
        # Nothing happens at the same moment as anything else: so a seed replays.
        self.clock.shift(timedelta(milliseconds=2))
        name = self.chance.choices(list(STEPS), weights=list(STEPS.values()))[0]
        act: Callable[[Actor], Awaitable[None]] = getattr(self, name)
        try:
            await act(buyer)
        except DomainError as refusal:
            self.seen[refusal.code] += 1
        self.take_news()
        self.adds_up_for(buyer)

    # What buyers do

    async def earns(self, buyer: Actor) -> None:
        amount = self.chance.randint(1, 120)
        await earns(buyer, amount, now=utc_now())
        self.earned[buyer.user_id] += amount

    async def buys_with_coins(self, buyer: Actor) -> None:
        package = PACKAGES[self.chance.choice(GOODS)]
        await self.presses(buyer, package.id, package.price_kr)

    async def buys_by_card(self, buyer: Actor) -> None:
        package = PACKAGES[self.chance.choice(GOODS)]
        owned = (await coins.balance_of(buyer.user_id)).balance
        most = min(owned, package.price_kr)
        await self.presses(buyer, package.id, self.chance.choice([0, most, most // 2]))

    async def presses(self, buyer: Actor, package_id: str, coins_used: int) -> None:
        """Now and then the same button as before."""
        if self.chance.random() < 0.9:
            self.attempts[buyer.user_id] = new_id()
        attempt = self.attempts.setdefault(buyer.user_id, new_id())
        bought = await buys(buyer, coins_used, package_id, attempt=attempt, now=utc_now())
        self.seen[f"bought {bought.status}"] += 1

    async def pays(self, buyer: Actor) -> None:
        """Somebody does; those whose order has failed or ended on our side, too."""
        sessions = [one for one in self.recent_sessions if one["status"] == "open"]
        if sessions:
            self.stripe.pay(self.chance.choice(sessions)["id"])

    async def declines(self, buyer: Actor) -> None:
        sessions = [one for one in self.recent_sessions if one["status"] == "open"]
        if sessions:
            self.stripe.decline(self.chance.choice(sessions)["id"])

    async def cancels(self, buyer: Actor) -> None:
        purchase_id = self.one_of(buyer, "waiting")
        if purchase_id:
            await service.cancel(buyer, purchase_id)

    @property
    def recent_sessions(self) -> list[Thing]:
        sessions = list(self.stripe._books.sessions)[-2 * A_TOWN :]
        return [self.stripe._books.session(name) for name in sessions]

    def one_of(self, buyer: Actor, status: str) -> UUID | None:
        found = self.beside.execute(
            "select id from purchases where account_id = %s and status = %s order by id desc",
            (buyer.user_id, status),
        ).fetchone()
        return found[0] if found else None

    # What the house does

    async def refunds(self, buyer: Actor) -> None:
        purchase_id = self.one_of(buyer, "completed")
        if purchase_id:
            async with transaction() as session:
                await service.refund(session, None, purchase_id, "wrong game", now=utc_now())

    async def refunds_by_hand(self, buyer: Actor) -> None:
        paid = [one for one in self.recent_sessions if one["status"] == "complete"]
        if paid:
            with suppress(Refusal):
                self.stripe.refund_at_dashboard(self.chance.choice(paid)["payment_intent"])

    async def returns_money(self, buyer: Actor) -> None:
        """The worker of the queue; it fails when Stripe is away, and tries again some day."""
        query = "select id from payments where status = 'returning' order by id"
        if found := self.beside.execute(query).fetchall():
            await payments.return_money(self.chance.choice(found)[0])

    async def reconciles(self, buyer: Actor) -> None:
        self.seen["looked"] += await payments.look_at_what_waits(now=utc_now())

    async def takes_in_codes(self, buyer: Actor) -> None:
        await stock(self.chance.randint(1, 6), self.chance.choice(GOODS))

    # What the world does

    async def waits(self, buyer: Actor) -> None:
        self.clock.shift(timedelta(seconds=self.chance.choice([20, 90, 600, 2400])))

    async def hears_news(self, buyer: Actor) -> None:
        """Any of them, and perhaps not for the last time."""
        for _ in range(min(2, len(self.untold))):
            event = self.untold.pop(self.chance.randrange(len(self.untold)))
            self.seen.update(await hears(self.stripe, event))
            if self.chance.random() < 0.3:
                self.untold.append(event)

    async def loses_news(self, buyer: Actor) -> None:
        """Of a checkout, for ever: those can be asked for. Refunds by hand are told some day."""
        about = [(one["type"], one["data"]["object"]["id"], one) for one in self.untold]
        lost = [
            one
            for kind, name, one in about
            if kind.startswith("checkout.session") and name not in self.provider.unseen
        ]
        if lost:
            self.untold.remove(self.chance.choice(lost))

    def take_news(self) -> None:
        events = self.stripe._books.events
        self.untold += [one for one in events[self.told_to :] if self.is_worth_telling(one)]
        self.told_to = len(events)

    def is_worth_telling(self, event: Thing) -> bool:
        """All that means something to us, and a few of the many that do not."""
        return event["type"] in EVENTS or self.chance.random() < 0.1

    # What must hold

    def adds_up_for(self, buyer: Actor) -> None:
        balance, held, spent, waiting = self.beside.execute(
            """select coalesce(sum(balance), 0), coalesce(sum(held), 0),
                (select coalesce(sum(coins_spent), 0) from purchases where account_id = %(id)s and
                    (status = 'completed' or status = 'refunding' and exists (select from gift_codes
                        where purchase_id = purchases.id and gift_codes.status = 'delivered'))),
                (select coalesce(sum(coins_spent), 0) from purchases where account_id = %(id)s
                    and status = 'waiting')
            from coin_balances where account_id = %(id)s""",
            {"id": buyer.user_id},
        ).fetchone() or (0, 0, 0, 0)
        assert balance + held + spent == self.earned[buyer.user_id]
        assert held == waiting

    async def comes_to_rest(self) -> None:
        """Hours pass, what is still to be told is told, and nothing waits any more."""
        for _ in range(100):
            if not self.untold and not self.undecided:
                break
            news, self.untold = self.untold, []
            self.seen.update(await hears(self.stripe, *news))
            self.clock.shift(timedelta(hours=1))
            await payments.look_at_what_waits(now=utc_now())
            self.take_news()
        assert not self.untold
        assert not self.undecided
        for buyer in self.buyers:
            self.adds_up_for(buyer)

    @property
    def undecided(self) -> int:
        query = "select count(*) from payments where look_at is not null"
        return (self.beside.execute(query).fetchone() or (0,))[0]

    def money(self) -> tuple[int, int]:
        """What Stripe has of our buyers, and what was delivered for it."""
        books = self.stripe._books
        charged = sum(one["amount_received"] for one in books.payments.values())
        returned = sum(one["amount"] for one in books.refunds.values())
        query = """select coalesce(sum((price_kr - coins_spent) * 100), 0) from purchases
            where status = 'completed'"""
        return charged - returned, (self.beside.execute(query).fetchone() or (0,))[0]


STEPS = {
    "earns": 12,
    "buys_with_coins": 8,
    "buys_by_card": 24,
    "pays": 20,
    "declines": 1,
    "cancels": 3,
    "refunds": 5,
    "refunds_by_hand": 1,
    "returns_money": 4,
    "reconciles": 5,
    "takes_in_codes": 10,
    "waits": 6,
    "hears_news": 26,
    "loses_news": 3,
}
"""What happens, and how often of all."""


async def new_buyers(count: int) -> list[Actor]:
    accounts = [
        Account(
            email=f"player-{new_id()}@example.com",
            email_verified_at=NOON,
            birth_date="1998-05-17",
            age_verified_at=NOON,
            username="Player",
            display_name="Player",
            created_at=NOON,
        )
        for _ in range(count)
    ]
    async with transaction() as session:
        session.add_all(accounts)
    return [the_actor(account) for account in accounts]


@pytest.fixture
def beside(database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database, autocommit=True) as connection:
        yield connection


@pytest.mark.timeout(3600)
class TestHistories:
    """HISTORIES_SEED replays a run, HISTORIES makes it longer: 10,000 take some ten minutes."""

    async def test_of_any_kind_end_with_money_coins_and_codes_in_their_place(
        self,
        database: str,
        beside: psycopg.Connection,
        stripe: StripeServer,
        monkeypatch: pytest.MonkeyPatch,
    ):
        print(f"HISTORIES_SEED={SEED} HISTORIES={HISTORIES}")
        chance, seen, given = random.Random(SEED), Counter[str](), dict[str, UUID]()
        moody = MoodyStripe(stripe, chance)
        monkeypatch.setitem(payments.GATEWAYS, "stripe", moody)
        with time_machine.travel(NOON, tick=False) as clock:
            for _ in range(-(-HISTORIES // A_TOWN)):
                town = Town(stripe, moody, chance, clock, beside, await new_buyers(A_TOWN))
                town.told_to = len(stripe._books.events)
                moody.has_moods = True
                for _ in range(A_TOWN * STEPS_OF_A_LIFE):
                    await town.step(chance.choice(town.buyers))
                moody.has_moods = False
                await town.comes_to_rest()
                seen += town.seen
                charged, delivered = town.money()
                assert charged == delivered
                codes = codes_given(beside)
                assert given.items() <= codes.items(), "a code stays with its first buyer"
                given = codes
            async with transaction() as session:
                audit = await books.check(session)
                assert (await coins.check(session)).is_clean
        assert audit.is_clean, audit.wrong[:3]
        assert not what_is_wrong(database)
        print(f"{audit.purchases} purchases, {len(given)} codes given; {dict(seen.most_common())}")
        assert audit.purchases > HISTORIES
        assert seen.keys() >= SEEN or HISTORIES < 300


def codes_given(beside: psycopg.Connection) -> dict[str, UUID]:
    """Each code that anybody ever saw, with the purchase that it was given to."""
    query = "select code, purchase_id from gift_codes where status in ('delivered', 'withdrawn')"
    return dict(beside.execute(query).fetchall())
