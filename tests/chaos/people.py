"""What players and admins do while things go wrong, and what they may never see happen."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
from redis.exceptions import RedisError

from rewards_app.core import mail
from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, StorageAway, StorageFull, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.accounts import sessions
from rewards_app.features.ads import rules as ad_rules
from rewards_app.features.ads import service as ads
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.advertiser import top_ups
from rewards_app.features.advertiser.top_up_repository import PURPOSE
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import buying, service
from rewards_app.features.shop.rules import NoAnswer, Status
from tests.ads import finishes, in_tab, starts
from tests.chaos.diary import Diary
from tests.people import a_browser
from tests.shop import PRICE, a_wish

UNANSWERED = (
    StorageAway,
    StorageFull,
    NoAnswer,
    RedisError,
    OSError,
    TimeoutError,
    httpx.HTTPError,
)
"""Nobody knows what came of it: who asks again must be safe to ask twice."""
TRIES = 4
COINS_OF_A_CARD_ORDER = (0, 10, 26)
A_TOP_UP = 20
"""Dollars."""
LESS = {"a clock of the past": -1, "no time at all": 0, "a clock of the future": 10**6}


@dataclass(frozen=True, slots=True)
class AtStripe:
    """Who sits at Stripe's own dashboard: nobody's network is in the way."""

    url: str

    async def pays_back(self, intent_id: str) -> None:
        bearer = {"Authorization": f"Bearer {settings().stripe_secret_key.get_secret_value()}"}
        asked = {"payment_intent": intent_id}
        async with httpx.AsyncClient(headers=bearer, timeout=5, verify=False) as dashboard:
            answer = await dashboard.post(f"{self.url}/v1/refunds", data=asked)
        answer.raise_for_status()


@dataclass
class Session:
    secret: str
    owner: UUID
    is_ending: bool = False
    has_ended: bool = False


@dataclass
class Person:
    """A player at one worker. `ahead` is how far their clock has run by watching."""

    actor: Actor
    chance: random.Random
    diary: Diary
    ad_ids: list[UUID]
    admin: Actor
    owner: Actor
    stripe: AtStripe
    others: list["Person"] = field(default_factory=list["Person"])
    ahead: timedelta = timedelta(0)
    orders: list[UUID] = field(default_factory=list[UUID])
    top_ups: list[UUID] = field(default_factory=list[UUID])
    views: list[RunningAd] = field(default_factory=list[RunningAd])
    sessions: list[Session] = field(default_factory=list[Session])

    @property
    def now(self) -> datetime:
        return utc_now() + self.ahead

    async def lives(self) -> None:
        while True:
            name = self.chance.choices(list(HABITS), weights=list(HABITS.values()))[0]
            act: Callable[[], Awaitable[None]] = getattr(self, name)
            try:
                await act()
            except UNANSWERED as failure:
                self.diary.note("unanswered", act=name, error=type(failure).__name__)
                await asyncio.sleep(0.03)
            except DomainError as refusal:
                self.diary.note("refused", act=name, code=refusal.code)
                await self._bears(refusal)
            await asyncio.sleep(0)

    async def _bears(self, refusal: DomainError) -> None:
        """Whoever is told to wait comes back later, by a clock that has gone on."""
        if isinstance(refusal, ad_rules.DailyLimitReached | ad_rules.DailyLimitAtFinish):
            self.ahead += timedelta(days=1)
        elif isinstance(refusal, ad_rules.TooQuick | ad_rules.AlreadyWatching | TooManyAttempts):
            self.ahead += timedelta(minutes=1)
        await asyncio.sleep(0.01)

    def broken(self, promise: str, **details: Any) -> None:
        self.diary.note("broken", promise=promise, who=str(self.actor.user_id), **details)

    # Watching

    async def watches(self) -> None:
        began = self.now
        view = await starts(self.actor, self.chance.choice(self.ad_ids), tab=self._tab, now=began)
        self.views.append(view)
        whim = self.chance.random()
        if whim < 0.15:
            await ads.give_up(self.actor, view.view_id, now=self.now)
        elif whim < 0.3:
            await self._finishes_too_early(view, began)
        else:
            await self._finishes(view)

    @property
    def _tab(self) -> str:
        return str(self.chance.randint(1, 2)) if self.chance.random() < 0.1 else "1"

    async def _finishes(self, view: RunningAd) -> None:
        """As the page does: it asks until it is answered, and says that it asks again."""
        self.ahead += timedelta(seconds=view.seconds)
        is_twice = self.chance.random() < 0.2
        for number in range(TRIES):
            try:
                told = await asyncio.gather(
                    *(
                        self._asks_for_coins(view, is_repeated=number > 0)
                        for _ in range(1 + is_twice)
                    ),
                    return_exceptions=True,
                )
                failures = [one for one in told if isinstance(one, BaseException)]
                if len(failures) < len(told):
                    self.diary.note("credited", view=str(view.view_id), who=str(self.actor.user_id))
                    if number == 0 and not failures and is_twice:
                        self.broken("one view was paid twice", view=str(view.view_id))
                    return
                raise failures[0]
            except UNANSWERED:
                await asyncio.sleep(0.03)

    async def _asks_for_coins(self, view: RunningAd, *, is_repeated: bool) -> None:
        lie = self.chance.choice([None, *LESS.values()])
        await finishes(self.actor, view, now=self.now, client_seconds=lie, is_repeated=is_repeated)

    async def _finishes_too_early(self, view: RunningAd, began: datetime) -> None:
        """Whatever the browser's clock says: the server's counts."""
        soon = began + timedelta(seconds=view.seconds - 1)
        lie = self.chance.choice([view.seconds, 10**6])
        await finishes(self.actor, view, now=soon, client_seconds=lie)
        self.broken("an ad was paid before it was over", view=str(view.view_id))

    async def finishes_anothers(self) -> None:
        if found := [view for other in self.others for view in other.views[-3:]]:
            view = self.chance.choice(found)
            await finishes(self.actor, view.view_id, now=self.now + timedelta(minutes=1))
            self.broken("somebody else was paid for a view", view=str(view.view_id))

    # Buying

    async def buys_with_coins(self) -> None:
        wish = a_wish(PRICE)
        pressed = [buying.buy(self.actor, wish, language="en", now=utc_now()) for _ in range(2)]
        told = await asyncio.gather(*pressed, return_exceptions=True)
        for one in told:
            if isinstance(one, buying.Bought) and one.status is Status.COMPLETED:
                self.diary.note("bought", purchase=str(one.purchase_id))
                self.orders.append(one.purchase_id)
        self._refused_or_unanswered(told)

    async def buys_by_card(self) -> None:
        wish = a_wish(self.chance.choice(COINS_OF_A_CARD_ORDER))
        bought = await buying.buy(self.actor, wish, language="en", now=utc_now())
        self.orders.append(bought.purchase_id)
        if bought.checkout_url is None:
            return  # cut off more than once, they are told that it is still being opened
        whim = self.chance.random()
        if whim < 0.7 and await pays_at(bought.checkout_url):
            self.diary.note("paid", purchase=str(bought.purchase_id))
            if whim < 0.3:
                await service.look_again(self.actor, bought.purchase_id)
        elif 0.7 <= whim < 0.9:
            await service.cancel(self.actor, bought.purchase_id)
            self.diary.note("cancelled", purchase=str(bought.purchase_id))

    async def is_refunded(self) -> None:
        if self.orders:
            purchase = self.chance.choice(self.orders)
            async with transaction() as session:
                await service.refund(session, self.admin, purchase, "wrong game", now=utc_now())
            self.diary.note("refund begun", purchase=str(purchase))

    async def reads_a_code(self) -> None:
        if self.orders:
            purchase = self.chance.choice(self.orders)
            code = await service.code_of(self.actor, purchase)
            self.diary.note("code", purchase=str(purchase), code=code)

    async def reads_anothers_code(self) -> None:
        if found := [order for other in self.others for order in other.orders[-3:]]:
            purchase = self.chance.choice(found)
            await service.code_of(self.actor, purchase)
            self.broken("somebody saw another one's code", purchase=str(purchase))

    # For the company

    async def tops_up(self) -> None:
        begun = await top_ups.begin(
            self.owner, str(A_TOP_UP), new_id(), language="en", now=utc_now()
        )
        if begun.checkout_url is None:
            return
        whim = self.chance.random()
        if whim < 0.8 and await pays_at(begun.checkout_url):
            self.diary.note("topped up", top_up=str(begun.top_up_id))
            self.top_ups.append(begun.top_up_id)
            if whim < 0.4:
                await top_ups.look_again(self.owner, begun.top_up_id)
        elif 0.8 <= whim < 0.95:
            await top_ups.cancel(self.owner, begun.top_up_id)

    async def has_a_top_up_returned(self) -> None:
        """Whoever of them has paid it."""
        if found := [one for one in (self, *self.others) if one.top_ups]:
            top_ups_of_one = self.chance.choice(found).top_ups
            top_up = top_ups_of_one.pop()
            payment = await payments.of_subject(PURPOSE, top_up)
            if payment and payment.intent_id:
                await self.stripe.pays_back(payment.intent_id)
                self.diary.note("top-up returned", top_up=str(top_up))
            else:
                top_ups_of_one.append(top_up)

    # Signing in and out

    async def signs_in(self) -> None:
        browser = a_browser(str(self.actor.user_id))
        async with transaction() as session:
            ticket = await sessions.issue_ticket(
                session, self.actor.user_id, browser, may_log_address=False, now=utc_now()
            )
        async with transaction() as session:
            now = utc_now()
            secret = await sessions.redeem_ticket(session, ticket, browser, now=now)
        if secret:
            known = Session(secret, self.actor.user_id)
            self.sessions.append(known)
            told = {"hash": digest(secret), "who": str(self.actor.user_id), "at": now.isoformat()}
            self.diary.note("signed in", **told)

    async def signs_out(self) -> None:
        if here := [one for one in self.sessions if not one.is_ending]:
            known = self.chance.choice(here)
            known.is_ending = True
            self.diary.note("signing out", hash=digest(known.secret))
            async with transaction() as session:
                await sessions.end(session, digest(known.secret), now=utc_now())
            known.has_ended = True
            self.diary.note("signed out", hash=digest(known.secret))

    async def comes_back(self) -> None:
        """A session leads to its owner, or to nobody; one that has ended, to nobody."""
        if self.sessions:
            known = self.chance.choice(self.sessions)
            has_ended = known.has_ended
            found = await sessions.find_actor(digest(known.secret), now=utc_now())
            if found and found.user_id != known.owner:
                self.broken("a session led to somebody else")
            if found and has_ended:
                self.broken("a session lives that had ended")

    async def has_mail(self) -> None:
        mark = str(new_id())
        letter = mail.Letter(self.actor.email, "en", "verify", link=f"https://example.com/{mark}")
        async with transaction() as session:
            await mail.send(session, letter)
        self.diary.note("mail", mark=mark, to=self.actor.email)

    def _refused_or_unanswered(self, told: list[Any]) -> None:
        failures = [one for one in told if isinstance(one, BaseException)]
        for failure in failures:
            if not isinstance(failure, (DomainError, *UNANSWERED)):
                raise failure
        if len(failures) == len(told):
            raise failures[0]


HABITS = {
    "watches": 40,
    "finishes_anothers": 3,
    "buys_with_coins": 5,
    "buys_by_card": 9,
    "is_refunded": 4,
    "tops_up": 4,
    "has_a_top_up_returned": 3,
    "reads_a_code": 4,
    "reads_anothers_code": 3,
    "signs_in": 5,
    "signs_out": 3,
    "comes_back": 10,
    "has_mail": 4,
}
"""What people do, and how often of all."""


async def pays_at(checkout_url: str) -> bool:
    """Whether it was paid: where the shop's clock has jumped, the checkout may be closed by now."""
    async with httpx.AsyncClient(timeout=5, verify=False) as browser:
        answer = await browser.post(f"{checkout_url.partition('#')[0]}/pay")
    return answer.has_redirect_location


__all__ = ["Person", "Session", "in_tab"]
