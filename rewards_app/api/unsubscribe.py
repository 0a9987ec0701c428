"""Switching off mails like the one that led here: a small page, and the click of a mail program.

Looking changes nothing: programs that check links follow each. What the link names is all that
it can switch, without signing in, and on again. Whoever waits for the doors to open leaves the
list, and nothing of them is kept.
"""

from collections.abc import Awaitable, Callable
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from rewards_app.api.callers import caller_of
from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.features.notifications import unsubscribing
from rewards_app.features.notifications.unsubscribing import PATH, Subscription
from rewards_app.features.waitlist import links as waitlist_links
from rewards_app.features.waitlist import service as waitlist
from rewards_app.features.waitlist.service import Leaving
from rewards_app.i18n import written
from rewards_app.i18n.languages import DEFAULT
from rewards_app.i18n.mail_text import words
from rewards_app.ui.palette import DARK, LIGHT

TRIES = limits.parse("120/minute")
"""An address may be that of a mail provider, whose people all unsubscribe through it."""
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
UNDO = "undo"


async def page(request: Request) -> Response:
    """What the link would switch off, and the button that does."""
    return await _answer(request, by_mail=None)


async def change(request: Request) -> Response:
    """Mail programs post here by themselves, from anywhere: the link is all that they know."""
    return await _answer(request, by_mail=UNDO in request.query_params)


async def _answer(request: Request, *, by_mail: bool | None) -> Response:
    token = request.query_params.get("token", "")
    try:
        await limits.spend(TRIES, "unsubscribe", caller_of(request).source)
        async with transaction() as session:
            if by_mail is None:
                found = await unsubscribing.find(session, token)
            else:
                found = await unsubscribing.choose(session, token, by_mail=by_mail)
    except DomainError:
        return _shown("busy", DEFAULT, status=503)
    if found is None:
        return _shown("unknown", DEFAULT, status=404)
    return _asked(found, token) if by_mail is None else _done(found, token)


def _asked(found: Subscription, token: str) -> Response:
    if not found.by_mail:
        return _done(found, token)
    return _shown("ask", found.language, _topics(found), _button("stop", found.language, token))


def _done(found: Subscription, token: str) -> Response:
    if found.by_mail:
        return _shown(
            "again", found.language, _topics(found), _button("stop", found.language, token)
        )
    button = _button(UNDO, found.language, f"{token}&{UNDO}=1")
    return _shown("done", found.language, _topics(found), button)


async def waiting_page(request: Request) -> Response:
    """Whether they still wait, and the button by which they leave."""
    return await _answer_waiting(request, waitlist.who_would_leave)


async def leave_list(request: Request) -> Response:
    """Mail programs post here, too."""

    async def leave(session: AsyncSession, token: str) -> Leaving | None:
        return await waitlist.leave(session, token, now=utc_now())

    return await _answer_waiting(request, leave)


async def _answer_waiting(
    request: Request, ask: Callable[[AsyncSession, str], Awaitable[Leaving | None]]
) -> Response:
    token = request.query_params.get("token", "")
    try:
        await limits.spend(TRIES, "unsubscribe", caller_of(request).source)
        async with transaction() as session:
            found = await ask(session, token)
    except DomainError:
        return _shown("busy", DEFAULT, status=503)
    if found is None:
        return _shown("unknown", DEFAULT, status=404)
    if not found.waits:
        return _shown("left_list", found.language)
    leave = _button("leave_list", found.language, token, waitlist_links.LEAVE)
    return _shown("leave_list", found.language, button=leave)


def _topics(found: Subscription) -> str:
    labels = [words(f"notifications.topics.{topic}", found.language) for topic in found.topics]
    return written.together(labels, found.language)


def _button(name: str, language: str, query: str, path: str = PATH) -> str:
    said = escape(words(f"unsubscribe.{name}", language))
    return (
        f'<form method="post" action="{path}?token={escape(query)}"><button>{said}</button></form>'
    )


def _shown(
    name: str, language: str, topics: str = "", button: str = "", *, status: int = 200
) -> Response:
    title = escape(words(f"unsubscribe.{name}_title", language))
    text = escape(words(f"unsubscribe.{name}_text", language, topics=topics))
    home = escape(words("unsubscribe.home", language))
    return HTMLResponse(
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title} ·'
        ' WatchCoins</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{STYLE}</style></head><body><main><p class="brand"><img src="/favicon.svg" alt=""'
        f' width="28" height="28"><b>WatchCoins</b></p><h1>{title}</h1>'
        f'<p>{text}</p>{button}<p><a href="/">{home}</a></p></main></body></html>',
        status_code=status,
        headers=PRIVATE,
    )


def _colours(theme: dict[str, str]) -> str:
    names = ("bg", "panel", "line", "text", "cyan", "purple-strong", "on-purple")
    return "".join(f"--{name}:{theme[name]};" for name in names)


STYLE = (
    f":root{{color-scheme:light;{_colours(LIGHT)}}}"
    f"@media(prefers-color-scheme:dark){{:root{{color-scheme:dark;{_colours(DARK)}}}}}"
    "body{margin:0;padding:2rem 1rem;background:var(--bg);color:var(--text);"
    "font:16px/1.5 Inter,system-ui,sans-serif}"
    "main{max-width:32rem;margin:auto;padding:1.5rem;background:var(--panel);"
    "border:1px solid var(--line);border-radius:12px}"
    ".brand{display:flex;align-items:center;gap:.625rem;margin-top:0}"
    "h1{font-size:1.5rem;line-height:1.25}a{color:var(--cyan)}"
    "button{min-height:44px;padding:0 1.25rem;border:0;border-radius:8px;font:inherit;"
    "font-weight:600;background:var(--purple-strong);color:var(--on-purple);cursor:pointer}"
    "button:focus-visible,a:focus-visible{outline:2px solid var(--cyan);outline-offset:2px}"
)
ROUTES = [
    Route(PATH, page, methods=["GET"]),
    Route(PATH, change, methods=["POST"]),
    Route(waitlist_links.LEAVE, waiting_page, methods=["GET"]),
    Route(waitlist_links.LEAVE, leave_list, methods=["POST"]),
]
