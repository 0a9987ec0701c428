"""What the admin's page keeps of people and of the audit log, and what is decided there."""

import json
from typing import Any
from uuid import UUID

import psycopg
import pytest
from structlog.testing import capture_logs

from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments
from rewards_app.core.ids import new_id
from rewards_app.core.watching.logs import redacted
from rewards_app.features.accounts import directory, restrictions, roles, sessions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.admin import jobs
from rewards_app.features.admin.audit_state import AuditLogState
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.alerts.service import Kind as Alert
from rewards_app.features.audit import log
from rewards_app.features.audit import service as audit
from rewards_app.models import Account
from tests.panel import followed
from tests.paying import ask
from tests.people import NOON, a_browser, an_account, signed_in
from tests.review import an_admin
from tests.states import calls

pytestmark = pytest.mark.usefixtures("admin")


REASON = "She runs the shop now"


@pytest.fixture
async def desk(page: Any) -> PeopleDeskState:
    (await page.get_state(AdminState)).tab = "people"
    return await page.get_state(PeopleDeskState)


@pytest.fixture
async def trail(page: Any) -> AuditLogState:
    (await page.get_state(AdminState)).tab = "audit"
    return await page.get_state(AuditLogState)


async def looks_into(desk: PeopleDeskState, account: Account) -> None:
    await calls(PeopleDeskState.load, desk)
    await calls(PeopleDeskState.look_into, desk, account_id=account.id)


async def lines() -> list[str]:
    async with transaction() as session:
        return [line.action for line in (await log.find(session, log.Search())).shown]


