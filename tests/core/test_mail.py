"""Letters in the recipient's language, sent by a job, again if the server is away."""

import asyncio
import re
import ssl
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import escape
from pathlib import Path

import aiosmtplib
import httpx2 as httpx
import psycopg
import pytest
from aiosmtpd.controller import Controller
from starlette.applications import Starlette

from rewards_app.api import outbox
from rewards_app.core import jobs, mail
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.jobs import Urgency
from rewards_app.core.settings import settings
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from tests import certificates
from tests.certificates import OF_ANOTHER, OF_THIS_MACHINE, signed_by_itself
from tests.serving import Letters, smtp_server, text_of
from tools.ports import free_port

LINK = "http://localhost:8300/auth?mode=verify&token=abc"
A_COLON = {"fr": "\N{NO-BREAK SPACE}:"}
"""French stands it off, and never at the beginning of a line."""


def a_letter(**changes) -> mail.Letter:
    known = {"recipient": "maja@example.com", "language": "en", "name": "verify", "link": LINK}
    return mail.Letter(**known | changes)


class TestComposed:
    @pytest.mark.parametrize("language", CODES)
    @pytest.mark.parametrize("name", ["verify", "reset", "already_registered"])
    def test_speaks_the_recipients_language(self, language: str, name: str):
        message = mail.composed(a_letter(language=language, name=name))
        assert message["Subject"] == catalogues.mails(language)[f"mails.{name}.subject"]
        assert catalogues.mails(language)[f"mails.{name}.body"] in text_of(message)
        assert LINK in text_of(message)

    def test_an_unknown_language_is_english(self):
        message = mail.composed(a_letter(language="xx"))
        assert message["Subject"] == "Verify your email"
        assert "language=" not in text_of(message)

    @pytest.mark.parametrize(
        ("link", "led"),
        [
            (LINK, f"{LINK}&language=sv"),
            ("http://localhost:8300/orders", "http://localhost:8300/orders?language=sv"),
            (
                "http://localhost:8300/forum/1#reply-2",
                "http://localhost:8300/forum/1?language=sv#reply-2",
            ),
        ],
    )
    def test_its_page_opens_in_the_letters_language(self, link: str, led: str):
        message = mail.composed(a_letter(language="sv", link=link))
        assert led in text_of(message).split()
        assert f'href="{escape(led)}"' in html_of(message)

    def test_an_english_one_leads_as_it_is(self):
        assert LINK in text_of(mail.composed(a_letter())).split()

    def test_the_page_carries_the_link_and_no_placeholder(self):
        html = mail.composed(a_letter()).get_body(("html",)).get_content()
        assert LINK.replace("&", "&amp;") in html
        assert "{" not in html.partition("<body")[2]


A_CODE = "AB12  <b>&amp;</b> CD"
"""With two spaces and what HTML would read as its own."""


def a_delivery(**changes) -> mail.Letter:
    params = {"product": "2800 V-Bucks", "purchase_code": "COIN-1-A", "spent": "69 kr"}
    return a_letter(**{"name": "purchase_delivered", "params": params, "code": A_CODE} | changes)


def html_of(message: EmailMessage) -> str:
    return message.get_body(("html",)).get_content()


class TestParameters:
    def test_are_filled_into_every_part(self):
        message = mail.composed(a_delivery())
        assert message["Subject"] == "Your 2800 V-Bucks are here"
        assert "You paid 69 kr" in text_of(message)
        assert "COIN-1-A" in html_of(message)

    def test_are_text_and_never_markup(self):
        params = {"product": "<script>1</script>", "purchase_code": "{reason}", "spent": "{{code}}"}
        html = html_of(mail.composed(a_delivery(params=params)))
        assert "<script>" not in html
        assert "Your order is {reason}" in html
        assert "You paid {{code}}" in html

    def test_cannot_end_a_header(self):
        params = {"product": "A\r\nBcc: all@example.com", "purchase_code": "", "spent": ""}
        message = mail.composed(a_delivery(params=params))
        assert message["Bcc"] is None
        assert message["Subject"] == "Your A Bcc: all@example.com are here"

    def test_cannot_end_a_header_in_the_code_of_headers(self):
        product = "=?utf-8?q?A=0D=0ABcc=3A_all=40example=2Ecom?="
        params = {"product": product, "purchase_code": "", "spent": ""}
        message = mail.composed(a_delivery(params=params))
        headers, _, _ = message.as_bytes().partition(b"\n\n")
        assert b"\nBcc" not in headers
        assert b"\nSubject: Your = ?utf-8" in b"\n" + headers
        assert message["Subject"] == f"Your {product.replace('=?', '= ?')} are here"


