"""What a waiting person sees behind the link of their mail: opened by a person, it confirms.

Programs that only fetch links run no page, and confirm nothing.
"""

from rewards_app.core.access import public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.waitlist import rules, service
from rewards_app.features.waitlist.rules import Place
from rewards_app.i18n.languages import address_of

LONGEST_TOKEN = 100


class WaitingState(AppState):
    stage: str = ""
    """Empty until it is known; then `waits`, `opened` or `over`."""
    number: int = 0
    """The place in line."""
    of: int = 0
    friends: int = 0
    own_link: str = ""

    @public(passive=True)
    async def open(self):
        self.stage = ""
        token = self._query.get("token", "")[:LONGEST_TOKEN]
        try:
            async with transaction() as session:
                place = await service.confirm(session, token, self._caller, now=utc_now())
        except rules.WaitingLinkOver:
            self.stage = "opened" if await service.are_open() else "over"
            return
        self._show_place(place)
        self.stage = "opened" if place.is_told or await service.are_open() else "waits"

    def _show_place(self, place: Place) -> None:
        self.number, self.of, self.friends = place.number, place.of, place.friends
        self.own_link = f"{settings().origin}{address_of(self._language)}?friend={place.code}"