class TestPeople:
    async def test_are_listed_searched_and_narrowed_down(self, desk: PeopleDeskState):
        await an_account("maja@example.com")
        await an_account("carl@example.com", Role.COMPANY, name="Carl")
        await calls(PeopleDeskState.load, desk)
        assert [row["name"] for row in desk.people] == ["Carl", "Maja", "Linnea"]
        await calls(PeopleDeskState.find, desk, form={"search": " MA"})
        assert [row["name"] for row in desk.people] == ["Maja"]
        await calls(PeopleDeskState.choose, desk, which="company")
        assert desk.people == []
        await calls(PeopleDeskState.show_all, desk)
        assert len(desk.people) == 3

    async def test_are_all_there_with_an_empty_field_when_the_tab_is_opened_again(
        self, desk: PeopleDeskState
    ):
        await calls(PeopleDeskState.load, desk)
        await calls(PeopleDeskState.find, desk, form={"search": "nobody"})
        before = desk.round
        await calls(PeopleDeskState.load, desk)
        assert (len(desk.people), desk.search) == (1, "")
        assert desk.round != before

    async def test_that_are_still_coming_leave_the_field_to_who_types_in_it(
        self, desk: PeopleDeskState
    ):
        before = desk.round
        await calls(PeopleDeskState.load, desk)
        assert desk.round == before

    async def test_lead_to_their_own_orders_alone(self, desk: PeopleDeskState):
        maja = await an_account("maja@example.com")
        await looks_into(desk, maja)
        assert desk.person["orders"] == f"/admin?tab=orders&search={maja.id}"

    async def test_of_no_kind_there_is_are_refused(self, desk: PeopleDeskState):
        await calls(PeopleDeskState.choose, desk, which="robots")
        assert (desk.refusal["code"], desk.which) == (BadArguments.code, "")

    async def test_that_come_or_change_show_themselves(self, desk: PeopleDeskState):
        await calls(PeopleDeskState.load, desk)
        maja = await an_account()
        await calls(PeopleDeskState.refresh, desk)
        assert desk.people[0]["name"] == "Maja"
        await looks_into(desk, maja)
        async with transaction() as session:
            await restrictions.begin(session, maja.id, Kind.SUSPENDED, "A robot", by=None, now=NOON)
        await calls(PeopleDeskState.refresh, desk)
        assert desk.people[0]["is_suspended"]
        assert [held["kind"] for held in desk.restrictions] == ["suspended"]

    async def test_are_noted_in_the_log_once_for_each_look(self, desk: PeopleDeskState):
        maja = await an_account()
        with capture_logs() as logged:
            await looks_into(desk, maja)
            await calls(PeopleDeskState.refresh, desk)
            await calls(PeopleDeskState.refresh_person, desk)
            assert [line["event"] for line in logged].count("account.looked_into") == 1
            await calls(PeopleDeskState.close, desk)
            await calls(PeopleDeskState.look_into, desk, account_id=maja.id)
            assert [line["event"] for line in logged].count("account.looked_into") == 2

    async def test_come_in_pages_each_once(self, desk: PeopleDeskState, monkeypatch):
        monkeypatch.setattr(directory, "A_PAGE", 2)
        for number in range(4):
            await an_account(f"p{number}@example.com", name=f"P{number}")
        await calls(PeopleDeskState.load, desk)
        before = UUID(desk.next_before)
        for _ in range(2):
            await calls(PeopleDeskState.load_more, desk, before=before)
        assert [row["name"] for row in desk.people] == ["P3", "P2", "P1", "P0"]

    async def test_show_what_became_of_them_however_far_down_they_stand(
        self, desk: PeopleDeskState, monkeypatch
    ):
        monkeypatch.setattr(directory, "A_PAGE", 2)
        people = [
            await an_account(f"p{number}@example.com", name=f"P{number}") for number in "0123"
        ]
        await calls(PeopleDeskState.load, desk)
        await calls(PeopleDeskState.load_more, desk, before=UUID(desk.next_before))
        async with transaction() as session:
            await restrictions.begin(
                session, people[0].id, Kind.SUSPENDED, "A robot", by=None, now=NOON
            )
        await calls(PeopleDeskState.refresh, desk)
        assert [row["name"] for row in desk.people] == ["P3", "P2", "P1", "P0"]
        assert [row["is_suspended"] for row in desk.people] == [False] * 3 + [True]
        await calls(PeopleDeskState.look_into, desk, account_id=people[1].id)
        await calls(PeopleDeskState.choose_role, desk, role="moderator")
        await calls(PeopleDeskState.change_role, desk, form={"reason": REASON})
        assert [row["role"] for row in desk.people] == ["player"] * 2 + ["moderator", "player"]

    @pytest.mark.parametrize("lifted", range(3))
    async def test_who_are_restricted_no_more_leave_that_list(
        self, desk: PeopleDeskState, lifted: int
    ):
        people = {
            name: await an_account(f"{name.lower()}@example.com", name=name) for name in "CBA"
        }
        async with transaction() as session:
            for person in people.values():
                await restrictions.begin(
                    session, person.id, Kind.SUSPENDED, "A robot", by=None, now=NOON
                )
        await calls(PeopleDeskState.load, desk)
        await calls(PeopleDeskState.choose, desk, which="restricted")
        names = [row["name"] for row in desk.people]
        assert names == ["A", "B", "C"]
        free = people[names.pop(lifted)]
        async with transaction() as session:
            await restrictions.end(session, free.id, Kind.SUSPENDED, "None", by=None, now=NOON)
        await calls(PeopleDeskState.refresh, desk)
        assert [row["name"] for row in desk.people] == names

    async def test_that_cannot_be_loaded_say_so(self, desk: PeopleDeskState, monkeypatch):
        async def broken(*_: Any, **__: Any) -> None:
            raise directory.SessionIsOver

        monkeypatch.setattr(directory, "find", broken)
        await calls(PeopleDeskState.load, desk)
        assert (desk.is_loaded, desk.has_failed) == (False, True)

    async def test_are_shown_without_secrets(self, desk: PeopleDeskState):
        maja = await an_account()
        secret = await signed_in(maja.id, a_browser(), now=utc_now())
        await looks_into(desk, maja)
        shown = json.dumps([desk.person, desk.sessions, desk.people])
        assert len(desk.sessions) == 1
        for hidden in (secret, maja.password_hash or "", "1998-05-17"):
            assert hidden not in shown

    async def test_who_are_gone_are_shown_no_more(self, desk: PeopleDeskState):
        await calls(PeopleDeskState.load, desk)
        await calls(PeopleDeskState.look_into, desk, account_id=new_id())
        assert (desk.person, desk.refusal["code"]) == ({}, "roles.unknown_account")


