"""Invoices of top-ups: what they say, who gets them, and the letters around them."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import jobs, mail
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import NotAllowed
from rewards_app.core.house import NAME
from rewards_app.core.mail import Attachment, Letter
from rewards_app.core.routes import BILLING
from rewards_app.core.settings import settings
from rewards_app.features.advertiser import membership, top_up_repository
from rewards_app.features.advertiser.billing_rules import UnknownTopUp, invoice_name
from rewards_app.features.advertiser.top_up_repository import PURPOSE, SEND_INVOICE, TopUp
from rewards_app.features.audit import service as audit
from rewards_app.features.payments import service as payments
from rewards_app.i18n import languages, written
from rewards_app.i18n.mail_text import text
from rewards_app.paper.content import Fact, Mark, Paper, Row


@dataclass(frozen=True, slots=True)
class InvoiceFile:
    number: str
    content: bytes

    @property
    def name(self) -> str:
        return f"{self.number}.pdf"


async def own_invoice(actor: Actor, top_up_id: UUID, language: str) -> InvoiceFile:
    """The invoice of a top-up of the company whose owner the actor is."""
    async with transaction() as session:
        company = await membership.owned_company(session, actor)
    found = await top_up_repository.find(top_up_id)
    if found is None or found.advertiser_id != company.advertiser_id:
        raise UnknownTopUp
    return await _file(found, language)


async def any_invoice(
    actor: Actor, top_up_id: UUID, language: str, *, now: datetime
) -> InvoiceFile:
    """The same document for an admin, of any company; that it was fetched is written down."""
    if actor.role is not Role.ADMIN:
        raise NotAllowed
    found = await top_up_repository.find(top_up_id)
    if found is None:
        raise UnknownTopUp
    file = await _file(found, language)
    async with transaction() as session:
        await audit.record(
            session,
            actor,
            audit.Action.INVOICE_FETCHED,
            f"company:{found.advertiser_id}",
            label=found.company,
            after={"invoice": file.number},
            now=now,
        )
    return file


async def go_on_at(session: AsyncSession, number: int, *, now: datetime) -> bool:
    """The next invoice is given this number, and none that was given before the database went back.

    False where it was given here, or is the next one anyway: numbers go forward alone.
    """
    if not await top_up_repository.skip_numbers(session, number - 1):
        return False
    after = {"next": invoice_name(number)}
    await audit.record(
        session, None, audit.Action.INVOICES_SKIPPED, "invoices", after=after, now=now
    )
    return True


async def send_invoice(top_up_id: str) -> None:
    """Mail the invoice to who paid it."""
    found = await top_up_repository.find(UUID(top_up_id))
    assert found is not None, "top-ups are never deleted"
    file = await _file(found, found.language)
    letter = Letter(
        found.payer_email,
        found.language,
        "top_up_paid",
        link=f"{settings().origin}{BILLING}",
        params={
            "money": written.dollars(found.cents, found.language),
            "company": found.company,
            "invoice": file.number,
        },
    )
    # Named, so that a second copy is recognised: a worker may die after it was sent.
    await mail.post(letter, Attachment(file.name, file.content), message_id=f"top-up-{found.id}")


SENDING = jobs.Job(SEND_INVOICE, send_invoice, mail.RETRY)


async def tell_refused(session: AsyncSession, top_up_id: UUID) -> None:
    """Queue the letter on a top-up that a bank did not pay after all."""
    found = await _told_of(top_up_id)
    await _tell(session, found, "top_up_refused", _params(found))


async def tell_returned(session: AsyncSession, top_up_id: UUID, *, newly: int | None) -> None:
    """Queue the letter on money that is with the payer again; None was never in the balance."""
    found = await _told_of(top_up_id)
    params = _params(found)
    is_taken = await payments.was_taken(session, PURPOSE, top_up_id)
    if newly is None:
        name = "top_up_taken_late" if is_taken else "top_up_too_late"
    elif is_taken:
        name, params["part"] = "top_up_taken", written.dollars(newly, found.language)
    elif newly == found.cents:
        name = "top_up_returned"
    else:
        name, params["part"] = "top_up_partly_returned", written.dollars(newly, found.language)
    await _tell(session, found, name, params)


async def _told_of(top_up_id: UUID) -> TopUp:
    found = await top_up_repository.find(top_up_id)
    assert found is not None, "top-ups are never deleted"
    return found


def _params(found: TopUp) -> dict[str, str]:
    return {
        "money": written.dollars(found.cents, found.language),
        "company": found.company,
        "support": settings().support_email,
    }


async def _tell(session: AsyncSession, found: TopUp, name: str, params: dict[str, str]) -> None:
    link = f"{settings().origin}{BILLING}"
    await mail.send(session, Letter(found.payer_email, found.language, name, link, params))


async def _file(found: TopUp, language: str) -> InvoiceFile:
    if found.invoice_number is None or found.paid_at is None:
        raise UnknownTopUp
    name = invoice_name(found.invoice_number)
    paper = paper_of(found, name, found.paid_at, languages.known(language))
    return InvoiceFile(name, await asyncio.to_thread(_drawn, paper))


def _drawn(paper: Paper) -> bytes:
    # What draws is large, and the app starts more often than anybody pays.
    from rewards_app.paper.page import drawn

    return drawn(paper)


def paper_of(found: TopUp, name: str, paid_at: datetime, language: str) -> Paper:
    """One page: who paid what to whom, and what of it went back."""
    money = written.dollars(found.cents, language)
    support = settings().support_email
    return Paper(
        language=language,
        made_at=paid_at,
        subject=text("invoice.subject", language, invoice=name),
        title=text("invoice.title", language),
        seller=NAME,
        marks=_marks(found, language),
        facts=[
            Fact(text("invoice.number", language), name),
            Fact(
                text("receipt.date", language),
                written.day(paid_at, language),
                written.time_of_day(paid_at, language),
            ),
            Fact(text("receipt.buyer", language), found.company, found.company_email),
            Fact(text("receipt.seller", language), NAME, support),
        ],
        head=(text("receipt.item", language), text("invoice.amount", language)),
        rows=[Row(text("top_up.item", language), money, text("top_up.item_text", language))],
        total=Row(text("receipt.paid", language), money),
        after=_after_return(found, language),
        foot=text("invoice.questions", language, support=support),
    )


def _marks(found: TopUp, language: str) -> list[Mark]:
    if not found.is_test:
        return []
    return [Mark(text("receipt.test_payment", language), text("invoice.test_text", language))]


def _after_return(found: TopUp, language: str) -> list[Row]:
    if not found.returned_cents or found.returned_at is None:
        return []
    day = written.day(found.returned_at, language)
    returned = written.dollars(found.returned_cents, language)
    kept = written.dollars(found.cents - found.returned_cents, language)
    return [
        Row(text("receipt.refunded", language, day=day), f"{written.MINUS}{returned}"),
        Row(text("receipt.kept", language), kept),
    ]
