"""What a handler declares: who may call it and which arguments it takes."""

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_type_hints
from uuid import UUID

import structlog
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)
from pydantic import create_model as model_of
from redis.exceptions import RedisError
from reflex.event import event as reflex_event
from reflex_base.utils.form import FORM_DATA_ENTRIES_KEY

from rewards_app.core import loads
from rewards_app.core.actor import EVERY_ROLE, Actor, Role
from rewards_app.core.errors import BadArguments, DomainError, StorageAway, StorageFull, Unexpected
from rewards_app.core.ids import ID_LENGTH
from rewards_app.core.watching import watch

_log = structlog.get_logger(__name__)

LONGEST_LINE = 300
LONGEST_FORM = 40

Handler = TypeVar("Handler", bound=Callable[..., Any])


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
"""What no keyboard sends, and the database partly refuses: control characters and halves of
characters."""


def cleaned(text: str) -> str:
    """With a blank for each of these, where nothing is refused."""
    return _UNPRINTABLE.sub(" ", text)


def _is_clean(text: str) -> str:
    if _UNPRINTABLE.search(text):
        raise ValueError("unprintable text")
    return text


Line = Annotated[str, StringConstraints(max_length=LONGEST_LINE), AfterValidator(_is_clean)]
"""One line of text from a page."""


LONGEST_ENTRY = 20_000

Entry = Annotated[str, StringConstraints(max_length=LONGEST_ENTRY), AfterValidator(_is_clean)]
"""What stands in one field, of whatever length: its own rule says beside it what is too long."""

LONGEST_SHEET = 500_000

Sheet = Annotated[str, StringConstraints(max_length=LONGEST_SHEET), AfterValidator(_is_clean)]
"""The text of a whole file from a page. `build.py` says how long a message of the socket may be."""


def _identifier(value: Any) -> Any:
    """Identifiers travel as text."""
    return UUID(value) if isinstance(value, str) and len(value) == ID_LENGTH else value


Identifier = Annotated[UUID, BeforeValidator(_identifier)]
"""The identifier of something of ours; whether it is the caller's own is asked where it is used."""

Seconds = Annotated[int, Field(ge=0, le=24 * 3600)]
"""A length of time that a page counted."""


def _without_entries(form: Any) -> Any:
    """A submitted form travels as ordered entries; the last one of a name counts."""
    entries = form.get(FORM_DATA_ENTRIES_KEY) if isinstance(form, dict) else None
    if not isinstance(entries, list) or len(entries) > LONGEST_FORM:
        return form
    return dict(entries) if all(isinstance(e, list) and len(e) == 2 for e in entries) else form


def _is_short(form: dict[str, str]) -> dict[str, str]:
    if len(form) > LONGEST_FORM:
        raise ValueError("too many fields")
    return form


Form = Annotated[dict[Line, Line], BeforeValidator(_without_entries), AfterValidator(_is_short)]
"""The fields of a submitted form."""

LongForm = Annotated[
    dict[Line, Entry], BeforeValidator(_without_entries), AfterValidator(_is_short)
]
"""The same where each field says itself what is wrong with it."""

TypedForm = Annotated[
    dict[Line, Annotated[str, StringConstraints(max_length=LONGEST_ENTRY)]],
    BeforeValidator(_without_entries),
    AfterValidator(_is_short),
]
"""The same with whatever was typed: only for rules that name each character they let through."""


@dataclass(frozen=True, slots=True)
class Access:
    """Who may call a handler. `is_passive` calls come by themselves and keep no session alive.

    Who is suspended calls what everybody may, and what is declared for them. What `is_asked_again`
    is asked by its page until there is an answer.
    """

    roles: frozenset[Role]
    visitors: bool
    is_passive: bool
    even_suspended: bool
    is_asked_again: bool
    arguments: type[BaseModel]

    def admits(self, actor: Actor | None) -> bool:
        return self.visitors if actor is None else actor.role in self.roles

    def passes_over(self, failure: Exception) -> bool:
        """Not worth a word: until the database takes something again, the page waits for it."""
        return self.is_asked_again and isinstance(failure, (StorageAway, StorageFull))

    def checked(self, payload: object) -> dict[str, Any]:
        """The arguments with their declared types, or BadArguments."""
        try:
            return vars(self.arguments.model_validate(payload))
        except (ValidationError, RecursionError, TypeError):
            raise BadArguments from None


