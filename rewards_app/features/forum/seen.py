"""Topics and replies as the rows that pages show. Pure."""

from typing import Any

from rewards_app.features.accounts.face_rules import face_of
from rewards_app.features.accounts.handle_rules import mentions_in
from rewards_app.features.forum import desk_rules
from rewards_app.features.forum.judging import Violations
from rewards_app.features.forum.talk import Post, Reply, Written
from rewards_app.features.moderation.rules import Kind

CHANGES = frozenset({Kind.LANGUAGE.value, Kind.BULLYING.value, Kind.SCAM.value})
"""After these, others read something else than what was written."""


def post_row(post: Post) -> dict[str, Any]:
    lock = desk_rules.reason_of(post.lock_reason)
    return _row(post) | {
        "category": post.category,
        "title": post.title,
        "removed_title": post.removed_title,
        "is_hot": post.is_hot,
        "is_locked": post.is_locked,
        "lock_key": lock.key,
        "lock_note": lock.note,
        "replies": post.replies,
        "written_title": post.written_title,
        "found_in": str(post.found_in.reply_id) if post.found_in else "",
        "excerpt": post.found_in.text if post.found_in else "",
    }


def reply_row(reply: Reply) -> dict[str, Any]:
    return _row(reply)


def _row(thing: Post | Reply) -> dict[str, Any]:
    reason = desk_rules.reason_of(thing.state_reason)
    return {
        "id": str(thing.id),
        "author": thing.author,
        "face": face_of(thing.author_id, thing.author),
        "handle": thing.handle,
        "is_public": thing.is_public and thing.handle != "",
        "role": thing.role,
        "content": thing.content,
        "removed": thing.removed,
        "violations": violation_rows(_told(thing)),
        "is_changed": is_changed(thing.violations),
        "state": thing.state,
        "reason_key": reason.key if thing.state_reason else "",
        "note": reason.note if thing.state_reason else "",
        "likes": thing.likes,
        "is_liked": thing.is_liked,
        "is_own": thing.is_own,
        "can_edit": thing.can_edit,
        "is_edited": thing.is_edited,
        "at": thing.created_at.isoformat(),
        "written_content": thing.written_content,
    }


def with_calls(row: dict[str, Any], leads: frozenset[str]) -> dict[str, Any]:
    """With the names in it that lead to one of these handles."""
    return row | {"calls": [one for one in mentions_in(row["content"]) if one.casefold() in leads]}


def _told(thing: Post | Reply) -> Violations:
    """What was found, but no word of self-harm about whom a person has read by now."""
    if thing.state == "waiting":
        return thing.violations
    return [found for found in thing.violations if found["kind"] != Kind.SELF_HARM.value]


def is_changed(violations: Violations) -> bool:
    return any(found["kind"] in CHANGES for found in violations)


def violation_rows(violations: Violations) -> list[dict[str, str]]:
    """Each kind once, whether it was found in the title, in the text or in both."""
    words: dict[str, list[str]] = {}
    for found in violations:
        words.setdefault(found["kind"], []).extend(found.get("words") or ())
    return [{"kind": kind, "words": ", ".join(dict.fromkeys(all_))} for kind, all_ in words.items()]


def preview_row(written: Written, title: str, content: str) -> dict[str, Any]:
    """What others would see where it differs from what was typed; empty where nothing does."""
    if not written.violations:
        return {}
    return {
        "masked": _masked(written.violations),
        "removed": written.removed,
        "removed_title": written.removed_title,
        "title": _where_other(written.shown_title, title),
        "content": _where_other(written.shown_content, content),
        "violations": violation_rows(written.violations),
        "waits": written.is_waiting,
    }


def _masked(violations: Violations) -> int:
    found = (one for one in violations if one["kind"] == Kind.LANGUAGE.value)
    return sum(len(one.get("words") or ()) for one in found)


def _where_other(shown: str, typed: str) -> str:
    return shown if shown != typed else ""
