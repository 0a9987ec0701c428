"""What somebody wants by mail: switches that are kept at once."""

import reflex as rx

from rewards_app.core.access import allow
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_shown
from rewards_app.features.notifications import service
from rewards_app.features.notifications.rules import TOLD_ROLES, CompanyTopic

OFF: dict[str, str] = {CompanyTopic.REPORTS: "reports_off"}
"""What is said of a topic that no bell rings for."""


class ChoicesState(AppState):
    is_loaded: bool = False
    topics: list[str] = []
    """Those that concern this person."""
    by_mail: dict[str, bool] = {}

    @allow(*TOLD_ROLES)
    async def load(self):
        if self._query.get("tab") == "security":
            return rx.redirect("/security?section=password", replace=True)
        await self._load()
        self.is_loaded = True
        return None

    @allow(*TOLD_ROLES)
    async def flip(self, topic: str, is_on: bool):
        async with then_shown(self._load), transaction() as session:
            await service.choose(session, self._actor, topic, is_on)
        said = "mails_on" if is_on else OFF.get(topic, "mails_off")
        self._notify("settings.saved_title", f"settings.{said}")

    async def _load(self) -> None:
        async with transaction() as session:
            found = await service.choices(session, self._actor)
        self.topics = [topic.value for topic in found]
        self.by_mail = {topic.value: by_mail for topic, by_mail in found.items()}