_declared: dict[Callable[..., Any], Access] = {}


def access_of(function: Callable[..., Any]) -> Access | None:
    """What `function` has declared, or what is wrapped in it."""
    return _declared.get(function) or _declared.get(inspect.unwrap(function))


def allow(
    *roles: Role, passive: bool = False, even_suspended: bool = False, asked_again: bool = False
) -> Callable[[Handler], Handler]:
    """Only signed-in people with one of `roles` may call the handler."""
    return _declaring(
        frozenset(roles),
        visitors=False,
        passive=passive,
        even_suspended=even_suspended,
        asked_again=asked_again,
    )


def signed_in(
    *, passive: bool = False, even_suspended: bool = False
) -> Callable[[Handler], Handler]:
    """Everybody with a session may call the handler."""
    return _declaring(EVERY_ROLE, visitors=False, passive=passive, even_suspended=even_suspended)


def public(*, passive: bool = False) -> Callable[[Handler], Handler]:
    """Anybody may call the handler, visitors too."""
    return _declaring(EVERY_ROLE, visitors=True, passive=passive, even_suspended=True)


def visitors_only(*, passive: bool = False) -> Callable[[Handler], Handler]:
    """Only people without a session may call the handler."""
    return _declaring(frozenset(), visitors=True, passive=passive, even_suspended=False)


def _declaring(
    roles: frozenset[Role],
    *,
    visitors: bool,
    passive: bool,
    even_suspended: bool,
    asked_again: bool = False,
) -> Callable[[Handler], Handler]:
    def declare(function: Handler) -> Handler:
        arguments = _arguments_of(function)
        called = _refusals_become_notices(function)
        declared = Access(roles, visitors, passive, even_suspended, asked_again, arguments)
        _declared[function] = _declared[called] = declared
        return reflex_event(called)  # pyright: ignore

    return declare


def _arguments_of(function: Callable[..., Any]) -> type[BaseModel]:
    """A strict model of the handler's parameters; a plain `str` is a Line, a dict a Form."""
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        hint = {str: Line, dict: Form, dict[str, str]: Form, dict[str, Any]: Form}.get(
            hints[parameter.name], hints[parameter.name]
        )
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[parameter.name] = (hint, default)
    config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    return model_of(f"{function.__qualname__}.arguments", __config__=config, **fields)


def _refusals_become_notices(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the handler: a DomainError is shown to the person and changes nothing else."""
    if inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def steps(self: Any, **arguments: Any) -> Any:
            with watch.Run(function.__qualname__):
                try:
                    async for step in function(self, **arguments):
                        yield step
                except Exception as failure:
                    _tell(self, function, failure)

        return steps

    @functools.wraps(function)
    async def call(self: Any, **arguments: Any) -> Any:
        with watch.Run(function.__qualname__):
            try:
                return await function(self, **arguments)
            except Exception as failure:
                _tell(self, function, failure)
                return None

    return call


def _tell(state: Any, function: Callable[..., Any], failure: Exception) -> None:
    """A page that lacks what it should show says so in its place, whatever the reason."""
    is_load = loads.is_one(function)
    access = access_of(function)
    if isinstance(failure, DomainError) and not failure.is_defect:
        watch.REFUSALS.labels(failure.code).inc()
    else:
        watch.BROKEN.labels(function.__qualname__).inc()
    if access and access.passes_over(failure):
        return
    if isinstance(failure, DomainError):
        state._refuse(failure)
    elif is_load and not isinstance(failure, RedisError):
        _log.error("handler.broke", exc_info=failure)
        failure = Unexpected()
        state._refuse(failure)
    else:
        raise failure
    if is_load and isinstance(failure, loads.TROUBLES):
        state._miss()
