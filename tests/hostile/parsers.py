"""Every parser of ours, what it is fed with, and what it may raise. `reading.py` finds them."""

from datetime import date
from functools import partial
from importlib import import_module
from typing import Any

from cryptography.exceptions import InvalidTag
from hypothesis import strategies as st

from rewards_app.core.sealing import KeyMissing
from rewards_app.features.accounts.rules import AccountKind, Details, SignUpForm
from rewards_app.features.ads.rules import is_safe_url
from rewards_app.features.forum.desk_rules import Deed
from rewards_app.features.health.schedule_rules import UnknownHours
from rewards_app.features.notifications.rules import Topic
from tests.hostile.fuzzing import (
    Fuzz,
    json_values,
    lines,
    near,
    of_form,
    of_thing,
    texts_like,
    things_like,
)
from tests.people import NOON


def function(name: str) -> Any:
    module, _, own = name.rpartition(".")
    return getattr(import_module(f"rewards_app.{module}"), own)


A_CAMPAIGN = {
    "name": "Spring",
    "description": "New chairs",
    "budget": "100.00",
    "daily_budget": "10",
    "start_date": "2026-03-15",
    "end_date": "2026-04-15T12:00",
}
AN_AD = {
    "title": "A chair",
    "description": "For players",
    "ad_type": "video",
    "video_url": "https://cdn.example.com/a.webm",
    "image_url": "https://xn--bcher-kva.example/ä.png?a=1#b",
    "click_url": "https://bücher.example:8443/%7Ea",
    "duration": "30",
    "reward_coins": "15",
}
A_COMPANY = {
    "company_name": "Fjord Audio AB",
    "email": "ads@fjord.example",
    "phone": "+46 70 174 06 05",
    "website": "https://fjord.example",
}
A_GAME = {"title": "Drift", "platform": "PC", "rating": "8", "achievements": "All", "game": ""}
A_QUESTION = {"name": "Maja", "email": "maja@example.com", "subject": "Coins", "message": "Where?"}
AN_EVENT = {"id": "evt_1", "type": "checkout.session.completed", "data": {"object": {"id": "cs"}}}
A_SESSION = {
    "object": "checkout.session",
    "id": "cs_1",
    "amount_total": 8900,
    "currency": "sek",
    "metadata": {"payment_id": "x"},
    "payment_intent": {"id": "pi_1"},
    "status": "complete",
}
CLAIMS = {"sub": "1", "email": "maja@example.com", "email_verified": True, "name": "Maja"}
AN_ANSWER = {
    "id": "aa",
    "rawId": "aa",
    "type": "public-key",
    "response": {"clientDataJSON": "e30", "attestationObject": "oA", "authenticatorData": "aaaa"},
}
A_UUID = "01a20612-b046-72a0-b385-d6b6bf0b5ed0"
AGENTS = ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36", "iPhone FxiOS/1 Safari/1")
TOKENS = ("AZogYrBGcqCzhda2vwte0A", "a" * 100, "====", "-_-_")
CSV = ("package,code\nvbucks-1000,ABCD-1234\n", 'code;package\n"A;B";x\n', "\ufeffcode\tpackage\n")
MAIL = ("Maja@Example.com", "a.b+c@sub.example.org", "å@exämple.se", '"a b"@example.com', "a@[1.1]")

ROUTE = st.fixed_dictionaries(
    {
        "headers": st.fixed_dictionaries(
            {}, optional={"cookie": near("session=a; door=b"), "user-agent": near(*AGENTS)}
        )
    },
    optional={"ip": near("127.0.0.1"), "token": near(A_UUID), "sid": near("x")},
)
A_PLAYER = st.builds(
    SignUpForm,
    email=near(*MAIL),
    password=st.just(""),
    name=near("Maja Ö", "watchcoins.support"),
    phone=near("070-174 06 05"),
    phone_country=near("SE"),
    age=near("21"),
    gender=near("Female"),
    country=near("SE"),
)
DATES = ("1998-05-17", "2026-03-14T10:00:00+00:00", "2024-02-29", "0001-01-01", "9999-12-31T23:59")
AS_SETTINGS_DO = (ValueError,)

