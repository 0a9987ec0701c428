"""What is mailed of tickets: to support, and to whoever asked. Nobody switches these off."""

from collections.abc import Callable
from dataclasses import dataclass

from rewards_app.core import mail
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.mail import Letter
from rewards_app.core.settings import settings
from rewards_app.features.support import rules
from rewards_app.features.support.repository import Recipient
from rewards_app.i18n import languages
from rewards_app.i18n.mail_text import words
from rewards_app.models import SupportTicket


async def asked(session: AsyncSession, ticket: SupportTicket) -> None:
    """To support: the question, answered by mail to the address that was typed."""
    await _to_support(
        session, ticket, "support_asked", ticket.message, name=ticket.name, email=ticket.email
    )


async def replied(session: AsyncSession, ticket: SupportTicket, actor: Actor, text: str) -> None:
    """To support: what the sender wrote next."""
    # Into a ticket that began elsewhere than in the form nobody typed who they are.
    name, email = ticket.name or actor.name, ticket.email or actor.email
    await _to_support(session, ticket, "support_replied", text, name=name, email=email)


async def _to_support(
    session: AsyncSession, ticket: SupportTicket, kind: str, text: str, *, name: str, email: str
) -> None:
    params = {
        "number": str(ticket.number),
        "subject": ticket.subject,
        "name": name,
        "email": email,
        "message": text,
    }
    await mail.send(
        session,
        Letter(
            settings().support_email,
            languages.DEFAULT,
            kind,
            link=f"{settings().origin}{rules.DESK}{ticket.number}",
            params=params,
            reply_to=email,
            about=str(ticket.account_id),
        ),
    )


async def received(session: AsyncSession, to: Recipient, ticket: SupportTicket) -> None:
    """To the sender: that it came, and under which number."""
    await _to_sender(session, to, "support_received", ticket)


async def answered(session: AsyncSession, to: Recipient, ticket: SupportTicket, text: str) -> None:
    """To the sender: the whole answer, and the way to go on."""
    await _to_sender(session, to, "support_answered", ticket, answer=text)


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """What a letter of its own tells whoever appealed in vain."""

    said_in: Callable[[str], str]
    """In their language."""
    place: str
    """Where they find what it was about; empty where only their ticket is left."""


async def turned_down(
    session: AsyncSession, to: Recipient, ticket: SupportTicket, how: TurnedDown
) -> None:
    """To the sender: that it was turned down and why. Nothing more is said in that ticket."""
    what = how.said_in(to.language)
    await _to_sender(session, to, "support_appeal_turned_down", ticket, place=how.place, what=what)


async def _to_sender(
    session: AsyncSession,
    to: Recipient,
    name: str,
    ticket: SupportTicket,
    *,
    place: str = "",
    **said: str,
) -> None:
    key = rules.subject_key(ticket.about)
    subject = words(key, to.language) if key else ticket.subject
    params = {"number": str(ticket.number), "subject": subject, **said}
    link = f"{settings().origin}{place or f'{rules.TICKET}{ticket.number}'}"
    await mail.send(session, Letter(to.email, to.language, name, link=link, params=params))
