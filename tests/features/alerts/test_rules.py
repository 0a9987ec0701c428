"""Kinds of alerts and what may stand in one: each has its words, nobody has the last one."""

import re

import pytest

from rewards_app.features.alerts import rules
from rewards_app.features.alerts.rules import SEVERITIES, Kind, Severity
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from tests.serving import PROJECT

ROW = re.compile(r"^\| (`\w+…?`(?:, `\w+`)*) \| ([a-z, ]+) \|", re.MULTILINE)


class TestKinds:
    def test_each_has_a_severity(self):
        assert set(SEVERITIES) == set(Kind)

    def test_each_stands_in_the_handbook_as_bad_as_it_is(self):
        told: dict[str, str] = {}
        for names, said in ROW.findall((PROJECT / "docs/security.md").read_text("utf-8")):
            kinds, severities = re.findall(r"[\w…]+", names), said.split(", ")
            told |= zip(kinds, severities * (len(kinds) // len(severities)), strict=True)
        payments = {kind for kind in Kind if kind.startswith("payment_")}
        assert {told.pop("payment_…")} == {SEVERITIES[kind] for kind in payments}
        assert told == {kind: SEVERITIES[kind] for kind in Kind if kind not in payments}

    @pytest.mark.parametrize("language", CODES)
    def test_each_has_its_words_and_what_to_do(self, language: str):
        known = catalogues.interface(language)
        wanted = [f"alerts.{part}.{kind}" for part in ("kinds", "advice") for kind in Kind]
        wanted += [f"alerts.{part}.{one}" for part in ("severity", "new") for one in Severity]
        assert [key for key in wanted if key not in known] == []

    @pytest.mark.parametrize("language", CODES)
    def test_what_to_do_needs_nothing_to_be_filled_in(self, language: str):
        known = catalogues.interface(language)
        assert not [kind for kind in Kind if "{{" in known[f"alerts.advice.{kind}"]]

    @pytest.mark.parametrize("language", CODES)
    def test_a_toast_begins_with_the_severity_in_capitals(self, language: str):
        known = catalogues.interface(language)
        for one in Severity:
            said = re.split(r"\s?:", known[f"alerts.new.{one}"])[0]
            assert said == known[f"alerts.severity.{one}"].upper()


class TestPlain:
    def test_leaves_what_people_read(self):
        assert rules.plain("Łódź <b>=1+1</b> 'x' 😀") == "Łódź <b>=1+1</b> 'x' 😀"

    @pytest.mark.parametrize(
        "unseen", ["\0", "\n", "\u202e", "\u2066", "\u200b", "\ud800", "\u2028", "\x1b"]
    )
    def test_takes_away_what_nobody_sees(self, unseen: str):
        assert rules.plain(f"a{unseen}b") == "a b"

    def test_is_short(self):
        assert len(rules.plain("x" * 5000)) == rules.LONGEST_PARAM


class TestAddresses:
    def test_are_written_in_one_way(self):
        assert rules.address_from("2001:DB8:0:0::1") == "2001:db8::1"
        assert rules.address_from(" 192.0.2.7 ") == "192.0.2.7"

    @pytest.mark.parametrize("raw", ["", None, "unknown", "192.0.2.7.8", "<script>", "1" * 300])
    def test_what_is_none_is_not_kept(self, raw: str | None):
        assert rules.address_from(raw) is None
