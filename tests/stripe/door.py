"""HTTP in and out, one thread a connection; no answer means that the connection is cut."""

import base64
import binascii
import json
import ssl
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import stripe

from tests.stripe.idempotency import Answer
from tests.stripe.objects import identifier


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    form: dict[str, str]
    idempotency_key: str = ""
    api_key: str = field(default="", repr=False)
    is_form: bool = True


def _asked(method: str, target: str, headers: Message, body: bytes) -> Asked:
    address = urlsplit(target)
    sent = body.decode("utf-8", "replace") if method == "POST" else address.query
    kind = headers.get("Content-Type", "application/x-www-form-urlencoded")
    return Asked(
        method,
        address.path,
        dict(parse_qsl(sent, keep_blank_values=True)),
        headers.get("Idempotency-Key", ""),
        _api_key(headers.get("Authorization", "")),
        kind.split(";")[0].strip().lower() == "application/x-www-form-urlencoded",
    )


def _api_key(authorization: str) -> str:
    """As a bearer's token or as a user's name without a password."""
    kind, _, said = authorization.partition(" ")
    if kind == "Bearer":
        return said
    try:
        user = base64.b64decode(said, validate=True) if kind == "Basic" else b""
    except binascii.Error:
        return ""
    return user.decode("utf-8", "replace").partition(":")[0]


class Door:
    """Listens on a free port of this machine."""

    def __init__(
        self, answer: Callable[[Asked], Answer | None], is_open: Callable[[], bool]
    ) -> None:
        class Visit(_Visit):
            answer_to = staticmethod(answer)

        class Server(_Server):
            def verify_request(self, request: Any, client_address: Any) -> bool:
                return is_open()

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that was cut off in the middle is no defect of Stripe's."""
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(request, client_address)

        self._server = Server(("127.0.0.1", 0), Visit)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def speak_tls(self, tls: ssl.SSLContext) -> None:
        self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"https://127.0.0.1:{self._server.server_port}"

    def open(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    request_queue_size = 1024


class _Visit(BaseHTTPRequestHandler):
    answer_to: Callable[[Asked], Answer | None]

    def do_GET(self) -> None:
        self._respond(b"")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        # Of somebody who died while asking: what was never said in full is not carried out.
        if len(body) == length:
            self._respond(body)

    def do_DELETE(self) -> None:
        self._respond(b"")

    def _respond(self, body: bytes) -> None:
        asked = _asked(self.command, self.path, self.headers, body)
        answer = type(self).answer_to(asked)
        if answer is not None:
            self._write(answer, asked)

    def _write(self, answer: Answer, asked: Asked) -> None:
        said = answer.body
        body = said if isinstance(said, bytes) else json.dumps(said, indent=2).encode()
        kind = "application/json" if asked.path.startswith("/v1/") else "text/html; charset=utf-8"
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Request-Id": identifier("req_", 14),
            "Stripe-Version": stripe.api_version,
            **({"Idempotency-Key": asked.idempotency_key} if asked.idempotency_key else {}),
            **answer.headers,
        }
        self.send_response(answer.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests look at `requests` instead."""
