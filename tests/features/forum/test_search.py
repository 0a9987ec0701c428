"""What a search finds: words of topics and replies, beginnings, authors; and what it never does."""

from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.features.accounts import handles, restrictions
from rewards_app.features.accounts import service as accounts
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.forum import leaving, replies, rules, search
from rewards_app.features.forum.desk_rules import LIFTED, Target
from rewards_app.features.forum.talk import FoundIn, Post
from rewards_app.features.moderation.rules import EDITION
from rewards_app.features.profile import service as profiles
from tests.features.forum.test_talk import CRUEL, MINUTE, becomes, posts, somebody
from tests.forum import a_reply, a_topic, row
from tests.guardians import has_consent, is_born
from tests.people import NOON, born_years_ago
from tests.states import failing

pytestmark = pytest.mark.usefixtures("database")
TURBO = "Switch the turbo building setting on."


@pytest.fixture
async def maja() -> Actor:
    return await somebody("Maja")


@pytest.fixture
async def lars() -> Actor:
    return await somebody("Lars")


@pytest.fixture
async def tips(maja: Actor, lars: Actor) -> UUID:
    """A topic, with a reply that has other words."""
    post_id = await a_topic(maja, "How do I get quicker?", title="Fortnite build tips")
    await a_reply(lars, post_id, TURBO)
    return post_id


async def found(actor: Actor, query: str, category: str = "") -> list[Post]:
    async with transaction() as session:
        return list((await search.search(session, actor, query, category=category)).items)


async def finds(actor: Actor, query: str, category: str = "") -> list[UUID]:
    return [post.id for post in await found(actor, query, category)]


async def pages(actor: Actor, query: str, length: int) -> list[list[UUID]]:
    found, before = [], None
    while not found or before:
        async with transaction() as session:
            page = await search.search(session, actor, query, before=before, length=length)
        found.append([post.id for post in page.items])
        before = page.next_cursor
    return found


async def still_finds(actor: Actor, query: str, posts: list[Post]) -> list[Post]:
    listed = {post.id: post.found_in and post.found_in.reply_id for post in posts}
    async with transaction() as session:
        return await search.still_found(session, actor, query, listed, now=utc_now())


async def changes(query: str, **values: Any) -> None:
    async with transaction() as session:
        await rows(session, query, values)  # pyright: ignore[reportArgumentType]


class TestReplies:
    @pytest.mark.parametrize(
        "query", ["turbo", "setting", "settings", "SWITCHING", "turbo build", '"turbo building"']
    )
    async def test_lead_to_their_topic(self, maja: Actor, tips: UUID, query: str):
        assert await finds(maja, query) == [tips]

    async def test_are_shown_with_the_words_and_what_is_around_them(self, maja: Actor, lars: Actor):
        post_id = await a_topic(maja)
        reply_id = await a_reply(lars, post_id, f"{'Well. ' * 90}\n\n{TURBO} {'Or not. ' * 90}")
        [post] = await found(maja, "turb")
        assert post.found_in
        assert post.found_in.reply_id == reply_id
        assert "turbo building setting" in post.found_in.text
        assert post.found_in.text.startswith("… ")
        assert post.found_in.text.endswith(" …")
        assert len(post.found_in.text) <= rules.LONGEST_EXCERPT + len("…  …")

    async def test_lead_to_the_newest_that_has_the_words_and_list_the_topic_once(
        self, maja: Actor, lars: Actor, tips: UUID
    ):
        newest = await a_reply(maja, tips, "No turbo for me.")
        await a_reply(lars, tips)
        [post] = await found(maja, "turbo")
        assert (post.id, post.found_in) == (tips, FoundIn(newest, "No turbo for me."))

    async def test_lead_nowhere_where_the_topic_says_it_itself(self, maja: Actor, tips: UUID):
        await a_reply(maja, tips, "Fortnite it is.")
        [post] = await found(maja, "fortnite")
        assert post.found_in is None

    @pytest.mark.parametrize(
        ("language", "text", "query"),
        [
            ("sv", "Vi byggde ett bibliotek och många hus.", "bygger"),
            ("de", "Die Häuser am Hafen sind umkämpft.", "Haus"),
            ("fr", "Les maisons du port étaient belles.", "maison"),
            ("es", "Las casas del puerto eran bonitas.", "casa"),
            ("it", "Le case del porto erano belle.", "casa"),
            ("pl", "Lądujemy przy latarni morskiej.", "latarni"),
            ("ru", "Мы строили библиотеки и дома.", "библиотека"),
        ],
    )
    async def test_are_found_in_the_language_of_each(
        self, maja: Actor, tips: UUID, language: str, text: str, query: str
    ):
        reply_id = await a_reply(maja, tips, text, language=language)
        assert await finds(maja, query) == [tips]
        kept = await row("forum_replies", reply_id)
        assert kept["dictionary"] == rules.dictionary_of(language)

    async def test_keep_to_the_category_of_their_topic(self, maja: Actor, tips: UUID):
        assert await finds(maja, "turbo", "fortnite") == [tips]
        assert await finds(maja, "turbo", "roblox") == []

    async def test_are_not_found_where_they_have_what_is_left_out(self, maja: Actor, tips: UUID):
        assert await finds(maja, "turbo -settings") == []
        assert await finds(maja, "turbo -harbour") == [tips]