FOUND: dict[str, Fuzz] = {
    "core.postgres.certificates.is_here": Fuzz(near("127.0.0.1", "::1", "/run"), refusals=()),
    "core.caller.caller_from": Fuzz(ROUTE, refusals=(), is_text=False),
    "core.sockets.frames.token_of": Fuzz(
        near("token=0b1c-4f&EIO=4&transport=websocket").map(lambda text: {"QUERY_STRING": text}),
        refusals=(),
        is_text=False,
    ),
    "core.ids.id_from": Fuzz(near(A_UUID), refusals=()),
    "core.caller._hashes_in": Fuzz(near("session=a; door=b"), refusals=()),
    "core.caller.source_of": Fuzz(
        near("203.0.113.9", "2001:db8::1", "::ffff:203.0.113.9", "fe80::1%eth0"), refusals=()
    ),
    "core.setting_values._postgres_url": Fuzz(near("postgresql://a@b/c"), refusals=AS_SETTINGS_DO),
    "core.setting_values._redis_url": Fuzz(near("redis://localhost:1/0"), refusals=AS_SETTINGS_DO),
    "core.setting_values.origin_of": Fuzz(
        near("https://play.example.com", "http://[2001:db8::1]:8300", "https://m\u00fcnze.se"),
        refusals=AS_SETTINGS_DO,
        settles=True,
    ),
    "core.settings.is_in_the_open": Fuzz(near("http://[::1]:5"), refusals=AS_SETTINGS_DO),
    "core.setting_values._web_address": Fuzz(near("http://[::1]:4318"), refusals=AS_SETTINGS_DO),
    "doctor.rules.redis_version": Fuzz(near("7.2.4"), refusals=()),
    "features.accounts.age_rules._date_from": lines(*DATES),
    "features.accounts.contacts.refuse_bad_email": lines(*MAIL),
    "features.accounts.contacts._is_guessable": Fuzz(
        near("Tall-Otter7-rides!"), {"words": ["maja"]}, refusals=()
    ),
    "features.accounts.contacts.sign_up_from": of_thing(
        A_PLAYER, kind=AccountKind.PLAYER, language="en"
    ),
    "features.accounts.contacts.normal_phone": lines(
        "070-174 06 05", "+46701740605", "0046 (0)70", country="SE", settles=True
    ),
    "features.accounts.handle_rules.handle_from": Fuzz(
        near("Maja K", "Ǆ", "..a"), refusals=(), settles=True
    ),
    "features.accounts.place_rules.place_of": Fuzz(
        near("203.0.113.9", "2001:db8::1%eth0", "::ffff:1.2.3.4"),
        {"user_agent": AGENTS[0]},
        refusals=(),
    ),
    "features.accounts.provider_service.vouched_from": of_thing(
        things_like(CLAIMS), provider="google"
    ),
    "features.accounts.provider_service.wishes_from": of_thing(
        things_like({"language": "de", "type": "company", "addresses": "yes"})
    ),
    "features.accounts.role_rules.reason_from": lines("They asked for it", settles=True),
    "features.accounts.rules.kind_from": Fuzz(near("player", "company"), refusals=()),
    "features.accounts.name_rules.name_from": lines("Maja Ö", "Åsa\u0301", "Иван", settles=True),
    "features.accounts.rules.player_from": of_thing(A_PLAYER, countries={"SE"}),
    "features.accounts.rules.phone_from": lines("070-174 06 05", country="SE", settles=True),
    "features.accounts.rules.age_from": lines("21", " 130 ", "٢١"),
    "features.accounts.rules.gender_from": lines("Female"),
    "features.accounts.rules.country_from": lines("SE", countries={"SE"}, settles=True),
    "features.accounts.rules.email_from": lines(*MAIL, settles=True),
    "features.admin.case_state._moment": lines(*DATES),
    "features.admin.support_state._place_from": lines(*(f"{one} 12" for one in DATES)),
    "features.ads.rules.report_from": Fuzz(near("misleading"), {"text": "bad"}),
    "features.ads.rules.is_safe_url": Fuzz(
        near("https://a.example/b", "http://u:p@[::1"), {"allows_http": True}, refusals=()
    ),
    "features.ads.rules.tagged": Fuzz(
        # Whoever is sent there was told before that it is safe.
        near("https://a.example/b?utm_source=1&x;y=%ff#z").filter(
            partial(is_safe_url, allows_http=True)
        ),
        {"campaign": "Spring & more", "ad": "Ä"},
        refusals=(),
        settles=True,
    ),
    "features.arrivals.rules.campaign_from": Fuzz(
        near("newsletter/mail/spring", "/ / ", "İ/a/b"), refusals=()
    ),
    "features.advertiser.ad_rules.draft_from": of_form(
        "advertiser", {"allows_http": False}, **AN_AD
    ),
    "features.advertiser.ad_rules._creative_from": of_form(
        "advertiser", {"allows_http": False}, **AN_AD
    ),
    "features.advertiser.ad_rules._kind_from": lines("video"),
    "features.advertiser.application_rules.company_from": of_form(
        "advertiser", {"country": "SE", "allows_http": False}, **A_COMPANY
    ),
    "features.advertiser.application_rules._name_from": lines(
        "Nordic  Games", field="x", settles=True
    ),
    "features.advertiser.campaign_rules.plan_from": of_form(
        "advertiser", {"now": NOON}, **A_CAMPAIGN
    ),
    "features.advertiser.campaign_rules._budgets_from": of_form("advertiser", {}, **A_CAMPAIGN),
    "features.advertiser.campaign_rules._dates_from": of_form("advertiser", {}, **A_CAMPAIGN),
    "features.advertiser.fields.line_from": lines("A  line", field="x", longest=80, settles=True),
    "features.advertiser.fields.text_from": lines(
        "A\r\n\x85b", field="x", longest=80, settles=True
    ),
    "features.advertiser.fields.address_from": lines(
        *AN_AD.values(),
        "https://a.example:443/",
        "https://faß.example./ﬀ",
        field="x",
        allows_http=True,
        allows_own=True,
        settles=True,
    ),
    "features.advertiser.fields._is_number": Fuzz(near("[::1%1]", "127.1", "0x7f.1"), refusals=()),
    "features.advertiser.fields.email_from": lines(*MAIL, field="x", settles=True),
    "features.advertiser.fields.phone_from": lines(
        "070-174 06 05", "+1 (800) FLOWERS;ext=1", field="x", country="SE", settles=True
    ),
    "features.advertiser.fields.cents_from": lines("12.50", "0,1", "٣", field="x"),
    "features.advertiser.fields.number_from": lines("12", "²", field="x", least=1, most=100),
    "features.advertiser.fields.moment_from": lines(*DATES, "2026-W01-1", "20260314", field="x"),
    "features.advertiser.figure_rules.period_from": Fuzz(near("year"), refusals=()),
    "features.advertiser.review_rules.reason_from": lines("Too loud for players", settles=True),
    "features.alerts.rules.address_from": Fuzz(near("203.0.113.9", "::1%é"), refusals=()),
    "features.audit.rules.search_from": lines("maja", action="", by=A_UUID, about="x"),
    "features.audit.rules._who": Fuzz(near(A_UUID), refusals=(ValueError,)),
    "features.consent.rules._parsed": Fuzz(
        st.one_of(json_values, texts_like({"essential": True})), refusals=()
    ),
    "features.economy.rules.period_from": Fuzz(near("week"), refusals=()),
    "features.factors.passkeys.said_in": Fuzz(texts_like(AN_ANSWER)),
    "features.factors.passkeys.added": Fuzz(texts_like(AN_ANSWER), {"challenge": b"a"}),
    "features.factors.passkeys.uses_in": Fuzz(
        texts_like(AN_ANSWER), {"challenge": b"a", "public_key": b"\xa0"}
    ),
    "features.factors.rules.reason_from": lines("Lost the phone", settles=True),
    "features.forum.desk_rules.target_from": lines("post"),
    "features.forum.desk_rules.said_in_forum_from": lines("reply"),
    "features.forum.desk_rules.deed_from": lines("lock"),
    "features.forum.desk_rules.why_from": Fuzz(near("spam"), {"deed": Deed.LOCK}),
    "features.forum.desk_rules.report_reason_from": lines("spam", text="said"),
    "features.forum.desk_rules.note_from": lines("A note", settles=True),
    "features.forum.rules.category_from": Fuzz(near("general"), refusals=()),
    "features.forum.rules.topic_from": lines("general", title="A title", content="Some words"),
    "features.forum.rules.title_from": lines("A  title", settles=True),
    "features.forum.rules.reply_from": lines("a\n\n\n\n\n\nb", settles=True),
    "features.forum.rules.text_from": lines(
        "a\r\n\r\n\r\n\r\n\u202eb", shortest=1, longest=90, settles=True
    ),
    "features.forum.rules.query_from": lines("chairs", settles=True),
    "features.fraud.measure_rules.reason_from": lines("Two accounts", settles=True),
    "features.guardians.rules.email_from": lines(*MAIL, own="maja@example.com", settles=True),
    "features.leaderboard.rules.period_from": Fuzz(near("week"), refusals=()),
    "features.notifications.rules.topic_from": lines("coins", topics=list(Topic)),
    "features.notifications.unsubscribing.read": Fuzz(near(*TOKENS), refusals=()),
    "features.payments.stripe_gateway._scheme_of": Fuzz(near("https://[::1/"), refusals=()),
    "features.payments.webhook._event": Fuzz(
        texts_like(AN_EVENT), refusals=(ValueError, RecursionError)
    ),
    "features.profile.games.game_from": of_form("profile", {}, **A_GAME),
    "features.profile.games.own_game_from": of_form("profile", {}, **A_GAME),
    "features.profile.games.platform_from": of_form("profile", {}, **A_GAME),
    "features.profile.games.achievements_from": of_form("profile", {}, **A_GAME),
    "features.profile.games.rating_from": lines("8", "٨"),
    "features.profile.rules.bio_from": lines("I play\n\nat night", settles=True),
    "features.security.rules.section_from": Fuzz(near("password"), refusals=()),
    "features.shop.code_sheet._cells": Fuzz(
        near('a,"b""c"').filter(lambda line: "\n" not in line and "\r" not in line),
        {"separator": ","},
        refusals=(function("features.shop.code_sheet._Wrong"),),
    ),
    "features.support.inbox._number_from": Fuzz(near("#12", "²"), refusals=()),
    "features.support.rules.answer_from": lines("Thank you for asking.", settles=True),
    "features.support.rules.reply_from": lines("Thank you for asking.", settles=True),
    "features.support.rules.number_from": Fuzz(near("12", "²"), refusals=()),
    "features.support.rules.question_from": of_form("support", {}, **A_QUESTION),
    "features.support.rules.status_from": lines("open"),
    "features.waitlist.links._read": Fuzz(near(*TOKENS), {"purpose": "x"}, refusals=()),
    "features.waitlist.rules.email_from": lines(*MAIL, settles=True),
}

