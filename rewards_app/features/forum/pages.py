"""The forum's pages: the topics, one of them, and the moderators' desk."""

from rewards_app.core.page import Page
from rewards_app.features.forum import desk_page
from rewards_app.features.forum.appeal_state import ForumAppealState
from rewards_app.features.forum.board_page import board
from rewards_app.features.forum.board_state import PATH, BoardState
from rewards_app.features.forum.new_post_state import NewPostState
from rewards_app.features.forum.own_state import OwnState
from rewards_app.features.forum.reply_state import ReplyState
from rewards_app.features.forum.report_state import ReportState
from rewards_app.features.forum.reports import DESK
from rewards_app.features.forum.rules import FORUM_ROLES
from rewards_app.features.forum.things import CHANGED, POSTED
from rewards_app.features.forum.topic_page import topic_page
from rewards_app.features.forum.topic_state import TopicState

PAGES = [
    Page(
        PATH,
        board,
        "forum.page_title",
        roles=FORUM_ROLES,
        on_load=[NewPostState.arrive, ReportState.close, BoardState.load],
        follows={topic: [BoardState.refresh] for topic in (POSTED, CHANGED, DESK)},
    ),
    Page(
        f"{PATH}/topic",
        topic_page,
        "forum.topic.page_title",
        roles=FORUM_ROLES,
        # The form comes with its topic: what is typed into it is never taken away again.
        on_load=[
            ReplyState.load,
            OwnState.close,
            ReportState.close,
            ForumAppealState.close,
            TopicState.load,
        ],
        follows={CHANGED: [TopicState.refresh]},
    ),
    *desk_page.PAGES,
]