class TestHeaders:
    """As a mail program reads them, which finds nothing to mend."""

    @pytest.mark.parametrize("language", CODES)
    def test_have_no_defect(self, language: str):
        message = read(mail.composed(a_letter(language=language, unsubscribe=UNSUBSCRIBE), A_FILE))
        parts = [message, *message.walk()]
        assert [defect for part in parts for defect in part.defects] == []
        headers = [header for part in parts for header in part.values()]
        assert [defect for header in headers for defect in header.defects] == []

    def test_say_that_no_person_wrote_it_and_when(self):
        message = read(mail.composed(a_letter()))
        assert message["Auto-Submitted"] == "auto-generated"
        assert abs(message["Date"].datetime - utc_now()) < timedelta(minutes=1)
        assert message["Date"].endswith("+0000")

    @pytest.mark.parametrize("length", range(20, 90))
    def test_bring_a_subject_as_it_was_written(self, length: int):
        subject = " ".join(["Ты", "“и”", "кофе", "wins"] * 9)[:length].strip()
        params = {"subject": subject, "what": "Something", "settings": LINK}
        assert read(mail.composed(a_letter(name="notified", params=params)))["Subject"] == subject

    def test_bring_a_long_plain_subject_on_several_lines(self):
        subject = "a word " * 30 + "ends"
        params = {"subject": subject, "what": "Something", "settings": LINK}
        message = mail.composed(a_letter(name="notified", params=params))
        assert read(message)["Subject"] == subject
        assert max(map(len, message.as_bytes().partition(b"\n\n")[0].splitlines())) < 100

    def test_offer_both_texts_in_the_same_signs(self):
        message = read(mail.composed(a_letter(language="ru")))
        assert message.get_content_type() == "multipart/alternative"
        kinds = [
            (one.get_content_type(), one.get_content_charset()) for one in message.iter_parts()
        ]
        assert kinds == [("text/plain", "utf-8"), ("text/html", "utf-8")]


def read(message: EmailMessage) -> EmailMessage:
    return message_from_bytes(message.as_bytes(), policy=default)


class TestReplyTo:
    def test_names_whom_an_answer_reaches(self):
        message = mail.composed(a_letter(reply_to="maja.home@example.com"))
        assert message["Reply-To"] == "maja.home@example.com"

    def test_is_the_sender_where_nobody_is_named(self):
        assert mail.composed(a_letter())["Reply-To"] is None

    def test_one_that_is_missing_is_an_error_of_ours(self):
        with pytest.raises(KeyError):
            mail.composed(a_delivery(params={}))


class TestCode:
    def test_stands_on_a_line_of_its_own(self):
        assert A_CODE in text_of(mail.composed(a_delivery())).splitlines()

    def test_is_set_apart_on_the_page_as_it_is_written(self):
        html = html_of(mail.composed(a_delivery()))
        assert f'white-space:pre-wrap;word-break:break-all">{escape(A_CODE)}</div>' in html

    def test_leaves_no_box_where_there_is_none(self):
        assert "pre-wrap" not in html_of(mail.composed(a_letter()))

    async def test_to_somebody_who_was_forgotten_goes_nowhere(self, database: str):
        async with transaction() as session:
            await mail.send(session, a_letter(recipient=f"erased-1{mail.NOBODYS}"))
        with psycopg.connect(database) as connection:
            assert not connection.execute("select from procrastinate_jobs").fetchall()

    async def test_that_is_posted_to_somebody_who_was_forgotten_goes_nowhere(self):
        outbox = settings().data_dir / "outbox"
        before = set(outbox.glob("*.eml"))
        await mail.post(a_delivery(recipient=f"erased-1{mail.NOBODYS}"))
        assert set(outbox.glob("*.eml")) == before
        await mail.post(a_delivery())
        assert set(outbox.glob("*.eml")) != before

    async def test_never_lies_in_the_queue(self, database):
        async with transaction() as session:
            with pytest.raises(mail.SecretInTheQueue):
                await mail.send(session, a_delivery())


