"""Of several workers each knows which one it is: what is to be done once is done by one of them.

Nobody relies on it. A worker that hangs is not missed at once, so the others do what is its turn a
little later; and while the workers count themselves anew, two may do the same.
"""

from dataclasses import dataclass

import psycopg
import structlog

from rewards_app.core import live
from rewards_app.core.database import lookup_all
from rewards_app.core.errors import DomainError
from rewards_app.core.rounds import rounds

LOOK_EVERY_SECONDS = 5.0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Turn:
    number: int = 0
    of: int = 1

    @property
    def is_first(self) -> bool:
        return self.number == 0

    def has(self, key: int) -> bool:
        """Each key is one worker's."""
        return key % self.of == self.number


ALONE = Turn()
_turn = ALONE


def turn() -> Turn:
    return _turn


async def keep_counting() -> None:
    """Run for the life of a worker."""
    await rounds(count_once, LOOK_EVERY_SECONDS, "turns.not_counted")


async def count_once() -> None:
    """Among the workers that listen, the oldest goes first; who cannot tell acts as if alone."""
    global _turn
    try:
        listening = await lookup_all(
            "select pid from pg_stat_activity"
            " where application_name = %s and datname = current_database()"
            " order by backend_start, pid",
            (live.WORKER,),
        )
    except (DomainError, psycopg.Error) as failure:
        _log.warning("turns.not_counted", reason=type(failure).__name__)
        return
    pids = [pid for (pid,) in listening]
    own = live.heard_by()
    _turn = Turn(pids.index(own), len(pids)) if own in pids else ALONE
