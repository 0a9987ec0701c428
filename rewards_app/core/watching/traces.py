"""Traces by OpenTelemetry: where time goes, and nothing of people.

Off unless an endpoint is set: else nothing of it is imported here, and a span is one look at a
name.
Instead of the ready instruments, which tell of addresses, queries and parameters, each place that
is worth a span names it, and what it says of itself.
"""

from collections.abc import Generator, Mapping, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal

from rewards_app.core.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer
    from sqlalchemy import Engine

Kind = Literal["internal", "server", "client", "consumer"]
LONGEST_STATEMENT = 400

_provider: "TracerProvider | None" = None
_tracer: "Tracer | None" = None
_in_statement: ContextVar["Span | None"] = ContextVar("in_statement", default=None)


def begin(chosen: Settings) -> None:
    """Send spans to the endpoint from here on, if the settings name one."""
    global _provider, _tracer
    if not chosen.otel_exporter_otlp_endpoint or _provider:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    _provider = TracerProvider(
        resource=Resource.create({"service.name": "watchcoins", "service.version": _version()}),
        sampler=ParentBased(TraceIdRatioBased(chosen.trace_share)),
        shutdown_on_exit=False,
    )
    address = f"{chosen.otel_exporter_otlp_endpoint}/v1/traces"
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))
    _tracer = _provider.get_tracer("rewards_app")


def end() -> None:
    """Send what still waits."""
    global _provider, _tracer
    if _provider:
        _provider.shutdown()
    _provider = _tracer = None


def _version() -> str:
    try:
        return version("rewards-app")
    except PackageNotFoundError:
        return ""


_NO_SPAN = nullcontext()


def span(
    name: str, kind: Kind = "internal", **told: str | int
) -> AbstractContextManager["Span | None"]:
    """What happens within, under `name`; of what went wrong in it, the kind of error alone."""
    return _span(_tracer, name, kind, told) if _tracer else _NO_SPAN


@contextmanager
def _span(
    tracer: "Tracer", name: str, kind: Kind, told: Mapping[str, str | int]
) -> Generator["Span | None"]:
    with tracer.start_as_current_span(
        name,
        kind=_kind(kind),
        attributes={key.replace("__", "."): value for key, value in told.items()},
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield current
        except Exception as failure:
            _note_failure(current, failure)
            raise


def _kind(kind: Kind) -> Any:
    from opentelemetry.trace import SpanKind

    return SpanKind[kind.upper()]


def _note_failure(current: "Span", failure: BaseException) -> None:
    """An exception's words may be somebody's."""
    from opentelemetry.trace import StatusCode

    current.set_status(StatusCode.ERROR)
    current.set_attribute("error.type", type(failure).__name__)


def follow(engine: "Engine") -> None:
    """A span for each statement of the engine: its words, and none of its values."""
    if _tracer is None:
        return
    from sqlalchemy import event

    event.listen(engine, "before_cursor_execute", _statement_begins)
    event.listen(engine, "after_cursor_execute", _statement_ends)
    event.listen(engine, "handle_error", _statement_fails)


def _statement_begins(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
    if _tracer:
        began = _tracer.start_span(
            f"sql {statement.split(maxsplit=1)[0].lower()}",
            kind=_kind("client"),
            attributes=of_statement(statement),
        )
        _in_statement.set(began)


def _statement_ends(*_: Any) -> None:
    if began := _in_statement.get():
        began.end()
        _in_statement.set(None)


def _statement_fails(context: Any) -> None:
    if began := _in_statement.get():
        _note_failure(began, context.original_exception)
        began.end()
        _in_statement.set(None)


def of_statement(statement: str) -> dict[str, str]:
    words = " ".join(statement.split())[:LONGEST_STATEMENT]
    return {"db.system.name": "postgresql", "db.query.text": words}


@contextmanager
def statement_span(statement: str) -> Generator[None]:
    """The same for a statement beside the engine."""
    if _tracer is None:
        yield
        return
    name = f"sql {statement.split(maxsplit=1)[0].lower()}"
    with span(name, "client") as current:
        if current:
            current.set_attributes(of_statement(statement))
        yield


def with_trace_id(
    _logger: Any, _method: str, line: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """A line of the log says in which trace it was written."""
    if _tracer is None:
        return line
    from opentelemetry.trace import format_trace_id, get_current_span

    found = get_current_span().get_span_context()
    if found.is_valid:
        line["trace_id"] = format_trace_id(found.trace_id)
    return line
