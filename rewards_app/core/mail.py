"""Outgoing mail: queued in the transaction that causes it, sent by a job, again if need be."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import Policy
from email.utils import format_datetime, make_msgid
from functools import lru_cache
from html import escape
from pathlib import Path
from urllib.parse import urlencode, urlsplit, urlunsplit

import aiosmtplib
import mjml
import procrastinate
import structlog

from rewards_app.core import jobs, refused_mail
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession
from rewards_app.core.house import NAME
from rewards_app.core.sealed import fingerprint, seal, unseal
from rewards_app.core.settings import settings
from rewards_app.core.watching import traces
from rewards_app.i18n.languages import DEFAULT, OF_A_LINK, known
from rewards_app.i18n.mail_text import text

_log = structlog.get_logger(__name__)

OPTIONAL = re.compile(r"<!-- with (\w+) -->(.*?)<!-- end -->", re.DOTALL)
PLACE = re.compile(
    r"\{(subject|preview|body|code|link|action|reason|language|unsubscribe|unsubscribe_text)\}"
)
SAYS_LINKS = frozenset({"body", "reason"})
"""Where our own addresses are named, and are to be clicked."""
TEMPLATE = Path(__file__).with_name("mail.mjml")
TASK = "send_mail"
LONGEST_MARK = 16
SECONDS_BETWEEN_TRIES = 30
LONGEST_WAIT_DAYS = 3
SEALED = ("link", "unsubscribe")
"""What opens something: whoever reads the queue, or a backup of it, could be first."""
NOBODYS = "@erased.invalid"
"""How addresses of the forgotten end: what is still settled for them is told to nobody."""
TRIES = LONGEST_WAIT_DAYS * 24 * 3600 // SECONDS_BETWEEN_TRIES


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail: its texts are under `mails.<name>.` in the mail catalogues."""

    recipient: str
    language: str
    name: str
    link: str = ""
    """Where its button leads; without one there is no button."""
    params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    code: str = ""
    """Something to copy, set apart and large."""
    unsubscribe: str = ""
    """Where mails like this are switched off, by one click of a mail program too."""
    reply_to: str = ""
    """Whom an answer to it reaches, if not its sender."""
    about: str = ""
    """The account of whom it tells somebody else: erased, nobody is told of it any more."""


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    content: bytes
    kind: str = "application/pdf"


class SecretInTheQueue(ValueError):
    """A letter with a code was to be queued: what lies there can be read for days."""


def is_forgotten(address: str) -> bool:
    return address.endswith(NOBODYS)


async def send(session: AsyncSession, letter: Letter, *, is_to_many: bool = False) -> None:
    """Send `letter` once this transaction has committed; a mail server that is away delays it.

    What many are sent at once goes after what somebody waits for.
    """
    if letter.code:
        raise SecretInTheQueue(letter.name)
    if is_forgotten(letter.recipient):
        return
    queued = {name: value for name, value in asdict(letter).items() if value}
    if sealed := {name: seal(queued.pop(name)) for name in SEALED if name in queued}:
        queued["sealed_links"] = sealed
    urgency = jobs.Urgency.LETTER_TO_MANY if is_to_many else jobs.Urgency.LETTER
    await jobs.later(session, TASK, urgency=urgency, **queued)


# A fixed wait: whatever is due when the mail server returns leaves within one interval.
RETRY = procrastinate.RetryStrategy(max_attempts=TRIES, wait=SECONDS_BETWEEN_TRIES)


async def send_mail(
    recipient: str,
    language: str,
    name: str,
    link: str = "",
    params: Mapping[str, str | int] | None = None,
    unsubscribe: str = "",
    reply_to: str = "",
    about: str = "",
    *,
    sealed_links: Mapping[str, str] | None = None,
    queued_as: int | None = None,
) -> None:
    """The version before queued all of it readable."""
    letter = Letter(
        recipient,
        language,
        name,
        link,
        params or {},
        unsubscribe=unsubscribe,
        reply_to=reply_to,
        about=about,
    )
    links = {name: unseal(link) for name, link in (sealed_links or {}).items()}
    letter = replace(letter, **links)
    await post(letter, message_id=_named(letter, queued_as) if queued_as else None)


