"""The people of a company as its dashboard shows them, and the invitation that somebody has."""

from typing import Any

import reflex as rx

from rewards_app.core.access import Identifier, LongForm, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.advertiser import people
from rewards_app.features.advertiser.home_state import PATH as DASHBOARD
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.settings_state import TAB

LONGEST_TOKEN = 100


class PeopleState(AppState):
    is_loaded: bool = False
    members: list[dict[str, Any]] = []
    """The owner first."""
    invitations: list[dict[str, Any]] = []
    """For the owner alone."""
    invited: str = ""
    """Another one after each invitation: its field begins anew."""

    @signed_in()
    async def load(self):
        await self._load()
        self.is_loaded = True

    @signed_in(passive=True)
    async def refresh(self):
        if (await self.get_state(AdvertiserState)).tab == TAB:
            await self._load()

    @signed_in()
    async def invite(self, form: LongForm):
        self._start_work()
        yield
        async with transaction() as session:
            email = await people.invite(
                session, self._actor, form, language=self._language, now=utc_now()
            )
        self.is_busy = False
        self.invited = str(new_id())
        self._notify("people.invited_title", "people.invited_text", email=email)
        await then_show(self._load)

    @signed_in()
    async def invite_again(self, invitation_id: Identifier):
        async with transaction() as session:
            email = await people.invite_again(
                session, self._actor, invitation_id, language=self._language, now=utc_now()
            )
        self._notify("people.invited_title", "people.invited_text", email=email)
        await then_show(self._load)

    @signed_in()
    async def withdraw(self, invitation_id: Identifier):
        async with transaction() as session:
            await people.withdraw(session, self._actor, invitation_id)
        await then_show(self._load)

    @signed_in()
    async def remove(self, account_id: Identifier):
        async with transaction() as session:
            await people.remove(session, self._actor, account_id)
        self._notify("people.removed_title", "people.removed_text")
        await then_show(self._load)

    @signed_in()
    async def leave(self):
        async with transaction() as session:
            left = await people.leave(session, self._actor, now=utc_now())
        # Nothing of the company stays on the page.
        self.reset()
        self._notify("people.left_title", "people.left_text", company=left.company)
        return AdvertiserState.refresh

    async def _load(self) -> None:
        async with transaction() as session:
            found = await people.people_of(session, self._actor)
        own = self._actor.user_id
        self.members = [
            {
                "id": str(member.account_id),
                "name": member.name,
                "email": member.email,
                "role": member.role,
                "since": member.since.isoformat(),
                "is_you": member.account_id == own,
            }
            for member in found.members
        ]
        self.invitations = [
            {
                "id": str(invitation.id),
                "email": invitation.email,
                "until": invitation.expires_at.isoformat(),
                "is_over": invitation.expires_at <= utc_now(),
            }
            for invitation in found.invitations
        ]


class InvitationState(AppState):
    """What somebody finds who was invited, or has come by a link."""

    invitation: dict[str, str] = {}
    """With the `way` that it goes, and their `own` company where that is in the way."""
    has_link: bool = False
    """They came by a link, whatever became of it."""

    @signed_in()
    async def load(self):
        token = self._query.get("invite", "")[:LONGEST_TOKEN]
        self.has_link = bool(token)
        async with transaction() as session:
            found = await people.invitation_for(session, self._actor, token, now=utc_now())
            way, own = await people.way_in(session, self._actor)
        self.invitation = {}
        if found:
            by = {"id": str(found.id), "company": found.company, "by": found.invited_by}
            self.invitation = by | {"way": way.value, "own": own}

    @signed_in()
    async def accept(self, invitation_id: Identifier):
        self.is_busy = True
        yield
        async with transaction() as session:
            found = await people.accept(session, self._actor, invitation_id, now=utc_now())
        self.is_busy = False
        self.invitation, self.has_link = {}, False
        self._notify("people.accepted_title", "people.accepted_text", company=found.company)
        yield AdvertiserState.refresh
        # The link is worth nothing any more: opened anew, the page must not say so.
        yield rx.redirect(DASHBOARD, replace=True)
