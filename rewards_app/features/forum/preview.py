"""What moderation would make of a text, before it is posted."""

from rewards_app.features.forum.judging import judge
from rewards_app.features.forum.rules import LONGEST_TEXT, LONGEST_TITLE
from rewards_app.features.forum.talk import Written, written


def preview(title: str, content: str, language: str) -> Written:
    judged = judge(title[:LONGEST_TITLE], content[:LONGEST_TEXT], language)
    return written(judged, "waiting" if judged.needs_person else "shown")