class TestLink:
    def test_stands_below_what_it_does_where_there_are_no_buttons(self):
        lines = text_of(mail.composed(a_letter())).splitlines()
        [place] = [place for place, line in enumerate(lines) if line.startswith(LINK)]
        assert lines[place - 1] == "Verify email:"

    @pytest.mark.parametrize("language", CODES)
    def test_is_led_to_by_a_colon_as_the_language_sets_it(self, language: str):
        lines = text_of(mail.composed(a_letter(language=language))).splitlines()
        said = catalogues.mails(language)["mails.verify.action"]
        [place] = [place for place, line in enumerate(lines) if line.startswith(LINK)]
        assert lines[place - 1] == said + A_COLON.get(language, ":")

    def test_to_us_can_be_clicked_wherever_it_is_named(self):
        place = f"{settings().origin}/settings"
        params = {"subject": "News", "what": "Something", "settings": place}
        html = html_of(mail.composed(a_letter(name="notified", params=params)))
        assert f'<a href="{place}"' in html

    def test_to_support_opens_a_letter(self):
        support = settings().support_email
        html = html_of(mail.composed(a_letter(name="account_kept", params={"support": support})))
        assert f'<a href="mailto:{support}"' in html

    def test_that_somebody_typed_is_no_link_of_ours(self):
        typed = f"https://elsewhere.example {settings().origin}.elsewhere.example/x"
        params = {"number": "7", "subject": "Hi", "answer": typed}
        html = html_of(mail.composed(a_letter(name="support_answered", params=params)))
        assert html.count("<a ") == 2
        assert 'href="https://elsewhere' not in html


class TestPreview:
    """What lists of mails show beside the subject."""

    def test_is_the_beginning_of_the_letter(self):
        params = {"day": "1 May", "support": "help@example.com"}
        html = html_of(mail.composed(a_letter(name="account_closing_soon", params=params)))
        shown = html.partition("<body")[2].partition("</div>")[0]
        assert shown.endswith("Nobody can bring that back.")


class TestButton:
    def test_a_letter_without_one_has_no_button(self):
        message = mail.composed(a_delivery(link=""))
        assert "<a " not in html_of(message)
        assert "http://localhost" not in text_of(message)


UNSUBSCRIBE = "https://rewards.example.com/unsubscribe?token=" + "a1b2c3d4" * 12
"""Longer than what Python would keep on one line."""


class TestUnsubscribing:
    @pytest.mark.parametrize("language", CODES)
    def test_is_offered_in_the_recipients_language(self, language: str):
        message = mail.composed(a_letter(language=language, unsubscribe=UNSUBSCRIBE))
        said = catalogues.mails(language)["unsubscribe.link"]
        colon = A_COLON.get(language, ":")
        assert f"{said}{colon} {UNSUBSCRIBE}" in text_of(message).splitlines()
        assert f'<a href="{UNSUBSCRIBE}"' in html_of(message)
        assert said in html_of(message)

    def test_is_one_click_in_a_mail_program(self):
        lines = mail.composed(a_letter(unsubscribe=UNSUBSCRIBE)).as_bytes().decode().splitlines()
        assert f"List-Unsubscribe: <{UNSUBSCRIBE}>" in lines
        assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines

    def test_is_not_offered_by_a_letter_that_must_come(self):
        message = mail.composed(a_letter())
        assert message["List-Unsubscribe"] is None
        assert catalogues.mails("en")["unsubscribe.link"] not in html_of(message)


class TestMessageId:
    def test_the_same_name_gives_the_same(self):
        first, again = (mail.composed(a_letter(), message_id="order-1") for _ in range(2))
        assert first["Message-ID"] == again["Message-ID"] == "<order-1@localhost>"

    def test_each_message_without_a_name_has_its_own(self):
        assert mail.composed(a_letter())["Message-ID"] != mail.composed(a_letter())["Message-ID"]


@asynccontextmanager
async def a_worker():
    """Runs jobs while the block runs."""
    worker = asyncio.create_task(jobs.work())
    try:
        yield
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


LEFT = "select from procrastinate_jobs where task_name = 'send_mail'"


async def until(is_done, *, seconds: float = 20) -> None:
    for _ in range(int(seconds * 10)):
        if is_done():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not happen")


