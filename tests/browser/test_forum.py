"""The forum as people use it: posting, replying, liking, searching, and being moderated."""

import asyncio
import re
import secrets
from uuid import UUID

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.features.forum import replies
from rewards_app.features.forum.desk_rules import Deed, Why
from rewards_app.features.forum.topic_state import MOST_AT_ONCE
from rewards_app.features.notifications import service as notifications
from rewards_app.i18n.languages import CODES
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, comes_to_show, shown, within
from tests.browser.pages import Screen, tab_to
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in
from tests.browser.test_profile import handle_of
from tests.browser.test_targets import small_targets
from tests.browser.watching import the_actor_behind
from tests.features.forum.test_desk import decides
from tests.forum import a_reply, a_topic, row

IN_SIGHT = """[...element.querySelectorAll("li")].filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}).map((one) => one.innerText)"""
MARKUP = "<img src=x onerror=alert(1)> {{all}} [x](javascript:alert(1))"
CRUEL = "Nobody likes you, so get lost."
RUDE = {
    "en": ("what a stupid map", "stupid"),
    "de": ("diese Karte ist echt scheiße", "scheiße"),
    "ru": ("какая тупая карта, честное слово", "тупая"),
}


class Forum(Screen):
    """The list of topics and a topic itself."""

    @property
    def dialog(self) -> Locator:
        return self.page.locator("#new-post")

    @property
    def cards(self) -> Locator:
        return self.main.get_by_role("article")

    def card(self, title: str) -> Locator:
        return self.cards.filter(has=self.page.get_by_role("heading", name=title))

    @property
    def reply(self) -> Locator:
        return self.page.locator("#reply-content")

    def said(self, text: str) -> Locator:
        return self.main.get_by_role("listitem").filter(has_text=text)

    async def begins(self, title: str, content: str, category: str = "fortnite") -> None:
        await self.button("forum.new_post").click()
        await self.page.locator("#post-title").fill(title)
        await self.page.locator("#post-category").select_option(category)
        await self.page.locator("#post-content").fill(content)

    async def posts(self, title: str, content: str, category: str = "fortnite") -> None:
        await self.begins(title, content, category)
        await self.dialog.get_by_role("button", name=self.says["forum.form.post"]).click()

    async def answers(self, text: str) -> None:
        await self.reply.fill(text)
        await self.main.get_by_role("button", name=self.says["forum.reply"], exact=True).click()

    async def answers_to(self, text: str, author: str) -> None:
        """Begins to, with the button beside what they said."""
        name = re.compile(rf"^{self.says['forum.reply']}\s*: {author}$")
        await self.said(text).get_by_role("button", name=name).click()

    def like(self, place: Locator) -> Locator:
        return place.get_by_role("button", name=re.compile(f"^{self.says['forum.like']} "))

    def faces(self, place: Locator) -> Locator:
        return place.locator(".face")

    def badge(self, place: Locator) -> Locator:
        return place.get_by_role("button", name=self.says["forum.ai_moderated"])


def a_title() -> str:
    return f"Landing {secrets.token_hex(4)}"


async def in_the_forum(
    come: Come, person: Person, path: str = "/forum", language: str = "en", **options: object
) -> Forum:
    visitor = await come(stored={"language": language}, **options)
    await visitor.comes_with(person.session)
    forum = Forum(await visitor.open(path), language)
    await expect(forum.main.get_by_role("heading").first).to_be_visible()
    return forum


def value_of(field_id: str) -> str:
    return f"element.querySelector('#{field_id}')?.value"


def place(topic: object) -> str:
    return f"/forum/topic?id={topic}"


