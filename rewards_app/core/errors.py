"""Refusals that people may see: a code that every catalogue translates, and its parameters.

Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Concatenate, ParamSpec, Self, TypeAlias, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")
Param: TypeAlias = str | int | Sequence[str]
"""A list holds keys: the browser translates each and joins them as its language does."""


class DomainError(Exception):
    """A rule said no. `code` names the text under `errors.` in every catalogue.

    `title` names the toast's title; texts that the specification prints without a title
    use the general one.
    """

    code: ClassVar[str]
    title: str = "errors.title"
    others: Sequence["DomainError"] = ()
    """What else is wrong with the same form: each names a field."""
    is_defect: bool = False
    """A handler broke, and these are the words in which it is told."""
    is_recorded: ClassVar[bool] = False
    """What was written before this refusal stays: that it happened is itself worth keeping."""

    def __init__(self, **params: Param) -> None:
        super().__init__(self.code)
        self.params = params

    @property
    def text_key(self) -> str:
        return f"errors.{self.code}"

    @property
    def faults(self) -> dict[str, "DomainError"]:
        """The fields that it is about, each with the first thing that is wrong there."""
        named = [one for one in (self, *self.others) if "field" in one.params]
        return {str(one.params["field"]): one for one in reversed(named)}

    def __str__(self) -> str:
        return f"{self.code} {self.params}" if self.params else self.code


class FieldRefused(DomainError):
    """What stands in one field of a form cannot be: the page says so beside that field."""

    def __init__(self, field: str, **params: Param) -> None:
        super().__init__(field=field, **params)


class Faults:
    """Reads a form field by field, and refuses all that are wrong at once: told is the first.

    What was read counts once the block has ended: before, a field that is wrong reads as None.
    """

    def __init__(self, form: Mapping[str, str] | None = None) -> None:
        self._form = form or {}
        self._found: list[DomainError] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, failure: BaseException | None, _where: object) -> None:
        if self._found and failure is None:
            first, *first.others = self._found
            raise first

    def field(
        self,
        read: Callable[Concatenate[str, str, P], T],
        name: str,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """What was typed in it, nothing included, as `read` understands it."""
        return self.read(read, self._form.get(name, ""), name, *args, **kwargs)

    def about(self, name: str, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Whatever is refused is wrong in this field, though the rule knows of no form."""

        def read_there() -> T:
            try:
                return read(*args, **kwargs)
            except DomainError as refusal:
                refusal.params.setdefault("field", name)
                raise

        return self.read(read_there)

    def read(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return read(*args, **kwargs)
        except DomainError as fault:
            if not fault.faults:
                raise
            self._found += (fault, *fault.others)
            return cast("T", None)


class Unexpected(DomainError):
    """A handler broke: a defect of ours, and nobody's fault who used it."""

    code = "unexpected"


class DoneNotShown(DomainError):
    """It was done, and then the page could not be told what is true now."""

    code = "done_not_shown"
    title = "errors.done_not_shown_title"


class BadArguments(DomainError):
    """A handler was called with something that its page never sends."""

    code = "bad_arguments"


class NotAllowed(DomainError):
    """The actor's role does not open this."""

    code = "not_allowed"


class AccountSuspended(DomainError):
    """Somebody decided that this account does nothing for now; it can read why, and appeal."""

    code = "account_suspended"


class NeedsSecondFactor(DomainError):
    """An admin whose account a password alone still opens: setting up a second factor is first."""

    code = "needs_second_factor"


class SessionExpired(DomainError):
    """The session ended on the server while its page was still open."""

    code = "session_expired"
    title = "errors.session_expired_title"


class SessionEnded(SessionExpired):
    """The same, but nobody was silent: it was signed out from elsewhere."""

    code = "session_ended"
    title = "errors.session_ended_title"


class TooManyAttempts(DomainError):
    """A rate limit was reached; `wait` is when the next attempt is accepted, in seconds."""

    code = "too_many_attempts"

    def __init__(self, *, seconds: int) -> None:
        super().__init__(count=max(1, -(-seconds // 60)))
        self.seconds = seconds


class StorageFull(DomainError):
    """The database has no room left: nothing was written."""

    code = "storage_full"


class StorageAway(DomainError):
    """The database does not answer right now, or takes nothing: nothing was written."""

    code = "storage_away"