@pytest.fixture
def to_smtp(monkeypatch):
    """Mail goes to the port that is chosen."""

    def choose(port: int, *, starttls: bool = False) -> None:
        monkeypatch.setattr(settings(), "smtp_host", "127.0.0.1")
        monkeypatch.setattr(settings(), "smtp_port", port)
        monkeypatch.setattr(settings(), "smtp_starttls", starttls)

    return choose


def longest_wait(beside: psycopg.Connection, tries: int) -> timedelta | None:
    """How long until the last of the letters is tried again, once each was tried so often."""
    query = (
        "select count(*) filter (where attempts = %s and status = 'todo') = count(*),"
        " max(scheduled_at) - now() from procrastinate_jobs where task_name = %s"
    )
    [(have_all_been_tried, longest)] = beside.execute(query, (tries, mail.TASK)).fetchall()
    return longest if have_all_been_tried else None


@pytest.mark.usefixtures("database")
class TestDelivery:
    async def test_arrives_at_a_real_server(self, to_smtp):
        with smtp_server() as (letters, port):
            to_smtp(port)
            async with transaction() as session:
                await mail.send(session, a_letter())
            async with a_worker():
                await until(lambda: letters.to("maja@example.com"))
        assert LINK in text_of(letters.all[0])

    async def test_sends_everything_within_two_minutes_of_a_servers_return(
        self, to_smtp, database: str, monkeypatch
    ):
        """It was away for ten minutes: as long as it may take to the next try, and then all leave
        in that round."""
        monkeypatch.setattr(jobs, "SECONDS_BETWEEN_LOOKS", 0.5)
        port = free_port()
        to_smtp(port)
        people = [f"maja{number}@example.com" for number in range(20)]
        async with transaction() as session:
            for person in people:
                await mail.send(session, a_letter(recipient=person))
        tries = timedelta(minutes=10) // timedelta(seconds=mail.SECONDS_BETWEEN_TRIES)
        with psycopg.connect(database, autocommit=True) as beside:
            beside.execute("update procrastinate_jobs set attempts = %s", (tries,))
            async with a_worker():
                await until(lambda: longest_wait(beside, tries + 1))
                longest = longest_wait(beside, tries + 1)
                assert longest
                assert longest <= timedelta(minutes=2)
                with smtp_server(port) as (letters, _):
                    beside.execute(
                        "update procrastinate_jobs set scheduled_at = scheduled_at - %s", (longest,)
                    )
                    # Sooner than any would be tried once more.
                    await until(
                        lambda: len(letters.all) == len(people), seconds=mail.SECONDS_BETWEEN_TRIES
                    )
        assert sorted(letter["To"] for letter in letters.all) == sorted(people)

    async def test_waits_for_a_server_that_is_away(self, to_smtp, monkeypatch):
        monkeypatch.setattr(jobs, "SECONDS_BETWEEN_LOOKS", 0.5)
        monkeypatch.setattr(mail.RETRY, "wait", 1)
        port = free_port()
        to_smtp(port)
        async with transaction() as session:
            await mail.send(session, a_letter())
        async with a_worker():
            await asyncio.sleep(1.5)
            with smtp_server(port) as (letters, _):
                await until(lambda: letters.all)
        assert len(letters.to("maja@example.com")) == 1

    async def test_a_letter_that_is_sent_again_has_the_same_name(self, to_smtp, database: str):
        """Its worker could not write down that it was sent. After a restore another one has its
        place in the queue."""
        again = "insert into procrastinate_jobs overriding system value table kept"
        another = """update kept set args = args || '{"recipient": "ella@example.com"}'"""
        with smtp_server() as (letters, port), psycopg.connect(database, autocommit=True) as beside:
            to_smtp(port)
            async with transaction() as session:
                await mail.send(session, a_letter())
            beside.execute("create temp table kept as table procrastinate_jobs")
            async with a_worker():
                for done, query in enumerate((again, another, again), start=1):
                    await until(lambda: not beside.execute(LEFT).fetchall())
                    assert len(letters.all) == min(done, 2)
                    beside.execute(query)
                await until(lambda: len(letters.all) == 3)
        first, second, third = (letter["Message-ID"] for letter in letters.all)
        assert first == second != third

    async def test_a_queued_letter_brings_its_parameters(self, to_smtp):
        params = {"product": "2800 V-Bucks", "money": "69 kr", "support": "help@example.com"}
        with smtp_server() as (letters, port):
            to_smtp(port)
            async with transaction() as session:
                await mail.send(session, a_letter(name="payment_returned", params=params))
            async with a_worker():
                await until(lambda: letters.all)
        assert "your payment of 69 kr for 2800 V-Bucks" in text_of(letters.all[0])

    async def test_a_queued_letter_can_be_unsubscribed_from(self, to_smtp):
        with smtp_server() as (letters, port):
            to_smtp(port)
            async with transaction() as session:
                await mail.send(session, a_letter(unsubscribe=UNSUBSCRIBE))
            async with a_worker():
                await until(lambda: letters.all)
        assert letters.all[0]["List-Unsubscribe"] == f"<{UNSUBSCRIBE}>"

    async def test_a_queued_letter_lets_nobody_read_where_it_leads(self, to_smtp, database: str):
        """For three days, if no mail server answers, and in backups."""
        with psycopg.connect(database, autocommit=True) as beside, smtp_server() as (letters, port):
            to_smtp(port)
            async with transaction() as session:
                await mail.send(session, a_letter(link=LINK, unsubscribe=UNSUBSCRIBE))
            [[queued]] = beside.execute("select args::text from procrastinate_jobs").fetchall()
            assert not any(said in queued for said in ("https://", LINK, UNSUBSCRIBE))
            async with a_worker():
                await until(lambda: letters.all)
        assert LINK in text_of(letters.all[0])

    async def test_a_letter_that_an_earlier_version_queued_is_sent(self, to_smtp):
        with smtp_server() as (letters, port):
            to_smtp(port)
            await mail.send_mail("maja@example.com", "en", "verify", LINK)
        assert LINK in text_of(letters.all[0])

    @pytest.mark.parametrize(
        ("is_to_many", "urgency"), [(False, Urgency.LETTER), (True, Urgency.LETTER_TO_MANY)]
    )
    async def test_keeps_no_work_waiting(self, database: str, is_to_many: bool, urgency: Urgency):
        async with transaction() as session:
            await mail.send(session, a_letter(), is_to_many=is_to_many)
        with psycopg.connect(database) as connection:
            queued = connection.execute("select priority from procrastinate_jobs").fetchall()
        assert queued == [(urgency,)]

    async def test_without_a_server_stays_in_the_outbox(self):
        async with transaction() as session:
            await mail.send(session, a_letter())
        async with a_worker():
            await until(lambda: list(mail.outbox().glob("*.eml")))