class TestWhatIsNotShown:
    @pytest.mark.parametrize("state", ["waiting", "hidden", "deleted"])
    async def test_is_not_found_in_a_reply_not_even_by_its_author(
        self, maja: Actor, lars: Actor, state: str
    ):
        post_id = await a_topic(maja)
        reply_id = await a_reply(lars, post_id, TURBO)
        await becomes(state, reply_id, Target.REPLY)
        assert [await finds(actor, "turbo") for actor in (maja, lars)] == [[], []]

    @pytest.mark.parametrize("state", ["waiting", "hidden", "deleted"])
    async def test_hides_the_replies_to_it_and_its_author(
        self, maja: Actor, lars: Actor, tips: UUID, state: str
    ):
        await becomes(state, tips)
        assert await finds(lars, "turbo") == []
        assert await finds(lars, "maja") == []

    async def test_is_found_no_more_once_its_author_took_it_away(self, maja: Actor, lars: Actor):
        post_id = await a_topic(maja)
        reply_id = await a_reply(lars, post_id, TURBO)
        async with transaction() as session:
            await replies.delete(session, lars, reply_id, now=utc_now())
        assert await finds(maja, "turbo") == []

    async def test_is_found_no_more_once_its_author_is_forgotten(
        self, maja: Actor, lars: Actor, tips: UUID
    ):
        async with transaction() as session:
            await leaving.empty(session, lars.user_id, now=utc_now())
        assert await finds(maja, "turbo") == []

    @pytest.mark.parametrize("query", ["garbage", "garba", "gar", "g4rbage", '"is garbage"'])
    async def test_is_not_found_behind_the_mask(self, maja: Actor, lars: Actor, query: str):
        post_id = await a_topic(maja, "The map is garbage today.", title="What a garbage map")
        await a_reply(lars, post_id, "Your map is g4rbage, garbage I say.")
        assert await finds(maja, query) == []
        assert await finds(lars, query) == []

    async def test_is_not_found_in_what_moderation_took_away(self, maja: Actor, lars: Actor):
        post_id = await a_topic(maja)
        await a_reply(lars, post_id, CRUEL)
        assert await finds(maja, "likes") == []

    @pytest.mark.parametrize("windows", [(5000, 2000), (1, 1)])
    async def test_by_the_rules_of_today_is_not_found_by_what_older_ones_let_through(
        self, maja: Actor, lars: Actor, monkeypatch: pytest.MonkeyPatch, windows: tuple[int, int]
    ):
        monkeypatch.setattr(search, "WINDOW", windows[0])
        monkeypatch.setattr(search, "REPLIES", windows[1])
        topic = await a_topic(maja, "The map is garbage today.")
        other = await a_topic(maja)
        reply = await a_reply(lars, other, "Your map is garbage today.")
        for table in ("forum_posts", "forum_replies"):
            await changes(
                f"update {table} set rules_edition = 0, shown_content = content returning id"
            )
        assert await finds(lars, "garbage") == []
        kept = await row("forum_posts", topic), await row("forum_replies", reply)
        assert [one["rules_edition"] for one in kept] == [EDITION, EDITION]
        assert await finds(lars, "map today") == [other, topic]

    async def test_of_more_than_can_be_judged_at_once_nothing_is_found_unjudged(
        self, maja: Actor, lars: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(search, "TURNS", 0)
        await a_topic(maja, "The map is garbage today.")
        await changes(
            "update forum_posts set rules_edition = 0, shown_content = content returning id"
        )
        assert await finds(lars, "garbage") == []

    async def test_is_found_where_a_person_has_shown_it_as_it_was_written(
        self, maja: Actor, lars: Actor
    ):
        post_id = await a_topic(maja)
        await a_reply(lars, post_id, "Your map is garbage today.")
        await changes(
            "update forum_replies set rules_edition = %(lifted)s, shown_content = content"
            " returning id",
            lifted=LIFTED,
        )
        assert await finds(maja, "garbage") == [post_id]


class TestTheLastWord:
    @pytest.mark.parametrize(
        "query",
        [
            *("fortni", "For", "build ti", "tips fort"),
            *("tur", "sett", "settin", "buildi", "turbo sett", "switch the turb"),
        ],
    )
    async def test_may_be_only_begun(self, maja: Actor, tips: UUID, query: str):
        assert await finds(maja, query) == [tips]

    @pytest.mark.parametrize(
        "query",
        ["tu", "urbo", "turb setting", '"turbo buil"', "fortnite -turb harbour", "turb or harbour"],
    )
    async def test_is_taken_as_it_is_where_it_is_short_or_no_plain_word(
        self, maja: Actor, tips: UUID, query: str
    ):
        assert await finds(maja, query) == []

    async def test_in_any_alphabet(self, maja: Actor):
        written = await posts(maja, "Лучшие базы", "Мы строили библиотеки.", language="ru")
        assert await finds(maja, "библ") == [written.id]

    async def test_need_not_be_the_same_as_the_words_before_it_that_are_rare_or_common(
        self, maja: Actor, tips: UUID, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(search, "WINDOW", 1)
        await a_topic(maja)
        for rare in (-1, 1000):
            monkeypatch.setattr(search, "RARE", rare)
            assert await finds(maja, "turbo sett") == [tips]
            assert await finds(maja, "the turbo") == [tips]
            assert await finds(maja, "harbour sett") == []


class TestAnAuthor:
    @pytest.mark.parametrize(
        "query", ["Maja", "maj", "maja ekstr", "MAJA EKSTRÖM", "@Maja Ekström", "@maja_e", "maja_e"]
    )
    async def test_is_found_by_their_name_and_the_whole_of_their_handle(
        self, lars: Actor, query: str
    ):
        maja = await somebody("Maja Ekström")
        await changes(
            "update account_handles set handle = 'maja_e' where account_id = %(id)s"
            " returning handle",
            id=maja.user_id,
        )
        post_id = await a_topic(maja)
        await a_topic(lars)
        assert await finds(lars, query) == [post_id]

    async def test_is_found_by_the_handle_of_now_alone(self, lars: Actor):
        nova = await somebody("Nova")
        post_id = await a_topic(nova)
        assert await finds(lars, "@nova") == [post_id]
        async with transaction() as session:
            await accounts.replace_name(session, nova.user_id, now=NOON)
            neutral = await handles.handle_of(session, nova.user_id)
        assert [await finds(lars, query) for query in ("@nova", neutral)] == [[], [post_id]]

    @pytest.mark.parametrize(
        "query", ["aja", "m", "ma", "%", "_aja", "M%", "@", "\\", "%%%", "____"]
    )
    async def test_is_not_found_by_less(self, maja: Actor, lars: Actor, query: str):
        await a_topic(maja)
        assert await finds(lars, query) == []

    async def test_is_found_beside_the_word_that_is_their_name(self, maja: Actor, lars: Actor):
        own = await a_topic(maja)
        about = await a_topic(lars, "Has anybody seen Maja lately?")
        both = await a_topic(maja, "Maja is my name.")
        assert await finds(lars, "maja") == [both, about, own]
        assert await finds(lars, "maja", "roblox") == []

    async def test_who_has_closed_their_account_is_not_found(self, maja: Actor, lars: Actor):
        await a_topic(maja)
        await changes(
            "update accounts set closed_at = now() where id = %(id)s returning id", id=maja.user_id
        )
        assert await finds(lars, "maja") == []

    async def test_who_has_no_name_any_more_is_not_found(self, maja: Actor, lars: Actor):
        await a_topic(maja)
        await changes(
            "update accounts set display_name = '' where id = %(id)s returning id", id=maja.user_id
        )
        assert [await finds(lars, query) for query in ("@", "%", "_")] == [[], [], []]

    async def test_whose_profile_may_not_be_opened_is_not_found(self, maja: Actor, lars: Actor):
        linnea, acme = await somebody("Linnea"), await somebody("Acme", Role.COMPANY)
        for actor in (maja, linnea, acme):
            await a_topic(actor)
        async with transaction() as session:
            await profiles.open_or_close(session, linnea, is_public=False, now=utc_now())
            await restrictions.begin(
                session, maja.user_id, Kind.SUSPENDED, "spam", by=None, now=utc_now()
            )
        assert [await finds(lars, name) for name in ("Maja", "Linnea", "Acme")] == [[], [], []]

    async def test_who_waits_for_a_guardian_is_found_with_consent_alone(
        self, maja: Actor, lars: Actor
    ):
        topic = await a_topic(maja)
        await is_born(maja, born_years_ago(15))
        assert await finds(lars, "Maja") == []
        await has_consent(maja)
        assert await finds(lars, "Maja") == [topic]

    async def test_is_one_of_a_bounded_number(self, lars: Actor, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(search, "AUTHORS", 2)
        people = [await somebody(f"Maja{number}") for number in range(3)]
        written = [await a_topic(actor) for actor in people]
        assert await finds(lars, "maja") == [written[1], written[0]]


class TestPages:
    @pytest.fixture
    async def talk(self, maja: Actor, lars: Actor) -> list[UUID]:
        """Topics that have a word themselves, in a reply, in both or nowhere; the newest first."""
        wanted = []
        for number in range(16):
            says_it, is_answered = number % 3 == 0, number % 4 == 1
            post_id = await a_topic(maja, "Turbo it is." if says_it else "Where do you land?")
            said = ["No turbo.", "Turbo!"] if is_answered else []
            for text in (*said, *["At the harbour."] * (number % 5 // 2)):
                await a_reply(lars, post_id, text)
            if says_it or is_answered:
                wanted.append(post_id)
        return wanted[::-1]

    @pytest.mark.parametrize("length", [1, 2, 20])
    @pytest.mark.parametrize(
        "windows", [(1, 1), (2, 5), (3, 2), (6, 1), (6, 4), (9, 9), (5000, 2000)]
    )
    async def test_have_each_topic_once_however_little_is_looked_through(
        self,
        lars: Actor,
        talk: list[UUID],
        monkeypatch: pytest.MonkeyPatch,
        length: int,
        windows: tuple[int, int],
    ):
        monkeypatch.setattr(search, "WINDOW", windows[0])
        monkeypatch.setattr(search, "REPLIES", windows[1])
        listed = await pages(lars, "turbo", length)
        assert [post_id for page in listed for post_id in page] == talk
        assert {len(page) for page in listed[:-1]} <= {length}

    async def test_of_a_common_word_are_found_behind_many_replies_without_the_index(
        self, maja: Actor, lars: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(search, "REPLIES", 8)
        monkeypatch.setattr(search.repository, "ever", failing(AssertionError))
        wanted = []
        for number in range(8):
            is_answered = number == 5
            post_id = await a_topic(maja, "Where to?" if is_answered else "Turbo it is.")
            for text in ("At the harbour.", "Turbo!" if is_answered else "No.", "Why?"):
                await a_reply(lars, post_id, text)
            wanted.append(post_id)
        async with transaction() as session:
            page = await search.search(session, lars, "turbo", length=5)
        assert [post.id for post in page.items] == wanted[:2:-1]

    async def test_of_a_small_category_are_whole(self, maja: Actor, lars: Actor, tips: UUID):
        for _ in range(3):
            await a_reply(lars, await a_topic(maja, category="roblox"), TURBO)
        assert await finds(lars, "turbo", "fortnite") == [tips]
        assert await pages(lars, "turbo", 1) == [[one] for one in await finds(lars, "turbo")]

    async def test_find_an_old_reply_in_a_long_talk_where_the_word_is_rare(
        self, maja: Actor, lars: Actor, tips: UUID, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(search, "OF_A_TOPIC", 2)
        for _ in range(4):
            await a_reply(maja, tips)
        assert await finds(lars, "turbo") == [tips]


class TestWhatIsListed:
    async def test_stays_while_the_reply_is_shown(self, maja: Actor, lars: Actor, tips: UUID):
        listed = await found(maja, "turb")
        assert await still_finds(maja, "turb", listed) == listed

    @pytest.mark.parametrize("state", ["waiting", "hidden", "deleted"])
    async def test_goes_with_the_reply(self, maja: Actor, lars: Actor, state: str):
        post_id = await a_topic(maja)
        reply_id = await a_reply(lars, post_id, TURBO)
        listed = await found(maja, "turbo")
        await becomes(state, reply_id, Target.REPLY)
        assert await still_finds(maja, "turbo", listed) == []

    async def test_goes_when_the_reply_has_other_words(self, maja: Actor, lars: Actor):
        post_id = await a_topic(maja, now=utc_now())
        reply_id = await a_reply(lars, post_id, TURBO, now=utc_now())
        listed = await found(maja, "turbo")
        async with transaction() as session:
            await replies.edit(
                session, lars, reply_id, "Never mind.", language="en", now=utc_now() + MINUTE
            )
        assert await still_finds(maja, "turbo", listed) == []

    async def test_goes_when_the_rules_of_today_mask_the_words(self, maja: Actor, lars: Actor):
        post_id = await a_topic(maja)
        await a_reply(lars, post_id, "Your map is garbage today.")
        await changes(
            "update forum_replies set shown_content = content, rules_edition = %(lifted)s"
            " returning id",
            lifted=LIFTED,
        )
        listed = await found(maja, "garbage")
        assert [post.id for post in listed] == [post_id]
        await changes("update forum_replies set rules_edition = 0 returning id")
        assert await still_finds(maja, "garbage", listed) == []

    async def test_goes_with_the_topic(self, maja: Actor, tips: UUID):
        listed = await found(maja, "turbo")
        await becomes("hidden", tips)
        assert await still_finds(maja, "turbo", listed) == []


HOSTILE = (
    *("'", '"', "(((", "& | !", "turbo:*", "turbo & set", "turbo | set", "!turbo", "-", "--"),
    *("\\", "turbo\\", "turbo'", "'turbo':*", "tur''bo", "%s", "%(asked)s", "{}", "<->", "<2>"),
    *("<script>turbo", "turbo</script>", "'; drop table forum_posts; --", "turbo or", "or or or"),
    *('"turbo', 'turbo "', "-turbo", '-"turbo', "turbo -", "a-b-c-turbo", "http://turbo.example/"),
    *(
        "turbo" + "é" * 190,
        "a b " * 50,
        "(" * 200,
        "-x " * 66,
        "💥💥💥",
        "tur\u200bbo",
        "turbo\x02",
    ),
)


class TestWhateverIsTyped:
    @pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
    async def test_is_answered(self, maja: Actor, tips: UUID, query: str):
        assert len(await finds(maja, query.strip()[:200])) <= 1

    async def test_longer_than_can_be_typed_is_refused(self, maja: Actor):
        with pytest.raises(rules.QueryTooLong):
            await finds(maja, "turbo " * 40)

    @pytest.mark.parametrize(
        "text",
        [
            "<b>" * 900 + "turbo",
            "turbo " * 500,
            "turbo\x02\x02 <img src=x onerror=alert(1)> building",
            "turbo" + "x" * 2900,
            "\u202eturbo " + "💥" * 1000,
        ],
        ids=range(5),
    )
    async def test_is_quoted_as_text_of_some_length(
        self, maja: Actor, lars: Actor, tips: UUID, text: str
    ):
        await a_reply(lars, await a_topic(maja), text)
        for post in await found(maja, "turb"):
            assert post.found_in
            assert post.found_in.text.strip(" …")
            assert len(post.found_in.text) <= rules.LONGEST_EXCERPT + len("…  …")


LONG = " ".join(str(number) for number in range(1000))


class TestAnExcerpt:
    @pytest.mark.parametrize(
        ("part", "whole", "shown"),
        [
            ("b", "a b\n\nc", "a b c"),
            ("7  8\n9", LONG, "… 7 8 9 …"),
            ("0 1 2", LONG, "0 1 2 …"),
            ("998 999", LONG, "… 998 999"),
            (" ", LONG, f"{LONG[:200]} …"),
            (LONG[2:], LONG, f"… {LONG[2:202]} …"),
        ],
        ids=range(6),
    )
    def test_is_one_line_that_says_where_it_goes_on(self, part: str, whole: str, shown: str):
        assert rules.excerpt(part, whole) == shown
