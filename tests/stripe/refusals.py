"""What Stripe says when it refuses."""

from typing import Any


class Refusal(Exception):
    """Stripe's error: an HTTP status and an object that says what is wrong with what."""

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        status: int = 400,
        kind: str = "invalid_request_error",
    ) -> None:
        super().__init__(message)
        self.status = status
        said = {"code": code, "message": message, "param": param, "type": kind}
        if code:
            said["doc_url"] = f"https://stripe.com/docs/error-codes/{code.replace('_', '-')}"
        self.body: dict[str, Any] = {"error": {name: it for name, it in said.items() if it}}


def unknown(param: str) -> Refusal:
    return Refusal(f"Received unknown parameter: {param}", code="parameter_unknown", param=param)


def missing(param: str) -> Refusal:
    return Refusal(f"Missing required param: {param}.", code="parameter_missing", param=param)


def no_such(kind: str, identifier: str, *, param: str = "id") -> Refusal:
    return Refusal(
        f"No such {kind}: '{identifier}'", code="resource_missing", param=param, status=404
    )


def no_such_address(method: str, path: str) -> Refusal:
    return Refusal(f"Unrecognized request URL ({method}: {path}).", status=404)


def not_a_form() -> Refusal:
    return Refusal(
        "Invalid request (check that your POST content type is application/x-www-form-urlencoded)."
    )


def no_key() -> Refusal:
    return Refusal("You did not provide an API key.", status=401)


def wrong_key(key: str) -> Refusal:
    return Refusal(f"Invalid API Key provided: {key[:8]}{'*' * len(key[8:])}", status=401)


def not_permitted(key: str, right: str) -> Refusal:
    return Refusal(
        f"The provided key '{key[:8]}{'*' * len(key[8:])}' does not have the required permissions"
        f" for this endpoint. Having the '{right}' permission would allow this request to"
        " continue.",
        status=403,
    )


def other_parameters(key: str) -> Refusal:
    return Refusal(
        "Keys for idempotent requests can only be used with the same parameters they were first "
        f"used with. Try using a key other than '{key}' if you meant to execute a different "
        "request.",
        kind="idempotency_error",
    )


def key_in_use(key: str) -> Refusal:
    return Refusal(
        f"There is currently another in-progress request using this Idempotent Key: {key}.",
        code="idempotency_key_in_use",
        status=409,
        kind="idempotency_error",
    )


def too_many_requests() -> Refusal:
    return Refusal("Too many requests hit the API too quickly.", code="rate_limit", status=429)


def broken() -> Refusal:
    return Refusal("An unknown error occurred.", status=500, kind="api_error")
