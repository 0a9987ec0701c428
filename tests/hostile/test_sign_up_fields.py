"""What attackers type into the sign-up form: refused, or kept as the text that it is."""

import pytest

from tests.hostile.client import AUTH, Answer, Browser
from tests.hostile.evidence import Diary, Vault
from tests.hostile.identities import PASSWORD, a_new_email, signs_in
from tests.serving import Served

SQL = "'; drop table accounts; --"
SCRIPT = "<script>alert(1)</script>"

EMAILS = {
    "empty": "",
    "blanks": "   ",
    "no at": "maja.example.com",
    "two ats": "maja@example.com@evil.example",
    "nobody": "@example.com",
    "no host": "maja@",
    "a host without a dot": "maja@localhost",
    "a literal address": "maja@[127.0.0.1]",
    "a trailing dot": "maja@example.com.",
    "a dot before the at": "maja.@example.com",
    "a leading dot": ".maja@example.com",
    "two dots": "ma..ja@example.com",
    "a quoted local part": '"maja"@example.com',
    "a quoted local part with a blank": '"ma ja"@example.com',
    "a comment": "maja(admin)@example.com",
    "a display name": "Maja <maja@example.com>",
    "a list": "maja@example.com,admin@example.com",
    "a header after a newline": "maja@example.com\nBcc: everybody@example.com",
    "a header after a return": "maja@example.com\r\nBcc: everybody@example.com",
    "an encoded newline": "maja%0d%0aBcc:x@exam ple.com",
    "a Cyrillic а": "mаja@example.com",
    "a Cyrillic а in the host": "maja@exаmple.com",
    "a full-width at": "maja＠example.com",
    "full-width letters": "ｍａｊａ@example.com",
    "a dotless i": "mıa@example.com",
    "a dotted capital i": "MİA@example.com",
    "a long s": "ſven@example.com",
    "an invisible blank": "ma\u200bja@example.com",
    "a turned direction": "maja\u202emoc.elpmaxe@example.com",
    "a thousand characters": "m" * 200 + "@" + "e" * 60 + ".example",
    "SQL": SQL,
    "SQL before an at": "'or'1'='1@example.com'--",
    "a script": SCRIPT,
    "a throw-away address": "maja@mailinator.com",
}
AGES = {
    "nothing": "",
    "negative": "-21",
    "zero": "0",
    "a child": "12",
    "a hundred": "100",
    "huge": "9" * 200,
    "a decimal": "21.5",
    "an exponent": "1e2",
    "hexadecimal": "0x15",
    "a plus": "+21",
    "an underscore": "2_1",
    "NaN": "NaN",
    "superscripts": "²¹",
    "a word": "twenty",
    "SQL": SQL,
    "a script": SCRIPT,
}
COUNTRIES = {
    "nothing": "",
    "unknown": "XX",
    "nowhere": "ZZ",
    "a union": "EU",
    "three letters": "SWE",
    "one letter": "S",
    "Cyrillic": "СА",
    "SQL": SQL,
    "a script": SCRIPT,
}
PHONES = {
    "nothing": "",
    "letters": "not-a-number",
    "too short": "112",
    "too long": "0" * 33,
    "SQL": SQL,
    "a script": SCRIPT,
}
GENDERS = {
    "nothing": "",
    "the stored word": "man",
    "shouted": "MALE",
    "SQL": SQL,
    "a script": SCRIPT,
}
NAMES = {
    "nothing": "",
    "one letter": "M",
    "signs only": "--''--",
    "41 letters": "m" * 41,
    "SQL": SQL + " " * 5 + SQL + SQL,
    "a turned direction": "Maja\u202eadmin",
    "invisible": "\u2063\u2063\u2063",
    "two alphabets": "Аdmin",
    "an insult": "You idiot",
    "longer than any line": "M" * 301,
    "two lines": "Maja\u2028Admin",
}
REFUSED = [
    pytest.param(field, text, id=f"{field}: {what}")
    for field, texts in {
        "email": EMAILS,
        "age": AGES,
        "country": COUNTRIES,
        "phone_country": COUNTRIES,
        "phone": PHONES,
        "gender": GENDERS,
        "name": NAMES,
    }.items()
    for what, text in texts.items()
]


async def sign_up(browser: Browser, **typed: str) -> Answer:
    form = {
        "email": a_new_email(),
        "password": PASSWORD,
        "name": "Maja",
        "phone": "070-174 06 05",
        "phone_country": "SE",
        "age": "21",
        "gender": "Female",
        "country": "SE",
    }
    async with browser.tab("/auth?mode=signup&type=player") as tab:
        return await tab.call(f"{AUTH}.sign_up", {"form": form | typed})


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(("field", "text"), REFUSED)
async def test_no_account_is_made(visitor: Browser, diary: Diary, field: str, text: str):
    answer = await sign_up(visitor, **{field: text})
    assert answer.is_refusal, answer.changed
    assert answer.refused_as.startswith("accounts.")
    assert not diary.gives_away(PASSWORD, *([text] if "@" in text else []))


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("written", [str.upper, str.title, " {} ".format, "\t{}\n".format])
async def test_an_address_has_one_account_however_it_is_written(
    visitor: Browser, served: Served, written: type[str]
):
    answer = await sign_up(visitor, email=written(served.accounts["player"]["email"]))
    assert answer.refused_as == "accounts.email_taken"


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    "email", ["%", "_%@%", SQL, "' or '1'='1", "admin@demo.watchcoins.example'--"]
)
async def test_sql_signs_nobody_in(visitor: Browser, email: str):
    async with visitor.tab("/auth?mode=login") as tab:
        form = {"email": email, "password": "' or '1'='1"}
        answer = await tab.call(f"{AUTH}.sign_in", {"form": form})
    assert answer.refused_as == "accounts.invalid_credentials"


@pytest.mark.parametrize(
    "extra", ["role", "is_admin", "email_verified_at", "password_hash", "id", "kind", "balance"]
)
async def test_a_field_that_the_form_does_not_have_is_ignored(
    visitor: Browser, vault: Vault, extra: str
):
    email = a_new_email()
    await sign_up(visitor, email=email, **{extra: "admin"})
    query = "select role, email_verified_at, asked_for_admin from accounts where email = %s"
    assert vault.ask(query, email) == [("player", None, False)]


@pytest.mark.parametrize(
    "name", [SCRIPT, "Robert'); drop --", "{{7*7}} ${7*7}", "=cmd|'/C calc'!A0"]
)
async def test_a_name_that_looks_like_code_stays_text(
    served: Served, visitor: Browser, vault: Vault, name: str
):
    email = a_new_email("texts")
    answer = await sign_up(visitor, email=email, name=name)
    assert answer.after["mode"] == "sent", answer.refused_as
    assert vault.one("select display_name from accounts where email = %s", email) == name
    vault.ask("update accounts set email_verified_at = now() where email = %s", email)
    await signs_in(visitor, email)
    async with visitor.tab("/") as tab:
        assert tab.says("name") == name
        assert not any("_call" in str(message) for _, message in tab.heard)
