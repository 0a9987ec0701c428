"""Which functions of ours read text that somebody else wrote, found in the code itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2]
APP = PROJECT / "rewards_app"
NAMED = "_from"
"""Our word for them: `email_from(raw)`, `plan_from(form)`."""
TEXT = {"str", "str | None", "bytes", "object", "Mapping[str, str]", "Mapping[str, Any]"}
READERS = {
    *("int", "float", "Decimal", "UUID", "ZoneInfo", "ip_address", "ip_network", "loads"),
    *("b64decode", "urlsafe_b64decode", "fromhex", "base64url_to_bytes", "fromisoformat"),
    *("strptime", "urlsplit", "urlparse", "parse_qs", "parse_qsl", "unquote", "parse"),
    *("validate_email", "reader", "message_from_bytes", "message_from_string", "cookie_parser"),
    *("parse_registration_credential_json", "parse_authentication_credential_json"),
}
"""What turns text into something else, and raises if it cannot."""


def readers() -> Iterator[str]:
    """`module.function` of each that is named as one, or hands a text it was given to a reader."""
    for file in sorted(APP.rglob("*.py")):
        module = ".".join(file.relative_to(APP).with_suffix("").parts)
        for function in ast.parse(file.read_text("utf-8")).body:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and _reads(function):
                yield f"{module}.{function.name}"


def _reads(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    texts = {
        one.arg
        for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        if one.annotation and ast.unparse(one.annotation) in TEXT
    }
    if texts and function.name.endswith(NAMED):
        return True
    calls = (part for part in ast.walk(function) if isinstance(part, ast.Call))
    return any(_name_of(call) in READERS and texts & _names_in(call) for call in calls)


def _name_of(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _names_in(call: ast.Call) -> set[str]:
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    return {name.id for part in parts for name in ast.walk(part) if isinstance(name, ast.Name)}
