"""What waiting people are mailed, over a real mail server, and how they leave by it."""

from collections.abc import AsyncIterator
from email.header import decode_header, make_header
from email.message import EmailMessage

import httpx2 as httpx
import pytest
from starlette.applications import Starlette

from rewards_app.api import unsubscribe
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.mail import Letter, composed
from rewards_app.core.settings import settings
from rewards_app.features.waitlist import letters, links
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from tests.core.test_mail import a_worker, until
from tests.features.waitlist.test_joining import MAJA, entry_of, joins, waits
from tests.people import NOON
from tests.serving import smtp_server, text_of
from tests.waitlist import somebody_waits

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
async def browser(database: str) -> AsyncIterator[httpx.AsyncClient]:
    app = httpx.ASGITransport(Starlette(routes=unsubscribe.ROUTES))
    async with httpx.AsyncClient(transport=app, base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", letters.NAMES)
def test_each_letter_says_all_in_every_language(language: str, name: str):
    link, leave = "https://example.com/x", "https://example.com/leave"
    letter = Letter(MAJA, language, name, link, {"days": 7, "kept": 30}, unsubscribe=leave)
    said = text_of(composed(letter))
    assert "{{" not in said
    assert link in said
    assert leave in said


@pytest.fixture
async def to_smtp(database: str, monkeypatch) -> AsyncIterator[list[EmailMessage]]:
    """What really arrived, while jobs run."""
    with smtp_server() as (arrived, port):
        monkeypatch.setattr(settings(), "smtp_host", "127.0.0.1")
        monkeypatch.setattr(settings(), "smtp_port", port)
        monkeypatch.setattr(settings(), "smtp_starttls", False)
        async with a_worker():
            yield arrived.all


async def arrived_at(found: list[EmailMessage], email: str) -> EmailMessage:
    await until(lambda: any(one["To"] == email for one in found))
    return next(one for one in found if one["To"] == email)


def subject_of(mail: EmailMessage) -> str:
    return str(make_header(decode_header(mail["Subject"])))


class TestARealMail:
    async def test_asks_whether_the_address_is_meant(self, to_smtp):
        # Its clock queues the day's sweep, too, which forgets who asked long ago.
        await joins(language="sv", at=(now := utc_now()))
        mail, entry = await arrived_at(to_smtp, MAJA), await waits()
        swedish = catalogues.mails("sv")
        assert subject_of(mail) == swedish["mails.waitlist_confirm.subject"]
        assert links.to_confirm(entry.id, now) in text_of(mail)
        assert mail["List-Unsubscribe"] == f"<{links.to_leave(entry.id, 'sv')}>"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert mail["Auto-Submitted"] == "auto-generated"

    async def test_tells_that_the_doors_are_open(self, to_smtp):
        entry = await somebody_waits(MAJA)
        async with transaction() as session:
            await letters.tell_open(session, entry.id, MAJA, "de")
        mail = await arrived_at(to_smtp, MAJA)
        assert subject_of(mail) == catalogues.mails("de")["mails.waitlist_open.subject"]
        assert f"{settings().origin}/auth?mode=signup" in text_of(mail)
        assert mail["List-Unsubscribe"] == f"<{links.to_leave(entry.id, 'de')}>"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def leaving(entry_id, language: str = "sv") -> str:
    return f"{links.LEAVE}?token={links.leaving_token(entry_id, language)}"


class TestThePageToLeave:
    @pytest.mark.parametrize("language", CODES)
    async def test_asks_in_the_language_of_the_mail_and_changes_nothing(
        self, browser, language: str
    ):
        entry = await somebody_waits(MAJA)
        page = await browser.get(leaving(entry.id, language))
        says = catalogues.interface(language)
        assert page.status_code == 200
        assert f'<html lang="{language}">' in page.text
        assert says["unsubscribe.leave_list_title"].replace("'", "&#x27;") in page.text
        assert page.headers["X-Robots-Tag"] == "noindex"
        assert await entry_of()

    async def test_leaves_by_its_button_and_says_so_again_later(self, browser):
        entry = await somebody_waits(MAJA)
        for answer in (
            await browser.post(leaving(entry.id)),
            await browser.post(leaving(entry.id)),
            await browser.get(leaving(entry.id)),
        ):
            assert answer.status_code == 200
            assert "Du står inte längre på väntelistan" in answer.text
            assert "<form" not in answer.text
        assert await entry_of() is None

    async def test_leaves_by_one_click_of_a_mail_program(self, browser):
        entry = await somebody_waits(MAJA)
        answer = await browser.post(leaving(entry.id), data=ONE_CLICK)
        assert answer.status_code == 200
        assert await entry_of() is None

    async def test_knows_no_link_of_another_purpose_nor_a_forged_one(self, browser):
        entry = await somebody_waits(MAJA)
        confirming = links.confirming_token(entry.id, NOON)
        for token in ("", "x" * 50, confirming, links.leaving_token(new_id(), "sv")[:-1]):
            answer = await browser.post(f"{links.LEAVE}?token={token}", data=ONE_CLICK)
            assert answer.status_code == 404
        assert await entry_of()