class TestTalking:
    @pytest.mark.parametrize("language", ["en", "de", "ru"])
    async def test_who_is_rude_is_moderated_and_reads_why(
        self, come: Come, maja: Person, a_person: MakePerson, language: str
    ):
        rude, word = RUDE[language]
        title = a_title()
        forum = await in_the_forum(come, maja, language=language)
        async with within(FRESH, shown(forum.dialog, "*" * len(word))):
            await forum.begins(title, f"{title}: {rude}")
        await forum.dialog.get_by_role("button", name=forum.says["forum.form.post"]).click()
        await forum.sees_toast(forum.says["forum.posted.changed_title"])
        await expect(forum.main.get_by_role("heading", name=title)).to_be_visible()
        await expect(forum.main).to_contain_text(forum.says["forum.own.changed"])

        reader = await in_the_forum(come, await a_person(name="Ola"), language=language)
        card = reader.card(title)
        await expect(card.get_by_role("paragraph")).to_contain_text("*" * len(word))
        await expect(card.get_by_role("paragraph")).not_to_contain_text(word)
        await reader.badge(card).hover()
        await expect(card.get_by_role("tooltip")).to_contain_text(word)
        await reader.page.keyboard.press("Escape")
        await expect(card.get_by_role("tooltip")).to_be_hidden()

    async def test_a_topic_is_answered_while_its_author_looks(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        title = a_title()
        topic = await a_topic(await the_actor_behind(maja), title=title, now=utc_now())
        author = await in_the_forum(come, maja, place(topic))
        ola = await a_person(name="Ola")
        reader = await in_the_forum(come, ola)
        await reader.card(title).get_by_role("link", name=re.compile("^Reply")).click()
        await expect(reader.reply).to_be_focused()
        in_brackets = "https://example.com/Lighthouse_(Maine)"
        called = f"@{await handle_of(maja)}"
        said = f"At the lighthouse, {called}, see https://example.com/map ({in_brackets}). {MARKUP}"
        nobody = f"@{secrets.token_hex(8)}"
        said += f" Or ask {nobody}."
        async with within(FRESH, shown(author.main, "At the lighthouse")):
            await reader.answers(said)
            await reader.sees_toast(reader.says["forum.posted.title"])
        link = reader.main.get_by_role("link", name="https://example.com/map")
        await expect(link).to_have_attribute("rel", re.compile("nofollow.*ugc"))
        to_brackets = reader.main.get_by_role("link", name=in_brackets, exact=True)
        await expect(to_brackets).to_have_attribute("href", in_brackets)
        await expect(reader.said(nobody).get_by_role("link", name=nobody)).to_have_count(0)
        await reader.said(nobody).get_by_role("link", name=called, exact=True).click()
        await reader.is_at(f"/player?name={called[1:]}")
        await expect(author.said("At the lighthouse")).to_contain_text(MARKUP)
        await expect(author.main.locator("img")).to_have_count(0)

    async def test_who_is_answered_from_what_is_seen_of_them_is_told(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        topic = await a_topic(await the_actor_behind(maja), title=a_title(), now=utc_now())
        ola, eva = await a_person(name="Ola Berg"), await a_person(name="Eva")
        await a_reply(await the_actor_behind(ola), topic, "At the harbour.", now=utc_now())
        await a_reply(await the_actor_behind(eva), topic, "At the lighthouse.", now=utc_now())
        forum = await in_the_forum(come, await a_person(name="Linnea"), place(topic))
        called, other = [f"@{await handle_of(one)}" for one in (ola, eva)]
        await expect(forum.said("At the harbour.").get_by_text(called, exact=True)).to_be_visible()

        # Who is called by mistake, and told nothing, is called no more.
        await forum.answers_to("At the lighthouse.", "Eva")
        await expect(forum.reply).to_have_value(f"{other} ")
        await forum.answers_to("At the harbour.", "Ola Berg")
        await expect(forum.reply).to_be_focused()
        await expect(forum.reply).to_have_value(f"{called} ")
        await forum.page.keyboard.type("Thank you!")
        await forum.answers_to("At the harbour.", "Ola Berg")
        await expect(forum.reply).to_have_value(f"{called} Thank you!")
        await forum.page.keyboard.press("Shift+Home")
        await forum.page.keyboard.type("Same place tomorrow?")
        await forum.answers_to("At the harbour.", "Ola Berg")
        await expect(forum.reply).to_have_value(f"{called} Same place tomorrow?")
        await forum.button("forum.reply").click()
        await forum.sees_toast(forum.says["forum.posted.title"])
        told = [await notifications.unread(one.account_id) for one in (ola, eva, maja)]
        assert told == [1, 0, 1]

    async def test_what_is_typed_waits_for_its_author(self, come: Come, maja: Person):
        title = a_title()
        forum = await in_the_forum(come, maja)
        await forum.begins(title, "Half a thought")
        await forum.page.wait_for_timeout(800)
        await forum.page.keyboard.press("Escape")
        await expect(forum.dialog).to_be_hidden()
        later = await in_the_forum(come, maja)
        await later.button("forum.new_post").click()
        await expect(later.page.locator("#post-title")).to_have_value(title)
        await expect(later.page.locator("#post-content")).to_have_value("Half a thought")
        await later.button("forum.form.start_over").click()
        await expect(later.page.locator("#post-title")).to_have_value("")

    async def test_what_was_typed_last_before_a_refusal_waits_too(self, come: Come, maja: Person):
        forum = await in_the_forum(come, maja)
        await forum.begins("", "Half a thought")
        title = forum.page.locator("#post-title")
        await title.fill("No")
        await title.press("Enter")
        await expect(forum.page.locator("#post-title-error")).to_be_visible()
        await forum.page.keyboard.press("Escape")
        await expect(forum.dialog).to_be_hidden()
        await forum.button("forum.new_post").click()
        await expect(title).to_have_value("No")

    async def test_a_hundred_thousand_characters_are_refused_and_stay(
        self, come: Come, maja: Person
    ):
        forum = await in_the_forum(come, maja)
        said = forum.says["forum.form.draft_cut"].replace("{{most}}", "10,000")
        async with within(FRESH, shown(forum.dialog, said)):
            await forum.begins(a_title(), "long " * 20_000)
        await forum.dialog.get_by_role("button", name=forum.says["forum.form.post"]).click()
        words = forum.says["errors.forum.text_too_long_other"].replace("{{count}}", "5,000")
        await expect(forum.page.locator("#post-content-error")).to_have_text(words)
        typed = await forum.page.locator("#post-content").input_value()
        assert len(typed) == 100_000

    async def test_thoughts_of_self_harm_bring_help_and_a_person_first(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        title = a_title()
        forum = await in_the_forum(come, maja)
        await forum.posts(title, "I want to kill myself and nobody would notice")
        await forum.sees_toast(forum.says["forum.posted.waits_title"])
        await expect(forum.main).to_contain_text(forum.says["moderation.help.title"])
        reader = await in_the_forum(come, await a_person(name="Ola"))
        await expect(reader.card(title)).to_have_count(0)

    @pytest.mark.parametrize(("why", "count"), [(Why.CARE, 1), (Why.GUIDELINES, 0)])
    async def test_what_was_hidden_out_of_care_still_shows_where_help_is(
        self, come: Come, maja: Person, a_person: MakePerson, why: Why, count: int
    ):
        author = await the_actor_behind(maja)
        topic = await a_topic(author, "I cannot go on.", state="waiting", now=utc_now())
        linnea = await the_actor_behind(await a_person(Role.MODERATOR, name="Linnea"))
        await decides(linnea, topic, Deed.HIDE, why, at=utc_now())
        forum = await in_the_forum(come, maja, place(topic))
        await expect(forum.main).to_contain_text(forum.says[f"forum.desk.reasons.{why}"])
        help_lines = forum.main.get_by_text(forum.says["moderation.help.text"])
        await expect(help_lines).to_have_count(count)

    async def test_own_words_are_changed_and_deleted(self, come: Come, maja: Person):
        title = a_title()
        topic = await a_topic(await the_actor_behind(maja), title=title, now=utc_now())
        forum = await in_the_forum(come, maja, place(topic))
        await forum.button("forum.own.edit_post").click()
        await forum.button("forum.own.save").click()
        await forum.sees_toast(forum.says["forum.own.unchanged_title"])
        await expect(forum.text(forum.says["forum.edited"])).to_have_count(0)
        await forum.button("forum.own.edit_post").click()
        await forum.page.locator("#own-content").fill("On second thoughts, the harbour.")
        await forum.button("forum.own.save").click()
        await expect(forum.main).to_contain_text("On second thoughts")
        await expect(forum.text(forum.says["forum.edited"])).to_be_visible()
        await forum.button("forum.own.delete_post").click()
        await (
            forum.page.locator("#own-delete")
            .get_by_role("button", name=forum.says["forum.own.delete_post"])
            .click()
        )
        await forum.is_at("/forum")
        await expect(forum.card(title)).to_have_count(0)
        page = await forum.page.goto(place(topic))
        assert page
        await expect(forum.heading("forum.topic.missing")).to_be_visible()


class TestAnAddress:
    async def test_brings_no_dialog_of_another_topic_along(self, come: Come, maja: Person):
        author, titles = await the_actor_behind(maja), (a_title(), a_title())
        first, second = [await a_topic(author, title=one, now=utc_now()) for one in titles]
        forum = await in_the_forum(come, maja, place(first))
        asked = forum.page.locator("#own-delete")
        await forum.button("forum.own.delete_post").click()
        await expect(asked).to_be_visible()

        await forum.page.goto(place(second))

        await expect(forum.main.get_by_role("heading", name=titles[1])).to_be_visible()
        await expect(asked).to_be_hidden()
        await forum.button("forum.own.delete_post").click()
        await asked.get_by_role("button", name=forum.says["forum.own.delete_post"]).click()
        await forum.is_at("/forum")
        await expect(forum.card(titles[0])).to_have_count(1)
        await expect(forum.card(titles[1])).to_have_count(0)

    async def test_leads_to_a_reply_that_is_not_shown_at_first(self, come: Come, maja: Person):
        author = await the_actor_behind(maja)
        topic = await a_topic(author, title=a_title(), now=utc_now())
        said = [await a_reply(author, topic, f"Landing {n}.", now=utc_now()) for n in range(34)]
        forum = await in_the_forum(come, maja, f"{place(topic)}#reply-{said[-1]}")
        await expect(forum.said("Landing 33.")).to_be_in_viewport()

        # A link to another one, while the topic is open.
        await forum.page.evaluate(f"location.hash = 'reply-{said[1]}'")
        await expect(forum.said("Landing 1.")).to_be_in_viewport()

    async def test_leads_beyond_what_is_shown_at_once_and_back_to_the_beginning(
        self, come: Come, maja: Person
    ):
        author = await the_actor_behind(maja)
        topic = await a_topic(author, title=a_title(), now=utc_now())
        said = [
            await a_reply(author, topic, f"Landing {n}.", now=utc_now())
            for n in range(MOST_AT_ONCE + 10)
        ]
        forum = await in_the_forum(come, maja, place(topic))
        await expect(forum.said("Landing 0.")).to_be_visible()
        first = forum.button("forum.topic.first")
        await expect(first).to_be_hidden()

        async with within(FRESH, shown(forum.main, f"Landing {MOST_AT_ONCE + 9}.", IN_SIGHT)):
            await forum.page.evaluate(f"location.hash = 'reply-{said[-1]}'")
        await expect(forum.said(f"Landing {MOST_AT_ONCE + 9}.")).to_be_in_viewport()
        await expect(forum.said("Landing 0.")).to_have_count(0)

        await first.click()
        await expect(forum.said("Landing 0.")).to_be_visible()
        await expect(first).to_be_hidden()


async def likes_of(topic: UUID) -> tuple[int, int]:
    """As the topic says, and as they were given."""
    async with transaction() as session:
        given = "select count(*) from forum_likes where post_id = %(topic)s"
        [(count,)] = await rows(session, given, {"topic": topic})
    return (await row("forum_posts", topic))["likes_count"], count


async def is_liked(topic: UUID, times: int) -> None:
    """The page shows it before the server has heard of it; once it has, it stays so."""
    async with asyncio.timeout(10):
        while await likes_of(topic) != (times, times):
            await asyncio.sleep(0.1)
    await asyncio.sleep(0.5)
    assert await likes_of(topic) == (times, times)


class TestTheList:
    async def test_a_like_shows_at_once_and_counts_once(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        title = a_title()
        topic = await a_topic(await the_actor_behind(maja), title=title, now=utc_now())
        forum = await in_the_forum(come, await a_person(name="Ola"))
        like = forum.like(forum.card(title))
        await like.click()
        await expect(like).to_have_attribute("aria-pressed", "true")
        await expect(like).to_contain_text("1")
        await is_liked(topic, 1)
        await like.click()
        await expect(like).to_contain_text("0")
        await is_liked(topic, 0)

    async def test_what_moderation_removed_is_neither_liked_nor_answered(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        title, author = a_title(), await the_actor_behind(maja)
        topic = await a_topic(author, CRUEL, title=title, now=utc_now())
        await a_reply(author, topic, CRUEL, now=utc_now())
        forum = await in_the_forum(come, await a_person(name="Ola"))
        card = forum.card(title)
        await expect(card).to_contain_text("was removed for violating")
        await expect(forum.like(card)).to_have_count(0)
        await expect(card.get_by_role("link", name=re.compile("^Reply"))).to_have_count(0)
        await card.get_by_role("link", name=title).click()
        await expect(forum.said("was removed for violating")).to_be_visible()
        await expect(forum.like(forum.main)).to_have_count(0)
        await expect(forum.reply).to_have_count(0)
        await expect(forum.main.get_by_role("button", name=re.compile("^Reply"))).to_have_count(0)

    async def test_a_title_that_was_removed_says_so_for_its_text_too(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        topic = await a_topic(await the_actor_behind(maja), CRUEL, title=CRUEL, now=utc_now())
        forum = await in_the_forum(come, await a_person(name="Ola"))
        card = forum.cards.filter(has=forum.page.locator(f"a[href$='{topic}']"))
        sentence = forum.says["moderation.removed.bullying"]
        await expect(card.get_by_text(sentence, exact=True)).to_have_count(1)
        await forum.page.goto(f"{forum.page.url.partition('/forum')[0]}{place(topic)}")
        await expect(forum.main.get_by_role("heading", name=sentence)).to_be_visible()
        await expect(forum.main.get_by_text(sentence, exact=True)).to_have_count(1)

    async def test_new_topics_are_announced_and_the_list_stays_where_it_is(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        forum = await in_the_forum(come, maja, "/forum?category=minecraft")
        writer = await in_the_forum(come, await a_person(name="Ola"))
        title = a_title()
        async with within(FRESH, shown(forum.main, "new post")):
            await writer.posts(title, "A village after 400 hours", "minecraft")
            await writer.sees_toast(writer.says["forum.posted.title"])
        news = forum.main.get_by_role("button", name=re.compile("new post"))
        await expect(news).to_be_visible()
        await expect(forum.card(title)).to_have_count(0)
        await news.click()
        await expect(forum.card(title)).to_be_visible()

    async def test_the_search_stands_in_the_address(self, come: Come, maja: Person):
        word = f"zanzibar{secrets.token_hex(3)}"
        actor = await the_actor_behind(maja)
        title = a_title()
        await a_topic(actor, f"I love the {word} island", title=title, now=utc_now())
        forum = await in_the_forum(come, maja)
        await forum.field("forum.search").fill(word)
        await forum.page.keyboard.press("Enter")
        await expect(forum.page).to_have_url(re.compile(f"q={word}"))
        await expect(forum.card(title)).to_be_visible()
        await expect(forum.cards).to_have_count(1)
        await forum.main.get_by_role("link", name="Roblox").click()
        await expect(forum.heading("forum.none_found")).to_be_visible()
        await forum.page.go_back()
        await expect(forum.card(title)).to_be_visible()

    async def test_words_of_a_reply_lead_to_it(self, come: Come, maja: Person):
        word = f"zanzibar{secrets.token_hex(3)}"
        actor = await the_actor_behind(maja)
        title = a_title()
        topic = await a_topic(actor, title=title, now=utc_now())
        for text in (*["At the lighthouse."] * 30, f"We all land in {word}."):
            await a_reply(actor, topic, text, now=utc_now())
        forum = await in_the_forum(come, maja, f"/forum?q={word[:-2]}")
        await forum.card(title).get_by_role("link", name=word).click()
        await expect(forum.page).to_have_url(re.compile(rf"id={topic}#reply-"))
        await expect(forum.said(word)).to_be_in_viewport()

    async def test_on_a_phone_all_begin_alike(self, come: Come, maja: Person, a_person: MakePerson):
        author, titles = await the_actor_behind(maja), (a_title(), a_title())
        for title, text in zip(titles, ("Where do you land?", "what a stupid map"), strict=True):
            await a_topic(author, text, title=title, now=utc_now())
        forum = await in_the_forum(come, await a_person(name="Ola"), viewport=PHONE)
        await expect(forum.badge(forum.card(titles[1]))).to_be_visible()
        plain, moderated = [
            await forum.card(title).evaluate(
                """card => ["a", "h2"].map((part) =>
                    card.querySelector(part).getBoundingClientRect().top
                    - card.getBoundingClientRect().top)"""
            )
            for title in titles
        ]
        # A frame around a mark is as thin as that.
        assert plain == pytest.approx(moderated, abs=2)

    @pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
    async def test_everybody_has_a_face_of_their_own(
        self, come: Come, maja: Person, a_person: MakePerson, size: dict[str, int]
    ):
        title, author = a_title(), await the_actor_behind(maja)
        ola = await a_person(name="Ola")
        topic = await a_topic(author, "Where do you land?", title=title, now=utc_now())
        await a_reply(await the_actor_behind(ola), topic, "In the harbour", now=utc_now())
        forum = await in_the_forum(come, ola, viewport=size)
        await expect(forum.faces(forum.card(title))).to_have_text(["M"])
        await expect(forum.faces(forum.card(title))).to_be_visible()
        await forum.card(title).get_by_role("link", name=title, exact=True).click()
        await expect(forum.faces(forum.main)).to_have_text(["M", "O"])
        await expect(forum.faces(forum.said("In the harbour"))).to_be_visible()

    async def test_older_ones_come_when_asked_for(self, come: Come, maja: Person):
        actor = await the_actor_behind(maja)
        for _ in range(25):
            await a_topic(actor, title=a_title(), category="apex", now=utc_now())
        forum = await in_the_forum(come, maja, "/forum?category=apex")
        await expect(forum.cards).to_have_count(20)
        await forum.button("forum.load_more").click()
        await expect(forum.cards.nth(24)).to_be_visible()

    async def test_a_company_reads_and_writes_too(self, come: Come, a_person: MakePerson):
        company = await a_person(Role.COMPANY, name="Acme")
        forum = await in_the_forum(come, company)
        await forum.posts(a_title(), "Ask us anything about our ads")
        await forum.sees_toast(forum.says["forum.posted.title"])
        await expect(forum.main).to_contain_text(forum.says["roles.company"])


class TestWhatModeratorsDecide:
    async def test_a_hidden_topic_tells_its_author_why_and_nobody_else(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        topic = await a_topic(await the_actor_behind(maja), title=a_title(), now=utc_now())
        forum = await in_the_forum(come, maja, place(topic))
        linnea = await the_actor_behind(await a_person(Role.MODERATOR, name="Linnea"))
        async with within(FRESH, shown(forum.main, forum.says["forum.own.hidden"])):
            await decides(linnea, topic, Deed.HIDE, at=utc_now())
            await live.tell_now()
        await forum.button("forum.appeals.appeal").click()
        await expect(forum.page.locator("#forum-appeal")).to_be_visible()
        other = await in_the_forum(come, await a_person(name="Ola"), place(topic))
        await expect(other.heading("forum.topic.missing")).to_be_visible()

    async def test_nobody_replies_to_a_locked_topic(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        topic = await a_topic(await the_actor_behind(maja), title=a_title(), now=utc_now())
        forum = await in_the_forum(come, maja, place(topic))
        await expect(forum.reply).to_be_visible()
        linnea = await the_actor_behind(await a_person(Role.MODERATOR, name="Linnea"))
        async with within(FRESH, shown(forum.main, forum.says["forum.topic.locked"])):
            await decides(linnea, topic, Deed.LOCK, at=utc_now())
            await live.tell_now()
        await expect(forum.reply).to_have_count(0)
        await expect(forum.main).to_contain_text("The tone has become too heated.")
        await forum.button("forum.appeals.appeal").click()
        await expect(forum.page.locator("#forum-appeal")).to_be_visible()

    @pytest.mark.parametrize(
        ("deed", "undone"), [(Deed.LOCK, Deed.UNLOCK), (Deed.HIDE, Deed.RESTORE)]
    )
    async def test_what_was_being_typed_stays_in_sight_and_goes_on_once_that_is_undone(
        self, come: Come, maja: Person, a_person: MakePerson, deed: Deed, undone: Deed
    ):
        ola = await the_actor_behind(await a_person(name="Ola"))
        topic = await a_topic(ola, title=a_title(), now=utc_now())
        forum = await in_the_forum(come, maja, place(topic))
        async with within(FRESH, shown(forum.reply, "Half a thought", "element.textContent")):
            await forum.reply.press_sequentially("Half a thought")
        await expect(forum.reply).to_have_text("Half a thought")
        await forum.reply.press_sequentially(", and half of another")
        linnea = await the_actor_behind(await a_person(Role.MODERATOR, name="Linnea"))
        kept, whole = forum.page.locator("#reply-begun"), "Half a thought, and half of another"
        async with within(FRESH, shown(forum.main, whole, value_of("reply-begun"))):
            await decides(linnea, topic, deed, at=utc_now())
            await live.tell_now()
        await expect(kept).to_have_value(whole)
        await expect(kept).not_to_be_editable()
        await expect(forum.reply).to_have_count(0)
        await decides(linnea, topic, undone, at=utc_now())
        await live.tell_now()
        if deed is Deed.HIDE:
            await forum.page.reload()
        await comes_to_show(forum.body, whole, value_of("reply-content"))
        await expect(forum.reply).to_have_value(whole)
        await expect(kept).to_have_count(0)


class TestForEverybody:
    async def test_axe_finds_nothing(self, come: Come, maja: Person, a_person: MakePerson):
        title = a_title()
        ola = await the_actor_behind(await a_person(name="Ola"))
        topic = await a_topic(ola, "what a stupid map", title=title, now=utc_now())
        await a_reply(await the_actor_behind(maja), topic, "you are stupid", now=utc_now())
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(maja.session)
        forum = Forum(await visitor.open("/forum"))
        await expect(forum.card(title)).to_be_visible()
        for size in (DESK, PHONE):
            await forum.page.set_viewport_size(size)
            await forum.badge(forum.card(title)).click()
            await has_no_violations(forum.page)
        async with within(FRESH, shown(forum.dialog, "******")):
            await forum.begins(a_title(), "what a stupid game")
        await has_no_violations(forum.page, DESK, PHONE)
        forum = Forum(await visitor.open(place(topic)))
        await expect(forum.reply).to_be_visible()
        await has_no_violations(forum.page, DESK, PHONE)

    @pytest.mark.parametrize("name", ["Maja", "Maja-Who-Lands-First"])
    async def test_a_finger_hits_who_wrote_it_and_why_it_was_moderated(
        self, come: Come, a_person: MakePerson, name: str
    ):
        rude = await the_actor_behind(await a_person(name=name))
        topic = await a_topic(rude, "what a stupid map", title=a_title(), now=utc_now())
        await a_reply(rude, topic, "you are stupid", now=utc_now())
        ola = await a_person(name="Ola")
        forum = await in_the_forum(
            come, ola, place(topic), viewport=PHONE, has_touch=True, is_mobile=True
        )
        async for language in forum.in_each_of(CODES):
            await expect(forum.badge(forum.main)).to_have_count(2)
            assert await comes_to_rest(forum.page), language
            assert not await small_targets(forum.page, language)

    async def test_a_keyboard_reaches_everything_of_a_card(
        self, come: Come, maja: Person, a_person: MakePerson
    ):
        title = a_title()
        ola = await the_actor_behind(await a_person(name="Ola"))
        topic = await a_topic(ola, "what a stupid map", title=title, now=utc_now())
        forum = await in_the_forum(come, maja)
        card = forum.card(title)
        await expect(card).to_be_visible()
        await tab_to(forum.page, forum.field("forum.search"), at_most=60)
        await tab_to(forum.page, forum.badge(card))
        await expect(card.get_by_role("tooltip")).to_be_visible()
        await tab_to(forum.page, forum.like(card))
        await forum.page.keyboard.press("Space")
        await expect(forum.like(card)).to_have_attribute("aria-pressed", "true")
        await tab_to(forum.page, card.get_by_role("link", name=re.compile("^Reply")))
        await forum.page.keyboard.press("Enter")
        await expect(forum.page).to_have_url(re.compile(str(topic)))

    async def test_it_fits_every_screen(self, come: Come, maja: Person, a_person: MakePerson):
        title = "W" * 100 + secrets.token_hex(8)
        ola = await the_actor_behind(await a_person(name="Maximiliane von Hohenstaufen-Lange"))
        topic = await a_topic(ola, "x" * 400 + " what a stupid map", title=title, now=utc_now())
        async with transaction() as session:
            await replies.reply(session, ola, topic, "y" * 300, language="en", now=utc_now())
        forum = await in_the_forum(come, maja)
        await expect(forum.card(title)).to_be_visible()
        found = await spilled_in(forum)
        await forum.page.goto(place(topic))
        await expect(forum.reply).to_be_visible()
        assert found + await spilled_in(forum) == []
