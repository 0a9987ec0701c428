"""The development outbox: mails that went nowhere, readable in the browser. Never in production."""

import email
import email.policy
from email.message import EmailMessage
from html import escape
from pathlib import Path
from urllib.parse import quote

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


async def attachment(request: Request) -> Response:
    """One file of a letter, to be saved: a browser opens nothing from here."""
    kept = {file.name: file for file in mail.outbox().glob("*.eml")}
    letter, number = request.path_params["letter"], request.path_params["number"]
    files = list(_read(kept[letter]).iter_attachments()) if letter in kept else []
    if number >= len(files):
        return Response(status_code=404)
    return Response(
        files[number].get_payload(decode=True),
        media_type=files[number].get_content_type(),
        headers={"Content-Disposition": "attachment; filename*=UTF-8''" + _name(files[number])},
    )


def _read(file: Path) -> EmailMessage:
    return email.message_from_bytes(file.read_bytes(), policy=email.policy.default)


def _name(part: EmailMessage) -> str:
    return quote(part.get_filename("file"), safe="")


def _shown(file: Path) -> str:
    message = _read(file)
    part = message.get_body(("plain",))
    body = escape(part.get_content()) if part else ""
    for word in body.split():
        if word.startswith(("http://", "https://")):
            body = body.replace(word, f'<a href="{word}">{word}</a>')
    return (
        f"<article><h2>{escape(message['Subject'])}</h2><p>{escape(message['To'])},"
        f" {escape(message['Date'])}</p><pre>{body}</pre>{_files(file.name, message)}</article>"
    )


def _files(letter: str, message: EmailMessage) -> str:
    return "".join(
        f'<p><a href="/dev/outbox/{letter}/{number}">{escape(part.get_filename("file"))}</a></p>'
        for number, part in enumerate(message.iter_attachments())
    )


ROUTES = [
    Route("/dev/outbox", outbox, methods=["GET"]),
    Route("/dev/outbox/{letter}/{number:int}", attachment, methods=["GET"]),
]