@contextmanager
def refusing_server(answer: str) -> Iterator[int]:
    """A real SMTP server that takes a letter for nobody."""

    class Refusing:
        async def handle_RCPT(self, *_: object) -> str:
            return answer

    controller = Controller(Refusing(), hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


A_FILE = mail.Attachment("receipt-COIN-1-Å.pdf", b"%PDF-1.7 \x00\xff")


class TestPost:
    async def test_brings_code_and_file_to_a_real_server(self, to_smtp):
        with smtp_server() as (letters, port):
            to_smtp(port)
            await mail.post(a_delivery(), A_FILE, message_id="order-1")
        [letter] = letters.all
        assert letter["Message-ID"] == "<order-1@localhost>"
        assert A_CODE in text_of(letter).splitlines()
        [file] = [part for part in letter.walk() if part.get_filename()]
        assert file.get_filename() == A_FILE.name
        assert file.get_content_type() == "application/pdf"
        assert file.get_payload(decode=True) == A_FILE.content

    @pytest.mark.parametrize(
        "answer",
        [
            "5.1.0 No such user here",
            "5.1.1 No such user here",
            "5.1.10 No such user here",
            "5.1.1 <my.sender@localhost>: Recipient address rejected: User unknown",
            "5.1.6 Recipient no longer here. Please inform the sender",
            "#5.1.0 Address rejected maja@localhost",
            "sorry, no mailbox here by that name (#5.1.1)",
        ],
    )
    async def test_to_nobody_ends(self, to_smtp, answer: str):
        with refusing_server(f"550 {answer}") as port:
            to_smtp(port)
            await mail.post(a_delivery())

    @pytest.mark.parametrize(
        "answer",
        [
            "550 5.7.1 Relaying denied",
            "450 4.2.0 Greylisted",
            "450 4.1.1 Later",
            "550 No",
            "550 5.1.0 <us@localhost>: Sender address rejected: User unknown",
            "550 5.1.8 <us@localhost>: Domain not found",
            "550 5.1.0 <us@localhost>: Mail from address rejected",
        ],
    )
    async def test_that_may_be_taken_another_time_fails(self, to_smtp, answer: str):
        with refusing_server(answer) as port:
            to_smtp(port)
            with pytest.raises(aiosmtplib.SMTPRecipientsRefused):
                await mail.post(a_delivery())

    async def test_fails_while_the_server_is_away(self, to_smtp):
        to_smtp(free_port())
        with pytest.raises(aiosmtplib.SMTPException):
            await mail.post(a_delivery())


@contextmanager
def shown(
    certificate: tuple[str, ...] | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Letters, int]]:
    """A mail server with this certificate, which its system trusts; None: it offers no TLS."""
    tls = None if certificate is None else signed_by_itself(folder, *certificate)
    if tls:
        monkeypatch.setenv("SSL_CERT_FILE", str(folder / certificates.NAME))
    with smtp_server(tls=tls) as server:
        yield server


