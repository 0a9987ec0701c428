"""The development outbox: mails that went nowhere, readable in the browser. Never in production."""

import email
import email.policy
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from rewards_app.core import mail

STYLE = (
    "body{font:15px/1.5 system-ui;max-width:60ch;margin:2rem auto;padding:0 1rem}"
    "pre{white-space:pre-wrap}"
)


async def outbox(_request: Request) -> Response:
    files = sorted(mail.outbox().glob("*.eml"), reverse=True)[:50]
    letters = "".join(map(_shown, files)) or "<p>No mails yet.</p>"
    return HTMLResponse(
        f"<!doctype html><title>Outbox</title><style>{STYLE}</style><h1>Outbox</h1>{letters}"
    )


def _shown(file: Path) -> str:
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    part = message.get_body(("plain",))
    body = escape(part.get_content()) if part else ""
    for word in body.split():
        if word.startswith(("http://", "https://")):
            body = body.replace(word, f'<a href="{word}">{word}</a>')
    return (
        f"<article><h2>{escape(message['Subject'])}</h2><p>{escape(message['To'])},"
        f" {escape(message['Date'])}</p><pre>{body}</pre></article>"
    )


ROUTES = [Route("/dev/outbox", outbox, methods=["GET"])]