def _named(letter: Letter, queued_as: int) -> str:
    """The same at each try. Its place in the queue alone is another letter's after a restore."""
    told = json.dumps(asdict(letter), sort_keys=True)
    return f"letter-{queued_as}-{fingerprint(told)[:LONGEST_MARK]}"


jobs.offer(jobs.Job(TASK, send_mail, RETRY, is_told_which=True))


def tasks() -> list[str]:
    """Every job that is one letter: this one, and those that write theirs when they send it."""
    return [job.name for job in jobs.JOBS.values() if job.retry is RETRY]


async def post(letter: Letter, *attachments: Attachment, message_id: str | None = None) -> None:
    """Send `letter` now, or fail: for jobs whose words or files must not lie in the queue.

    Whoever may send twice names the message: mail programs show one of a name once.
    """
    if is_forgotten(letter.recipient):
        return
    message = composed(letter, *attachments, message_id=message_id)
    if settings().keeps_mail_in_outbox:
        await asyncio.to_thread(_keep, message)
    else:
        try:
            await _deliver(message)
        except aiosmtplib.SMTPRecipientsRefused as refused:
            if not _are_nobodys(refused):
                raise
            _log.warning("mail.nobody_there", letter=letter.name)
            return
    _log.info("mail.sent", letter=letter.name)


def _are_nobodys(refused: aiosmtplib.SMTPRecipientsRefused) -> bool:
    """Any other refusal may be about us, and end once somebody has set it right."""
    return all(refused_mail.is_nobodys(one.code, one.message) for one in refused.recipients)


def composed(
    letter: Letter, *attachments: Attachment, message_id: str | None = None
) -> EmailMessage:
    """The letter in its recipient's language, as plain text and as HTML, with its files."""
    words = _words(letter)
    message = EmailMessage()
    # What must not part in a text has no lines to part in here, and plain signs need no code.
    message[_Subject.name] = _Subject(words["subject"].replace("\u00a0", " "))
    message["From"] = settings().mail_from
    message["To"] = letter.recipient
    message["Date"] = format_datetime(utc_now())
    message["Message-ID"] = _message_id(message_id)
    # Whoever is away does not answer us; nor does a program that answers by itself.
    message["Auto-Submitted"] = "auto-generated"
    if letter.reply_to:
        message["Reply-To"] = Address(addr_spec=letter.reply_to)
    if letter.unsubscribe:
        _let_unsubscribe(message, letter.unsubscribe)
    parts = ("body", "code", "link_line", "reason", "unsubscribe_line")
    plain = [words[part] for part in parts if words.get(part)]
    message.set_content("\n\n".join([*plain, NAME]))
    message.add_alternative(_html(letter, words), subtype="html")
    for attachment in attachments:
        maintype, _, subtype = attachment.kind.partition("/")
        message.add_attachment(
            attachment.content, maintype=maintype, subtype=subtype, filename=attachment.name
        )
    return message


class _Subject(str):
    """In signs of all languages: Python's newer way loses a space where it begins a line anew."""

    name = "Subject"

    def fold(self, *, policy: Policy) -> str:
        charset = "us-ascii" if self.isascii() else "utf-8"
        written = Header(self, charset, header_name=self.name)
        return f"{self.name}: {written.encode(linesep=policy.linesep)}{policy.linesep}"


class _Whole(str):
    """A header on one line: Python would encode an address that does not fit, and none read it."""

    name = "List-Unsubscribe"

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


