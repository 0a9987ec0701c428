"""Outgoing mail: queued in the transaction that causes it, sent by a job, again if need be."""

import asyncio
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import lru_cache
from html import escape
from pathlib import Path

import aiosmtplib
import mjml
import procrastinate
import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession
from rewards_app.core.settings import settings
from rewards_app.i18n.mail_text import text

_log = structlog.get_logger(__name__)

TEMPLATE = Path(__file__).with_name("mail.mjml")
TASK = "send_mail"
SECONDS_BETWEEN_TRIES = 30
LONGEST_WAIT_DAYS = 3
TRIES = LONGEST_WAIT_DAYS * 24 * 3600 // SECONDS_BETWEEN_TRIES


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail: its texts are under `mails.<name>.` in the mail catalogues."""

    recipient: str
    language: str
    name: str
    link: str = ""


async def send(session: AsyncSession, letter: Letter) -> None:
    """Send `letter` once this transaction has committed; a mail server that is away delays it."""
    await jobs.later(session, TASK, **asdict(letter))


# A fixed wait: whatever is due when the mail server returns leaves within one interval.
RETRY = procrastinate.RetryStrategy(max_attempts=TRIES, wait=SECONDS_BETWEEN_TRIES)


async def send_mail(recipient: str, language: str, name: str, link: str) -> None:
    message = composed(Letter(recipient, language, name, link))
    if settings().keeps_mail_in_outbox:
        await asyncio.to_thread(_keep, message)
    else:
        await _deliver(message)
    _log.info("mail.sent", letter=name)


jobs.offer(jobs.Job(TASK, send_mail, RETRY))


def composed(letter: Letter) -> EmailMessage:
    """The letter in its recipient's language, as plain text and as HTML."""
    words = {
        part: text(f"mails.{letter.name}.{part}", letter.language)
        for part in ("subject", "body", "action", "reason")
    }
    message = EmailMessage()
    message["Subject"] = words["subject"]
    message["From"] = settings().mail_from
    message["To"] = letter.recipient
    message["Date"] = formatdate(localtime=False)
    message["Message-ID"] = make_msgid(domain=settings().mail_from.rpartition("@")[2].rstrip(">"))
    plain = [words["body"], *([letter.link] if letter.link else []), words["reason"], "WatchCoins"]
    message.set_content("\n\n".join(plain))
    message.add_alternative(_html(letter, words), subtype="html")
    return message


def _html(letter: Letter, words: dict[str, str]) -> str:
    page = _template().replace("{language}", letter.language).replace("{link}", escape(letter.link))
    for part, words_of_part in words.items():
        page = page.replace(f"{{{part}}}", escape(words_of_part))
    return page


@lru_cache(maxsize=1)
def _template() -> str:
    return mjml.mjml2html(TEMPLATE.read_text())


def outbox() -> Path:
    return settings().data_dir / "outbox"


def _keep(message: EmailMessage) -> None:
    outbox().mkdir(parents=True, exist_ok=True)
    name = f"{utc_now():%Y%m%d-%H%M%S-%f}.eml"
    (outbox() / name).write_bytes(message.as_bytes())


async def _deliver(message: EmailMessage) -> None:
    chosen = settings()
    await aiosmtplib.send(
        message,
        hostname=chosen.smtp_host,
        port=chosen.smtp_port,
        username=chosen.smtp_username or None,
        password=chosen.smtp_password.get_secret_value() or None,
        start_tls=chosen.smtp_starttls,
        timeout=20,
    )
