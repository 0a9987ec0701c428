"""Letters in the recipient's language, sent by a job, again if the server is away."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from rewards_app.core import jobs, mail
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from tests.serving import free_port, smtp_server, text_of

LINK = "http://localhost:8300/auth?mode=verify&token=abc"


def a_letter(**changes: str) -> mail.Letter:
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
        assert mail.composed(a_letter(language="xx"))["Subject"] == "Verify your email"

    def test_the_page_carries_the_link_and_no_placeholder(self):
        html = mail.composed(a_letter()).get_body(("html",)).get_content()
        assert LINK.replace("&", "&amp;") in html
        assert "{" not in html.partition("<body")[2]


@asynccontextmanager
async def a_worker():
    """Runs jobs while the block runs."""
    worker = asyncio.create_task(jobs.work())
    try:
        yield
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


async def until(is_done, *, seconds: float = 20) -> None:
    for _ in range(int(seconds * 10)):
        if is_done():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not happen")


@pytest.fixture
def to_smtp(monkeypatch):
    """Mail goes to the port that is chosen."""

    def choose(port: int) -> None:
        monkeypatch.setattr(settings(), "smtp_host", "127.0.0.1")
        monkeypatch.setattr(settings(), "smtp_port", port)
        monkeypatch.setattr(settings(), "smtp_starttls", False)

    return choose


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

    async def test_waits_for_a_server_that_is_away(self, to_smtp, monkeypatch):
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

    async def test_without_a_server_stays_in_the_outbox(self):
        async with transaction() as session:
            await mail.send(session, a_letter())
        async with a_worker():
            await until(lambda: list(mail.outbox().glob("*.eml")))
