"""A PostgreSQL that is gone without a word: how long a connection goes on waiting for it.

A machine without power and a network that is cut say no goodbye. Left to itself, the system says
again for a quarter of an hour what is not taken, and where nothing is said it waits for ever.
"""

PATIENCE: dict[str, int] = {
    "connect_timeout": 5,
    # What was said and is not taken, in thousandths of a second: as far as Linux knows.
    "tcp_user_timeout": 15_000,
    # Where nothing is said the system asks, in seconds, and asks again.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""What each connection of a worker is made with. On one machine there is nothing to wait for."""
