"""Your details: shown, and corrected by whose they are."""

from typing import Any

from rewards_app.core.access import LongForm, allow
from rewards_app.core.actor import MEMBER_ROLES
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.accounts import contacts, details
from rewards_app.features.accounts.rules import GENDER_CHOICES, Details

CHOICE_OF = {gender.value: choice for choice, gender in GENDER_CHOICES.items()}


class DetailsState(AppState):
    details: dict[str, Any] = {}
    """Empty until they are loaded."""
    is_editing: bool = False

    @allow(*MEMBER_ROLES)
    async def load(self):
        self.is_editing = False
        await self._load()

    @allow(*MEMBER_ROLES, passive=True)
    async def refresh(self):
        """Corrected in another tab, or on another device; what is being typed here stays."""
        if not self.is_editing:
            await self._load()

    @allow(*MEMBER_ROLES)
    async def edit(self):
        self._forget_refusal()
        self.is_editing = True

    @allow(*MEMBER_ROLES)
    async def cancel(self):
        self._forget_refusal()
        self.is_editing = False
        await self._load()

    @allow(*MEMBER_ROLES)
    async def save(self, form: LongForm):
        self._start_work()
        yield
        async with transaction() as session:
            await details.correct(session, self._actor, form)
        self.is_busy = self.is_editing = False
        self._notify("details.saved_title", "details.saved_text")
        await then_show(self._load)

    async def _load(self) -> None:
        async with transaction() as session:
            known = await details.details_of(session, self._actor)
        self._keep(details=_shown(known, is_player=self._actor.is_player))


def _shown(known: Details, *, is_player: bool) -> dict[str, Any]:
    """As the page and its form have it; a company is asked where it is, and no more."""
    typed = contacts.typed_phone(known.phone)
    return {
        "country": known.country,
        "phone": contacts.written_phone(known.phone),
        "typed_phone": typed.number,
        "phone_country": typed.country,
        "gender": CHOICE_OF.get(known.gender, ""),
        "is_whole": is_player or bool(known.phone or known.gender),
    }
