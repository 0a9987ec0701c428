"""Whether mails are taken: real servers that judge early, late, or not now, and are sent none."""

import asyncio
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from rewards_app.core.settings import Settings
from rewards_app.doctor.findings import Finding, Kind
from rewards_app.doctor.mail_server import ELSEWHERE, mail
from tests.serving import Letters, smtp_server
from tools.ports import free_port

PASSWORD = "the right one"  # pragma: allowlist secret
OURS, OF_OTHERS = "us@play.example.com", "us@example.com"
SUPPORT = "support@play.example.com"
NOT_OURS = "553 5.7.1 Sender address rejected: not owned by user"


def with_settings(**chosen: Any) -> Settings:
    return Settings(_env_file=None, **chosen)  # pyright: ignore


def to(port: int, **changes: Any) -> Settings:
    known = {"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_starttls": False}
    return with_settings(**known | changes)


class Judging(Letters):
    """What it answers to a mail's sender and to each it is for; a sender that it refuses, late."""

    def __init__(self, sender: str = "", refused: str = "", **recipients: str) -> None:
        super().__init__()
        self.sender, self.refused = sender, refused
        self.recipients = recipients
        self.heard: list[str] = []

    async def handle_MAIL(
        self, _server: Any, _session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        self.heard.append(address)
        if self.sender:
            return self.sender
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(
        self, _server: Any, _session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        self.heard.append(address)
        if self.refused and envelope.mail_from == self.refused:
            return NOT_OURS
        if answer := self.recipients.get(address.partition("@")[0]):
            return answer
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 OK"


async def told_by(server: Judging, sender: str = OURS) -> Finding:
    with smtp_server(letters=server) as (letters, port):
        found = await mail(to(port, mail_from=f"WatchCoins <{sender}>", support_email=SUPPORT))
    assert letters.all == []
    return found


class TestAServer:
    async def test_that_would_take_a_mail_is_fine_and_is_sent_none(self):
        server = Judging()
        found = await told_by(server)
        assert (found.kind, "lets us in, and our sender" in found.what) == (Kind.FINE, True)
        assert server.heard == [OURS, OURS, ELSEWHERE]

    async def test_that_is_away_is_wrong(self):
        port = free_port()
        found = await mail(to(port))
        assert (found.kind, f"127.0.0.1:{port}" in found.what) == (Kind.WRONG, True)

    async def test_without_the_encryption_that_is_asked_for_is_wrong(self):
        with smtp_server() as (_, port):
            found = await mail(to(port, smtp_starttls=True))
        assert found.kind is Kind.WRONG

    @pytest.mark.parametrize(("given", "kind"), [(PASSWORD, Kind.FINE), ("no", Kind.WRONG)])
    async def test_is_shown_the_password_and_the_reader_is_not(self, given: str, kind: Kind):
        found = await _signing_in(smtp_username="app", smtp_password=given)
        assert found.kind is kind
        assert given not in found.what.split()
        if kind is Kind.WRONG:
            assert "refuses SMTP_USERNAME" in found.what

    async def test_that_wants_a_password_first_says_nothing_of_the_sender(self):
        found = await _signing_in()
        assert found.kind is Kind.WRONG
        assert "wants more first (530: 5.7.0 Authentication required)" in found.what
        assert "MAIL_FROM" not in found.what

    async def test_that_is_none_of_mail_is_wrong(self):
        async def greets(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"* OK IMAP4rev1 at your service\r\n")
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(greets, "127.0.0.1", 0) as server:
            found = await mail(to(server.sockets[0].getsockname()[1]))
        assert (found.kind, "turns us away" in found.what) == (Kind.WRONG, True)

    async def test_that_is_not_set_is_worth_knowing(self):
        assert (await mail(with_settings())).kind is Kind.WORTH_KNOWING


class TestOurSender:
    @pytest.mark.parametrize(
        ("server", "says"),
        [(Judging(sender=NOT_OURS), "refuses"), (Judging(refused=OF_OTHERS), "takes no mail of")],
        ids=["at once", "once it is known for whom"],
    )
    async def test_that_is_refused_is_wrong(self, server: Judging, says: str):
        """The second as Postfix and Exim do, where nobody has set them otherwise."""
        found = await told_by(server, OF_OTHERS)
        assert found.kind is Kind.WRONG
        assert (
            f"{says} us@example.com, the sender in MAIL_FROM"
            " (553: 5.7.1 Sender address rejected: not owned by user)"
        ) in found.what

    async def test_of_ours_is_taken_where_those_of_others_are_refused(self):
        assert (await told_by(Judging(refused=OF_OTHERS))).kind is Kind.FINE

    @pytest.mark.parametrize(
        "answer",
        [
            "550 5.1.1 User unknown",
            "550 Unrouteable address",
            "450 4.1.1 <us@play.example.com>: Recipient address rejected: unverified address",
        ],
    )
    async def test_that_has_no_mailbox_is_fine_where_others_are_reached(self, answer: str):
        server = Judging(us=answer)
        assert (await told_by(server)).kind is Kind.FINE
        assert server.heard == [OURS, OURS, SUPPORT, ELSEWHERE]

    @pytest.mark.parametrize(
        "denied",
        [
            "554 5.7.1 <nobody@example.com>: Relay access denied",
            "454 4.7.1 <nobody@example.com>: Relay access denied",
            "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain",
            "550 relay not permitted",
        ],
    )
    async def test_that_reaches_nobody_elsewhere_is_wrong_with_the_words_of_the_server(
        self, denied: str
    ):
        """As Postfix, Exchange and Exim say it; the first one by itself for now, and for ever."""
        for server in (Judging(nobody=denied), Judging(us=denied, support=denied)):
            found = await told_by(server)
            assert found.kind is Kind.WRONG
            assert f"takes no mail for other houses ({denied[:3]}: {denied[4:]})" in found.what
            assert "see SMTP_USERNAME" in found.what

    async def test_is_fine_where_one_elsewhere_is_refused_for_its_own_sake(self):
        assert (await told_by(Judging(nobody="550 5.1.10 Null MX"))).kind is Kind.FINE

    async def test_whose_house_nobody_finds_is_wrong_though_it_is_refused_for_now(self):
        unknown = "450 4.1.8 <us@play.example.com>: Sender address rejected: Domain not found"
        found = await told_by(Judging(us=unknown, support=unknown))
        assert (found.kind, "the sender in MAIL_FROM (450: 4.1.8" in found.what) == (
            Kind.WRONG,
            True,
        )

    async def test_is_not_to_blame_where_nobody_has_the_address_of_support(self):
        unknown = "550 5.1.1 User unknown"
        found = await told_by(Judging(us=unknown, support=unknown))
        assert found.kind is Kind.WRONG
        assert f"knows no {SUPPORT}, our SUPPORT_EMAIL (550: 5.1.1" in found.what
        assert "MAIL_FROM" not in found.what

    @pytest.mark.parametrize(
        "server",
        [
            Judging(sender="451 4.3.0 Temporary lookup failure"),
            Judging(us="451 4.3.0 Greylisted", support="451 4.3.0 Greylisted"),
            Judging(us="550 5.1.1 User unknown", support="451 4.3.0 Greylisted"),
        ],
        ids=["at once", "later", "last"],
    )
    async def test_is_not_to_blame_where_it_is_refused_for_now(self, server: Judging):
        found = await told_by(server)
        assert found.kind is Kind.WORTH_KNOWING
        assert "says not now (451: 4.3.0 " in found.what
        assert "MAIL_FROM" not in found.what


async def _signing_in(**given: str) -> Finding:
    def knows(_server: Any, _session: Any, _envelope: Any, _how: str, data: Any) -> AuthResult:
        return AuthResult(success=data.password == PASSWORD.encode(), handled=False)

    controller = Controller(
        Letters(),
        hostname="127.0.0.1",
        port=free_port(),
        authenticator=knows,
        auth_required=True,
        auth_require_tls=False,
    )
    controller.start()
    try:
        return await mail(to(controller.port, **given))
    finally:
        controller.stop()