class TestARole:
    async def test_is_the_one_that_was_chosen(self, desk: PeopleDeskState):
        maja = await an_account()
        await looks_into(desk, maja)
        assert desk.chosen_role == "player"
        await calls(PeopleDeskState.choose_role, desk, role="moderator")
        await calls(PeopleDeskState.change_role, desk, form={"reason": REASON})
        assert desk.person["role"] == "moderator"
        assert desk.notice["params"] == {"name": "Maja", "role": ["roles.moderator"]}
        assert await lines() == ["role_changed"]

    async def test_that_was_asked_for_and_declined_is_told_as_that(
        self, desk: PeopleDeskState, database: str
    ):
        maja = await an_account()
        ask(
            database,
            "update accounts set asked_for_admin = true where id = %s returning id",
            maja.id,
        )
        await looks_into(desk, maja)
        await calls(PeopleDeskState.change_role, desk, form={"reason": REASON})
        assert desk.notice["title"] == "admin.people.declined_title"
        assert desk.notice["text"] == "admin.people.declined_text"
        assert (desk.person["role"], desk.person["asked_for_admin"]) == ("player", False)

    async def test_without_a_reason_stays(self, desk: PeopleDeskState):
        await looks_into(desk, await an_account())
        await calls(PeopleDeskState.choose_role, desk, role="admin")
        await calls(PeopleDeskState.change_role, desk, form={"reason": " "})
        assert desk.refusal["params"] == {"field": "reason", "least": 3}
        assert (desk.person["role"], desk.is_busy) == ("player", False)
        assert await lines() == []

    async def test_of_ones_own_stays(self, desk: PeopleDeskState, admin: Actor):
        await calls(PeopleDeskState.load, desk)
        await calls(PeopleDeskState.look_into, desk, account_id=admin.user_id)
        assert desk.person["is_self"]
        await calls(PeopleDeskState.choose_role, desk, role="player")
        await calls(PeopleDeskState.change_role, desk, form={"reason": REASON})
        assert desk.refusal["code"] == "roles.own"
        assert await lines() == []

    @pytest.mark.parametrize("role", ["", "owner", "ADMIN"])
    async def test_is_one_of_four(self, desk: PeopleDeskState, role: str):
        await looks_into(desk, await an_account())
        await calls(PeopleDeskState.choose_role, desk, role=role)
        assert (desk.refusal["code"], desk.chosen_role) == (BadArguments.code, "player")

    async def test_that_somebody_else_changed_meanwhile_is_the_one_that_is_shown(
        self, desk: PeopleDeskState
    ):
        maja = await an_account()
        await looks_into(desk, maja)
        sven = await an_admin("Sven")
        async with transaction() as session:
            await roles.change(session, sven, maja.id, Role.COMPANY, REASON, now=NOON)
        await calls(PeopleDeskState.refresh, desk)
        assert (desk.person["role"], desk.chosen_role) == ("company", "company")

    async def test_is_no_longer_decided_on_what_somebody_else_has_changed(
        self, desk: PeopleDeskState
    ):
        """Declining an application that was granted a moment ago takes no power away."""
        maja = await an_account()
        await looks_into(desk, maja)
        await calls(PeopleDeskState.choose_role, desk, role="moderator")
        async with transaction() as session:
            await roles.change(
                session, await an_admin("Sven"), maja.id, Role.ADMIN, REASON, now=NOON
            )
        await calls(PeopleDeskState.change_role, desk, form={"reason": REASON})
        assert desk.refusal["code"] == "roles.decided_meanwhile"
        async with transaction() as session:
            assert (await session.get_one(Account, maja.id)).role == "admin"


class TestABirthDate:
    async def test_that_was_mistyped_is_asked_for_again(self, desk: PeopleDeskState):
        await looks_into(desk, await an_account())
        assert desk.person["is_age_verified"]
        await calls(PeopleDeskState.ask_birth_date, desk, form={"reason": REASON})
        assert (desk.person["is_age_verified"], desk.is_busy) == (False, False)
        assert desk.notice["params"] == {"name": "Maja"}
        assert await lines() == ["birth_date_forgotten"]

    async def test_without_a_reason_stays(self, desk: PeopleDeskState):
        await looks_into(desk, await an_account())
        await calls(PeopleDeskState.ask_birth_date, desk, form={"reason": " "})
        assert desk.refusal["params"] == {"field": "reason", "least": 3}
        assert desk.person["is_age_verified"]
        assert await lines() == []

    async def test_that_nobody_told_is_not_forgotten(self, desk: PeopleDeskState):
        await looks_into(desk, await an_account(born=None))
        await calls(PeopleDeskState.ask_birth_date, desk, form={"reason": REASON})
        assert desk.refusal["code"] == "directory.age_not_told"
        assert await lines() == []

    async def test_of_nobody_is_not_asked_for(self, desk: PeopleDeskState):
        await calls(PeopleDeskState.load, desk)
        await calls(PeopleDeskState.ask_birth_date, desk, form={"reason": REASON})
        assert await lines() == []