READ_WITHOUT_A_NAME: dict[str, Fuzz] = {
    "core.csv_text.escaped": Fuzz(near("=1+1", " @a"), refusals=(), settles=True),
    "core.watching.logs.redacted": Fuzz(
        near("maja@example.com", "+46 70 174 06 05", "redis://a:b@c"), refusals=(), settles=True
    ),
    "core.sealed.unseal": Fuzz(near(*TOKENS), refusals=(InvalidTag, KeyMissing, ValueError)),
    "features.accounts.age_rules.accepted_birth_date": lines(*DATES, today=date(2026, 3, 14)),
    "features.accounts.age_rules.day_in": Fuzz(
        near("Europe/Oslo", "../etc/passwd").map(lambda zone: [zone]),
        {"now": NOON},
        refusals=(),
        is_text=False,
    ),
    "features.accounts.contacts.corrected": of_form(
        "accounts",
        {"known": Details("SE", "+46701740605", "kvinna")},
        country="SE",
        phone_country="SE",
        phone="070-174 06 05",
        gender="Female",
    ),
    "features.accounts.devices.device_of": Fuzz(near(*AGENTS), refusals=()),
    "features.accounts.handle_rules.mentioned_in": Fuzz(near("hi @maja, @a.b-"), refusals=()),
    "features.accounts.handle_rules.mentions_in": Fuzz(near("hi @Maja, @a.b-"), refusals=()),
    "features.accounts.password_rules.check_password": Fuzz(near("Tall-Otter7!"), refusals=()),
    "features.ads.days.is_zone": Fuzz(near("Europe/Oslo", "../etc/passwd"), refusals=()),
    "features.advertiser.billing_rules.cents_of": lines("12.50"),
    "features.alerts.rules.plain": Fuzz(near("a\u202eb"), refusals=(), settles=True),
    "features.consent.rules.allowed_by": Fuzz(
        st.one_of(json_values, texts_like({"essential": True})), refusals=()
    ),
    "features.factors.rules.normal": Fuzz(near("abcd-2345", "ß"), refusals=(), settles=True),
    "features.factors.rules.passkey_name": lines("My phone", settles=True),
    "features.factors.totp.matching_step": Fuzz(
        near("123456", "١٢٣٤٥٦"), {"secret": None, "now": NOON}, refusals=()
    ),
    "features.forum.rules.links_in": Fuzz(near("see www.a.example and http://b"), refusals=()),
    "features.guardians.rules.signed_name": lines("Maja Berg", is_guardian=True, settles=True),
    "features.health.schedule_rules.hours_of": Fuzz(
        near("*/5 * * * *", "0 3 * * 1"), refusals=(UnknownHours, ValueError)
    ),
    "features.moderation.rules.moderate": Fuzz(near("You are nice", "f.u c-k"), refusals=()),
    "features.payments.stripe_gateway._address": lines("https://checkout.example/a"),
    "features.payments.stripe_gateway.checkout_from": of_thing(things_like(A_SESSION)),
    "features.payments.webhook.opened": Fuzz(
        texts_like(AN_EVENT).map(lambda text: text.encode("utf-8", "surrogatepass")),
        {"signature": "t=1,v1=a"},
    ),
    "features.shop.code_sheet.read": Fuzz(near(*CSV), {"packages": {"vbucks-1000"}}, refusals=()),
    "features.support.rules.one_line": Fuzz(near("a\u2028b"), refusals=(), settles=True),
    "features.waitlist.links.who_confirms": Fuzz(near(*TOKENS), refusals=()),
    "features.waitlist.links.who_leaves": Fuzz(near(*TOKENS), refusals=()),
    "features.waitlist.rules.friends_code": Fuzz(near("ABCD2345"), refusals=()),
    "i18n.languages.known": Fuzz(near("sv"), refusals=(), settles=True),
    "i18n.languages.wanted": Fuzz(near("sv-SE,de;q=0.8,*;q=0"), refusals=(), settles=True),
    "paper.letters.drawable": Fuzz(near("Fjord Ö 👩"), refusals=(), settles=True),
    "paper.letters.undrawable_letters": Fuzz(near("Fjord Ö 株式"), refusals=(), settles=True),
}
PARSERS = FOUND | READ_WITHOUT_A_NAME
"""Those that `reading.py` finds in the code, and those that it cannot tell from other functions."""

