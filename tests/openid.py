"""A real OpenID Connect provider on this machine, and what a bad one would do."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc.jwk import RSAKey

METADATA, KEYS = "/.well-known/openid-configuration", "/jwks"
LEAVING, EXCHANGE = "/oauth2/authorize", "/oauth2/token"


@contextmanager
def openid_provider(
    says: dict[str, Any] | None = None, *, shows_another_key: bool = False
) -> Generator[str]:
    """Its sign-in page asks for a subject. `says` stands in its metadata in place of the truth."""
    from oidc_provider_mock import app
    from werkzeug.serving import make_server

    provider: Any = app()
    _insist_on_pkce(provider)
    if says:
        _change_answers(provider, METADATA, lambda known: known | says)
    if shows_another_key:
        _change_answers(provider, KEYS, _another_key_of_the_same_name)
    server = make_server("localhost", 0, provider, threaded=True)
    serving = Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    serving.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def _change_answers(provider: Any, path: str, change: Any) -> None:
    from flask import request

    def changed(answer: Any) -> Any:
        if request.path == path:
            answer.set_data(json.dumps(change(answer.get_json())))
        return answer

    provider.after_request(changed)


def _another_key_of_the_same_name(known: dict[str, Any]) -> dict[str, Any]:
    [key] = known["keys"]
    return {"keys": [key | RSAKey.generate_key(2048).as_dict(private=False) | {"kid": key["kid"]}]}


def _insist_on_pkce(provider: Any) -> None:
    """A code is exchanged by whoever knows what its challenge was made of (RFC 7636), by S256."""
    from flask import jsonify, request

    challenges: dict[str, str] = {}

    def remember(answer: Any) -> Any:
        asked = request.args
        if request.path == LEAVING and asked.get("code_challenge_method") == "S256":
            for code in parse_qs(urlsplit(answer.location or "").query).get("code", []):
                challenges[code] = asked["code_challenge"]
        return answer

    def compare() -> Any:
        if request.path != EXCHANGE:
            return None
        shown = _challenge_of(request.form.get("code_verifier", ""))
        if shown == challenges.get(request.form.get("code", "")):
            return None
        return jsonify(error="invalid_grant"), 400

    provider.after_request(remember)
    provider.before_request(compare)


def _challenge_of(verifier: str) -> str:
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