class TestSessions:
    async def test_that_begin_and_end_show_themselves_with_who_is_looked_into(
        self, desk: PeopleDeskState, page: Any
    ):
        maja, browser = await an_account(), a_browser()
        await looks_into(desk, maja)
        async with followed(page):
            secret = await signed_in(maja.id, browser, now=utc_now())
        assert len(desk.sessions) == 1
        async with followed(page), transaction() as session:
            await sessions.end(session, digest(secret), now=utc_now())
        assert desk.sessions == []

    async def test_of_others_open_nobody(self, desk: PeopleDeskState, page: Any):
        await calls(PeopleDeskState.load, desk)
        maja = await an_account()
        async with followed(page):
            await signed_in(maja.id, a_browser(), now=utc_now())
        assert (desk.person, desk.sessions, desk.refusal) == ({}, [], {})

    async def test_end_only_where_it_was_asked(self, desk: PeopleDeskState):
        maja = await an_account()
        await signed_in(maja.id, a_browser(), now=utc_now())
        await looks_into(desk, maja)
        await calls(PeopleDeskState.end_sessions, desk, form={"reason": REASON})
        assert len(desk.sessions) == 1
        await calls(PeopleDeskState.ask_to_end, desk, session_id=desk.sessions[0]["id"])
        await calls(PeopleDeskState.end_sessions, desk, form={"reason": REASON})
        assert (desk.sessions, desk.ending) == ([], "")
        assert await lines() == ["sessions_ended"]

    async def test_that_are_not_shown_are_not_asked_about(self, desk: PeopleDeskState):
        await looks_into(desk, await an_account())
        await calls(PeopleDeskState.ask_to_end, desk, session_id=str(new_id()))
        assert (desk.ending, desk.refusal["code"]) == ("", "directory.session_is_over")

    async def test_of_nobody_do_not_end(self, desk: PeopleDeskState):
        await calls(PeopleDeskState.load, desk)
        await calls(PeopleDeskState.ask_to_end, desk, session_id="all")
        await calls(PeopleDeskState.end_sessions, desk, form={"reason": REASON})
        await calls(PeopleDeskState.send_verification, desk)
        assert await lines() == []


async def writes(label: str = "Maja", **known: Any) -> None:
    async with transaction() as session:
        await audit.record(
            session,
            None,
            audit.Action.ROLE_CHANGED,
            "account:1",
            label=label,
            **{"now": NOON} | known,
        )