OURS_ALONE = {
    "core.queue.fetching.is_ours": "what the queue says in our own database",
    "core.mail.read_in": "a link that we have written ourselves",
    "core.settings._is_stripes": "an address of the operator's own settings",
    "core.sockets.frames._plain": "what our own states hold",
    "doctor.outside._connected": "an address of the operator's own settings",
    "doctor.outside.certificate": "the same, and what the system's TLS has checked",
    "doctor.outside.https": "an address of the operator's own settings",
    "doctor.outside.websocket": "the same",
    "doctor.rules._moment": "the name of a database that an operator's restore gave",
    "features.accounts.contacts.typed_phone": "a number that normal_phone has written",
    "features.accounts.contacts.written_phone": "the same",
    "features.accounts.jobs.finish_sign_up": "a job's own argument, sealed",
    "features.accounts.jobs.mail_link": "a job's own argument",
    "features.accounts.whereabouts._forget": "our own notice between workers",
    "features.ads.days._zone": "a zone that was looked up with is_zone before it was kept",
    "features.advertiser.invoices.send_invoice": "a job's own argument",
    "features.advertiser.jobs.start_what_waited": "a job's own argument",
    "features.forum.things.set_state": "writes what desk_rules decided",
    "features.fraud.jobs.judge": "a job's own argument",
    "features.health.schedule_rules._day_of": "read by hours_of",
    "features.health.schedule_rules._time_of": "read by hours_of",
    "features.payments.jobs.return_money": "a job's own argument",
    "features.privacy.jobs.make_export": "a job's own argument",
    "features.shop.letters.send_code": "a job's own argument",
    "features.waitlist.jobs.tell_that_the_doors_are_open": "a job's own argument",
    "i18n.catalogues.interface": "our own catalogues",
    "i18n.catalogues.mails": "our own catalogues",
}
"""What nobody else writes, and why not."""
