"""A request that comes twice under one key is carried out once."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.stripe.refusals import Refusal, key_in_use, other_parameters


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes | dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict[str, str])


class Keys:
    """The first answer under each key; none yet while its request is in progress."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[str, object] = {}
        self._answers: dict[str, Answer] = {}

    def once(self, key: str, asked: object, carry_out: Callable[[], Answer]) -> Answer:
        if not key:
            return carry_out()
        if len(key) > 255:
            raise Refusal("Idempotency keys can have up to 255 characters.")
        with self._lock:
            if key in self._asked:
                return self._again(key, asked)
            self._asked[key] = asked
        self._answers[key] = carry_out()
        return self._answers[key]

    def _again(self, key: str, asked: object) -> Answer:
        if self._asked[key] != asked:
            raise other_parameters(key)
        if key not in self._answers:
            raise key_in_use(key)
        first = self._answers[key]
        return Answer(first.status, first.body, {"Idempotent-Replayed": "true"})
