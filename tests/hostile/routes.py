"""The HTTP routes as a schema: made from the route table and from what the endpoints look at."""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from starlette.convertors import IntegerConvertor, UUIDConvertor
from starlette.routing import BaseRoute, Mount, Route

from rewards_app.rewards_app import http_routes

QUERY = re.compile(r"""query_params(?:\.get\(|\[)["'](\w+)["']""")
NAMES = re.compile(r"query_params\.get\(name, \S+ for name in \(([^)]*)\)")
OF_PROVIDERS = ("code", "error", "state")
"""What a library of theirs looks at."""
HEADER = re.compile(r"""headers\.get\(\s*["']([\w-]+)["']""")
KINDS: dict[type, dict[str, Any]] = {
    UUIDConvertor: {"type": "string", "format": "uuid"},
    IntegerConvertor: {"type": "integer", "minimum": 0},
}
OF_KIND = {"purchase_id": "purchases", "top_up_id": "top_ups", "view_id": "ad_views"}
"""In which table that lies which a path names."""
TEXT = {"type": "string"}
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def routes(found: Iterable[BaseRoute], prefix: str = "") -> Iterator[tuple[str, Route]]:
    for one in found:
        if isinstance(one, Mount):
            yield from routes(one.routes, prefix + one.path)
        elif isinstance(one, Route):
            yield prefix + one.path_format, one


def schema() -> dict[str, Any]:
    """What OpenAPI says of each route: its methods, and what of a request it reads."""
    paths: dict[str, Any] = {}
    for path, route in routes(http_routes()):
        for method in sorted((route.methods or set()) & METHODS):
            paths.setdefault(path, {})[method.lower()] = _operation(route, method)
    return {"openapi": "3.0.3", "info": {"title": "Routes", "version": "1"}, "paths": paths}


def _operation(route: Route, method: str) -> dict[str, Any]:
    module = inspect.getmodule(route.endpoint)
    assert module
    source = inspect.getsource(module)
    in_path = [
        _parameter(name, "path", KINDS.get(type(kind), TEXT))
        for name, kind in route.param_convertors.items()
    ]
    listed = [name for names in NAMES.findall(source) for name in re.findall(r"\w+", names)]
    asked = {*QUERY.findall(source), *listed, *OF_PROVIDERS}
    headers = {"accept-language", *HEADER.findall(source)}
    found: dict[str, Any] = {
        "parameters": [
            *in_path,
            *(_parameter(name, "query", TEXT) for name in sorted(asked)),
            *(_parameter(name, "header", TEXT) for name in sorted(headers)),
        ],
        "responses": {"default": {"description": "whatever the route says"}},
    }
    if method != "GET":
        kinds = ("application/json", "application/x-www-form-urlencoded", "text/plain")
        anything = {"schema": {"type": "object", "additionalProperties": True}}
        found["requestBody"] = {"content": dict.fromkeys(kinds, anything)}
    return found


def _parameter(name: str, place: str, kind: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": kind}