class TestEncryption:
    async def test_is_what_a_letter_travels_by(self, to_smtp, tmp_path: Path, monkeypatch):
        with shown(OF_THIS_MACHINE, tmp_path, monkeypatch) as (letters, port):
            to_smtp(port, starttls=True)
            await mail.post(a_letter())
        assert LINK in text_of(letters.all[0])

    @pytest.mark.parametrize(
        ("certificate", "failure"),
        [(OF_ANOTHER, ssl.SSLCertVerificationError), (None, aiosmtplib.SMTPException)],
        ids=["of another", "none"],
    )
    async def test_that_is_not_with_the_server_ends_the_talk(
        self,
        to_smtp,
        tmp_path: Path,
        monkeypatch,
        certificate: tuple[str, ...] | None,
        failure: type[Exception],
    ):
        with shown(certificate, tmp_path, monkeypatch) as (letters, port):
            to_smtp(port, starttls=True)
            with pytest.raises(failure):
                await mail.post(a_letter())
        assert letters.all == []

    async def test_with_a_server_that_nobody_trusts_leaves_the_letter_in_the_queue(
        self, to_smtp, tmp_path: Path, database: str
    ):
        query = "select attempts, status from procrastinate_jobs"
        with (
            smtp_server(tls=signed_by_itself(tmp_path, *OF_THIS_MACHINE)) as (letters, port),
            psycopg.connect(database, autocommit=True) as beside,
        ):
            to_smtp(port, starttls=True)
            async with transaction() as session:
                await mail.send(session, a_letter())
            async with a_worker():
                await until(lambda: beside.execute(query).fetchall() == [(1, "todo")])
        assert letters.all == []


@pytest.fixture
async def the_outbox(tmp_path, monkeypatch):
    """The development outbox as browsers see it, empty."""
    monkeypatch.setattr(settings(), "data_dir", tmp_path)
    app = httpx.ASGITransport(Starlette(routes=outbox.ROUTES))
    async with httpx.AsyncClient(transport=app, base_url="http://localhost") as browser:
        yield browser


class TestOutbox:
    async def test_shows_a_letter_and_hands_out_its_file(self, the_outbox):
        await mail.post(a_delivery(), A_FILE)
        page = (await the_outbox.get("/dev/outbox")).text
        assert escape(A_CODE) in page
        link = re.search(r'href="(/dev/outbox/[^"]+)">receipt-COIN-1-Å.pdf<', page)[1]
        file = await the_outbox.get(link)
        assert file.content == A_FILE.content
        assert file.headers["content-type"] == "application/pdf"
        assert file.headers["content-disposition"].startswith("attachment; ")

    @pytest.mark.parametrize("path", ["x.eml/0", "..%2fsecret/0", "%2e%2e/0"])
    async def test_hands_out_nothing_else(self, the_outbox, tmp_path, path: str):
        (tmp_path / "secret").write_text("secret")
        assert (await the_outbox.get(f"/dev/outbox/{path}")).status_code == 404

    async def test_a_letter_without_files_has_none(self, the_outbox):
        await mail.post(a_letter())
        [letter] = mail.outbox().glob("*.eml")
        assert (await the_outbox.get(f"/dev/outbox/{letter.name}/0")).status_code == 404