class TestTheLog:
    async def test_shows_what_changed_in_words_that_the_catalogue_knows(self, trail: AuditLogState):
        await writes(before={"role": "player", "odd": "x"}, after={"role": "admin", "odd": "y"})
        await calls(AuditLogState.load, trail)
        changes = {change["name"]: change for change in trail.lines[0]["changes"]}
        role, odd = changes["role"], changes["odd"]
        assert (role["name_key"], role["before_key"], role["after_key"]) == (
            "audit.fields.role",
            "audit.values.player",
            "audit.values.admin",
        )
        assert (odd["name"], odd["name_key"], odd["after"], odd["after_key"]) == (
            *("odd", "", "y", ""),
        )

    async def test_says_by_whom_an_export_was_narrowed_down_in_words(self, trail: AuditLogState):
        await writes(after={"by": "automation"})
        await calls(AuditLogState.load, trail)
        assert trail.lines[0]["changes"][0]["after_key"] == "audit.origins.automation"

    async def test_leaves_what_somebody_typed_as_it_is(self, trail: AuditLogState):
        await writes(after={"search": "open", "status": "open"})
        await calls(AuditLogState.load, trail)
        changes = {change["name"]: change for change in trail.lines[0]["changes"]}
        assert (changes["search"]["after"], changes["search"]["after_key"]) == ("open", "")
        assert changes["status"]["after_key"] == "audit.values.open"

    async def test_names_people_and_reasons_that_were_written_as_keys(
        self, trail: AuditLogState, admin: Actor
    ):
        await writes(after={"by": str(admin.user_id)}, reason="restrictions.automatic")
        async with transaction() as session:
            await audit.record(
                session, admin, audit.Action.RESTORED, "account:1", reason="restrictions.", now=NOON
            )
        await calls(AuditLogState.load, trail)
        newest, first = trail.lines
        assert (first["changes"][0]["after"], first["reason_key"]) == (
            *("Linnea", "restrictions.automatic"),
        )
        assert (newest["reason"], newest["reason_key"]) == ("restrictions.", "")

    async def test_leaves_its_field_to_who_types_while_it_is_loaded(self, trail: AuditLogState):
        before = trail.round
        await calls(AuditLogState.load, trail)
        assert trail.round == before

    async def test_begins_its_search_anew_when_it_is_opened_again(self, trail: AuditLogState):
        await calls(AuditLogState.load, trail)
        await calls(AuditLogState.find, trail, form={"search": "maja"})
        round_of_field = trail.round
        await calls(AuditLogState.load, trail)
        assert trail.search == ""
        assert trail.round != round_of_field

    async def test_is_narrowed_down_and_its_sheet_with_it(self, trail: AuditLogState, admin: Actor):
        await writes()
        await calls(AuditLogState.load, trail)
        await calls(AuditLogState.find, trail, form={"search": "maja & co"})
        assert trail.lines == []
        assert trail.sheet == "/exports/audit.csv?search=maja+%26+co"
        await calls(AuditLogState.show_all, trail)
        await calls(AuditLogState.choose_doer, trail, by="command_line")
        assert len(trail.lines) == 1
        await calls(AuditLogState.choose_action, trail, action="suspended")
        assert trail.lines == []
        assert trail.sheet == "/exports/audit.csv?action=suspended&by=command_line"

    @pytest.mark.parametrize(
        ("handler", "asked"),
        [
            (AuditLogState.choose_action, {"action": "deleted"}),
            (AuditLogState.choose_doer, {"by": "somebody"}),
            (AuditLogState.find, {"form": {"search": "x" * 300}}),
        ],
    )
    async def test_of_what_no_page_asks_for_stays_as_it_is(
        self, trail: AuditLogState, handler: Any, asked: dict[str, Any]
    ):
        await writes()
        await calls(AuditLogState.load, trail)
        await calls(handler, trail, **asked)
        assert trail.refusal["code"] == BadArguments.code
        assert (trail.search, trail.action, trail.by) == ("", "", "")
        assert len(trail.lines) == 1

    async def test_grows_while_it_is_open_and_only_then(self, trail: AuditLogState, page: Any):
        await calls(AuditLogState.load, trail)
        await writes()
        await calls(AuditLogState.refresh, trail)
        assert len(trail.lines) == 1
        (await page.get_state(AdminState)).tab = "orders"
        await writes()
        await calls(AuditLogState.refresh, trail)
        assert len(trail.lines) == 1

    async def test_comes_in_pages_each_once(self, trail: AuditLogState, monkeypatch):
        monkeypatch.setattr(log.find, "__kwdefaults__", {"before": None, "limit": 2})
        for number in range(5):
            await writes(f"{number}")
        await calls(AuditLogState.load, trail)
        before = trail.next_before
        for _ in range(2):
            await calls(AuditLogState.load_more, trail, before=before)
        await calls(AuditLogState.load_more, trail, before=-7)
        assert [line["label"] for line in trail.lines] == ["4", "3", "2", "1"]


class TestAtNight:
    async def test_a_whole_log_raises_no_alert(self, database: str):
        await writes()
        await jobs.check_audit_log(0)
        assert ask(database, "select 1 from security_alerts") == []

    async def test_a_touched_log_raises_one_that_says_where(self, database: str):
        for _ in range(3):
            await writes()
        self.touch(database)
        for _ in range(2):
            await jobs.check_audit_log(0)
        [(kind, params, times)] = ask(
            database, "select alert_type, params, times from security_alerts"
        )
        assert (kind, params, times) == (Alert.AUDIT_BROKEN.value, {"entry": 2}, 2)

    def touch(self, database: str) -> None:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("alter table audit_entries disable trigger all")
            connection.execute("update audit_entries set label = 'Emil' where number = 2")

    def test_the_last_hash_can_be_read_in_the_log(self):
        assert redacted(jobs.in_groups("ab" * 32)) == " ".join(["abababab"] * 8)
