"""Sessions as their owner reads them."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from rewards_app.features.security.written import session_rows
from tests.people import NOON

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1"


@dataclass
class Known:
    id: UUID = field(default_factory=uuid4)
    user_agent: str = FIREFOX
    ip_address: str | None = None
    created_at: datetime = NOON
    last_active_at: datetime = NOON + timedelta(minutes=3)


class TestSessionRows:
    def test_names_the_device_and_the_times(self):
        known = Known()
        (row,) = session_rows([known], current=uuid4())
        assert (row["browser"], row["system"], row["sign"]) == ("Firefox", "Windows", "screen")
        assert row["active_at"] == known.last_active_at.isoformat()
        assert row["since"] == NOON.isoformat()

    def test_puts_the_current_one_first(self):
        other, current = Known(), Known(user_agent=IPHONE)
        rows = session_rows([other, current], current=current.id)
        assert [row["current"] for row in rows] == ["yes", ""]
        assert rows[0]["sign"] == "phone"

    def test_tells_an_address_only_where_it_was_kept(self):
        rows = session_rows([Known(), Known(ip_address="203.0.113.24")], current=uuid4())
        assert [row["address"] for row in rows] == ["", "203.0.113.24"]

    def test_claims_nothing_of_a_device_that_nobody_knows(self):
        (row,) = session_rows([Known(user_agent="curl/8")], current=uuid4())
        assert (row["browser"], row["system"]) == ("", "")