def _let_unsubscribe(message: EmailMessage, link: str) -> None:
    """As mail programs read it, by RFC 8058."""
    message[_Whole.name] = _Whole(f"<{link}>")
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def _words(letter: Letter) -> dict[str, str]:
    """Each part of the letter that it has."""
    said = ("subject", "body", "action", "reason") if letter.link else ("subject", "body", "reason")
    words = {
        part: text(f"mails.{letter.name}.{part}", letter.language, **letter.params) for part in said
    }
    # A header ends with its line, and Python would decode an encoded one into several.
    words["subject"] = " ".join(words["subject"].splitlines()).replace("=?", "= ?")
    words["preview"] = words["body"].partition("\n")[0]
    return words | {"code": letter.code} | _leading(letter, words) | _unsubscribing(letter)


def _leading(letter: Letter, words: dict[str, str]) -> dict[str, str]:
    if not letter.link:
        return {}
    link = read_in(letter.language, letter.link)
    # On a line of its own: none takes a sign beside it for a part of it.
    line = text("letter.leading", letter.language, action=words["action"], link=link)
    return {"link": link, "link_line": line}


def read_in(language: str, link: str) -> str:
    """Where a browser has chosen no language yet, the page speaks as the letter does."""
    if (spoken := known(language)) == DEFAULT:
        return link
    parts = urlsplit(link)
    queries = [part for part in (parts.query, urlencode({OF_A_LINK: spoken})) if part]
    return urlunsplit(parts._replace(query="&".join(queries)))


def _unsubscribing(letter: Letter) -> dict[str, str]:
    if not letter.unsubscribe:
        return {}
    said = text("unsubscribe.link", letter.language)
    line = text("letter.unsubscribing", letter.language, said=said, link=letter.unsubscribe)
    return {
        "unsubscribe": letter.unsubscribe,
        "unsubscribe_text": said,
        "unsubscribe_line": line,
    }


def _message_id(name: str | None) -> str:
    domain = settings().sender_address.rpartition("@")[2]
    return f"<{name}@{domain}>" if name else make_msgid(domain=domain)


def _html(letter: Letter, words: dict[str, str]) -> str:
    filled = words | {"language": letter.language}
    page = _template(
        has_code=bool(letter.code),
        has_link=bool(letter.link),
        has_unsubscribe=bool(letter.unsubscribe),
    )
    return PLACE.sub(lambda place: _marked_up(place[1], filled[place[1]]), page)


def _marked_up(part: str, words: str) -> str:
    written = escape(words).replace("\n", "<br />")
    return _with_links(written) if part in SAYS_LINKS else written


def _with_links(written: str) -> str:
    """Only our own addresses: what somebody typed leads nowhere by our hand."""
    support = escape(settings().support_email)
    ours = rf"{re.escape(escape(settings().origin))}/[\w/?=&;%#-]*|(?<!\S){re.escape(support)}"
    return re.sub(ours, lambda found: _link_to(found[0], support), written)


def _link_to(address: str, support: str) -> str:
    place = f"mailto:{address}" if address == support else address
    return f'<a href="{place}" style="color:inherit">{address}</a>'


@lru_cache(maxsize=8)
def _template(*, has_code: bool, has_link: bool, has_unsubscribe: bool) -> str:
    shown = {"code": has_code, "link": has_link, "unsubscribe": has_unsubscribe}
    source = OPTIONAL.sub(
        lambda block: block[2] if shown[block[1]] else "", TEMPLATE.read_text("utf-8")
    )
    return mjml.mjml2html(source)


def outbox() -> Path:
    return settings().data_dir / "outbox"


def _keep(message: EmailMessage) -> None:
    outbox().mkdir(parents=True, exist_ok=True)
    name = f"{utc_now():%Y%m%d-%H%M%S-%f}.eml"
    (outbox() / name).write_bytes(message.as_bytes())


async def _deliver(message: EmailMessage) -> None:
    chosen = settings()
    with traces.span("smtp send", "client", server__address=chosen.smtp_host):
        await aiosmtplib.send(
            message,
            hostname=chosen.smtp_host,
            port=chosen.smtp_port,
            username=chosen.smtp_username or None,
            password=chosen.smtp_password.get_secret_value() or None,
            start_tls=chosen.smtp_starttls,
            timeout=20,
        )
