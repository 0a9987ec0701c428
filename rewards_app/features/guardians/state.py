"""What the young see of their guardian's word, and asking for it."""

from typing import Any

from rewards_app.core.access import Form, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_shown
from rewards_app.features.guardians import service
from rewards_app.features.guardians.service import Standing


class GuardianState(AppState):
    card: dict[str, Any] = {}
    """Empty for whoever needs no guardian."""
    is_asking: bool = False

    @signed_in(passive=True, even_suspended=True)
    async def load(self):
        await self._look()

    @signed_in(even_suspended=True)
    async def ask(self, form: Form):
        self._forget_refusal()
        self.is_asking = True
        yield
        try:
            async with then_shown(self._look):
                async with transaction() as session:
                    await service.ask(
                        session, self._actor, form.get("guardian_email", ""), now=utc_now()
                    )
                self._notify("guardians.asked_title", "guardians.asked_text")
        finally:
            self.is_asking = False

    async def _look(self) -> None:
        async with transaction() as session:
            standing = await service.standing(session, self._actor, now=utc_now())
        self._keep(card=_row(standing) if standing.is_needed else {})


def _row(standing: Standing) -> dict[str, Any]:
    moments = {
        "asked_at": standing.asked_at,
        "until": standing.until,
        "answered_at": standing.answered_at,
    }
    return {"status": standing.status or "unasked", "email": standing.email} | {
        name: at.isoformat() if at else "" for name, at in moments.items()
    }
