"""A bad setting stops the start with its name and an example."""

import pytest

from rewards_app.core.settings import BadSettings, Settings, read_settings

PRODUCTION = {
    "MODE": "production",
    "SECRET_KEY": "s" * 32,
    "PUBLIC_URL": "https://play.example.com",
    "SMTP_HOST": "smtp.example.com",
    "MAIL_FROM": "WatchCoins <no-reply@example.com>",
    "SUPPORT_EMAIL": "support@example.com",
    "SUPPORT_PHONE": "+46 8 123 456 78",
    "OFFICE_ADDRESS": "Storgatan 1, 111 22 Stockholm",
}
IN_PRODUCTION = {name.lower(): value for name, value in PRODUCTION.items()}
"""As arguments of `Settings`."""
CARDS = {"STRIPE_WEBHOOK_SECRET": f"whsec_{'s' * 32}"}


def with_environment(monkeypatch: pytest.MonkeyPatch, **values: str) -> Settings:
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return read_settings()


class TestValues:
    @pytest.mark.parametrize(
        ("name", "value", "told"),
        [
            ("PORT", "eighty", "PORT: "),
            ("PORT", "70000", "for example 8300"),
            ("MODE", "staging", "development or production"),
            ("DATABASE_URL", "mysql://db/rewards", "postgresql://"),
            ("REDIS_URL", "localhost:6379", "redis://"),
            ("PUBLIC_URL", "play.example.com", "https://play.example.com"),
            ("PUBLIC_URL", "https://play.example.com/app", "scheme and host only"),
            ("PUBLIC_URL", "https://play.example.com?from=mail", "scheme and host only"),
            ("PUBLIC_URL", "https://play.example.com/#top", "scheme and host only"),
            ("PUBLIC_URL", "https://me@play.example.com", "scheme and host only"),
            ("PUBLIC_URL", "https://:443", "scheme and host only"),
            ("PUBLIC_URL", "https://play.example.com:99999", "scheme and host only"),
            ("PUBLIC_URL", "https://play.example.com:http", "scheme and host only"),
            ("PUBLIC_URL", "https://[2001:db8", "scheme and host only"),
            ("PUBLIC_URL", "https://\u200b.example.com", "scheme and host only"),
            ("PUBLIC_URL", "https://play example.com", "scheme and host only"),
            ("PUBLIC_URL", "https://play.example.com;x", "scheme and host only"),
            ("PUBLIC_URL", "https://play.example.com\\evil", "scheme and host only"),
            ("PUBLIC_URL", "https://play..example.com", "scheme and host only"),
            ("PUBLIC_URL", "https://*.example.com", "scheme and host only"),
            ("PUBLIC_URL", "https://192.168.1", "scheme and host only"),
            ("PUBLIC_URL", "https://192.168.1.2.", "scheme and host only"),
            ("PUBLIC_URL", "https://[fe80::1%eth0]", "scheme and host only"),
            ("SMTP_PORT", "-1", "SMTP_PORT"),
            ("MAIL_FROM", "WatchCoins", "MAIL_FROM: must have one address of mail"),
            ("MAIL_FROM", "no-reply@", "for example WatchCoins <no-reply@example.com>"),
            ("MAIL_FROM", "Us <us@example.com>, them@example.com", "must have one address"),
            ("MAIL_FROM", "us@example.com, Them <them@example.com>", "must have one address"),
            (
                "MAIL_FROM",
                "WatchCoins AB, Stockholm <no-reply@example.com>",
                "a name with a comma in quotes, and all of it in others:"
                """ '"WatchCoins AB, Stockholm" <no-reply@example.com>'""",
            ),
            ("SUPPORT_PHONE", "08-123 456 78", "for example +46 8 123 456 78"),
            ("TRUSTED_PROXY_HOPS", "many", "TRUSTED_PROXY_HOPS"),
            ("PASSWORD_ROTATION_DAYS", "-1", "for example 180"),
            ("STRIPE_SECRET_KEY", "sk_test_1", "STRIPE_WEBHOOK_SECRET: missing"),
            ("GOOGLE_CLIENT_ID", "x", "GOOGLE_CLIENT_SECRET: missing"),
            ("OIDC_CLIENT_SECRET", "x", "OIDC_CLIENT_ID: missing"),
            ("OIDC_ISSUER", "id.example.com", "for example https://id.example.com"),
            ("ANALYTICS_KIND", "spy", "off, plausible or umami"),
            ("ANALYTICS_KIND", "umami", "ANALYTICS_URL: missing"),
            ("ANALYTICS_URL", "plausible.io", "for example https://plausible.io"),
            ("ANALYTICS_URL", "https://plausible.io/js", "scheme and host only"),
            ("ANALYTICS_SITE", "two words", "for example play.example.com"),
        ],
    )
    def test_are_refused_by_name(self, monkeypatch, name: str, value: str, told: str):
        with pytest.raises(BadSettings) as refusal:
            with_environment(monkeypatch, **{name: value})
        assert told in str(refusal.value)

    @pytest.mark.parametrize(
        ("typed", "sent"),
        [
            ("https://Play.Example.com", "https://play.example.com"),
            ("HTTPS://play.example.com/", "https://play.example.com"),
            ("https://play.example.com:443", "https://play.example.com"),
            ("http://play.example.com:80", "http://play.example.com"),
            ("https://play.example.com:80", "https://play.example.com:80"),
            ("https://play.example.com:8443/", "https://play.example.com:8443"),
            ("https://M\u00fcnze.se", "https://xn--mnze-0ra.se"),
            ("https://stra\u00dfe.de", "https://xn--strae-oqa.de"),
            ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"),
            ("http://localhost:8300", "http://localhost:8300"),
            ("https://play.example.com ", "https://play.example.com"),
            ("\thttps://play.example.com/\n", "https://play.example.com"),
            ("https://play_1.example-2.com", "https://play_1.example-2.com"),
            ("http://192.168.1.2:8300", "http://192.168.1.2:8300"),
        ],
    )
    def test_of_an_address_are_as_browsers_send_them(self, monkeypatch, typed: str, sent: str):
        """Sockets are opened to who says exactly this."""
        assert with_environment(monkeypatch, PUBLIC_URL=typed).origins == [sent]

    @pytest.mark.parametrize(
        "given",
        [
            "no-reply@play.example.com",
            "WatchCoins <no-reply@play.example.com>",
            '"WatchCoins AB, Stockholm" <no-reply@play.example.com>',
        ],
    )
    def test_of_a_sender_have_the_address_that_mails_come_from(self, monkeypatch, given: str):
        chosen = with_environment(monkeypatch, MAIL_FROM=given)
        assert chosen.sender_address == "no-reply@play.example.com"

    def test_never_show_a_secret(self, monkeypatch):
        chosen = with_environment(monkeypatch, SECRET_KEY="very secret indeed, and long enough")
        assert "very secret" not in repr(chosen)


class TestProduction:
    @pytest.mark.parametrize(
        ("chosen", "is_required"), [({}, True), ({"ADMIN_SECOND_FACTOR": "false"}, False)]
    )
    def test_asks_admins_for_a_second_factor_unless_somebody_says_otherwise(
        self, monkeypatch, chosen: dict[str, str], is_required: bool
    ):
        assert (
            with_environment(monkeypatch, **PRODUCTION | chosen).requires_admin_factor
            is is_required
        )

    def test_tells_page_views_over_https_alone(self, monkeypatch):
        counting = {"ANALYTICS_KIND": "umami", "ANALYTICS_SITE": "one"}
        with pytest.raises(BadSettings) as refusal:
            with_environment(
                monkeypatch, **PRODUCTION | counting, ANALYTICS_URL="http://count.example.com"
            )
        assert str(refusal.value).startswith("ANALYTICS_URL: https")

    @pytest.mark.parametrize("name", [name for name in PRODUCTION if name != "MODE"])
    def test_does_not_start_with_a_development_default(self, monkeypatch, name: str):
        values = {key: value for key, value in PRODUCTION.items() if key != name}
        monkeypatch.delenv(name, raising=False)
        with pytest.raises(BadSettings) as refusal:
            with_environment(monkeypatch, **values)
        assert f"{name}: " in str(refusal.value)

    @pytest.mark.parametrize(
        ("name", "value"), [("SECRET_KEY", "short"), ("PUBLIC_URL", "http://play.example.com")]
    )
    def test_does_not_start_with_a_weak_value(self, monkeypatch, name: str, value: str):
        with pytest.raises(BadSettings) as refusal:
            with_environment(monkeypatch, **PRODUCTION | {name: value})
        assert f"{name}: " in str(refusal.value)

    def test_does_not_send_the_key_of_its_cards_in_the_open(self, monkeypatch):
        far = PRODUCTION | {"STRIPE_API_BASE": "http://api.example.com"}
        with pytest.raises(BadSettings, match="STRIPE_API_BASE: https"):
            with_environment(monkeypatch, **far)
        near = PRODUCTION | {"STRIPE_API_BASE": "http://127.0.0.1:9000"}
        assert with_environment(monkeypatch, **near).stripe_api_base

    def test_does_not_believe_a_provider_that_anybody_could_answer_for(self, monkeypatch):
        client = {"OIDC_CLIENT_ID": "watchcoins", "OIDC_CLIENT_SECRET": "x" * 20}
        far = PRODUCTION | client | {"OIDC_ISSUER": "http://id.example.com"}
        with pytest.raises(BadSettings, match="OIDC_ISSUER: https"):
            with_environment(monkeypatch, **far)
        assert with_environment(monkeypatch, **far | {"MODE": "development"}).oidc_issuer
        for safe in ("https://id.example.com", "http://127.0.0.1:9000"):
            assert with_environment(monkeypatch, **far | {"OIDC_ISSUER": safe}).oidc_issuer

    def test_does_not_believe_news_that_anybody_could_sign(self, monkeypatch):
        cards = {"STRIPE_SECRET_KEY": "sk_live_1", "STRIPE_WEBHOOK_SECRET": "whsec_1"}
        with pytest.raises(BadSettings, match="STRIPE_WEBHOOK_SECRET: ") as refusal:
            with_environment(monkeypatch, **PRODUCTION | cards)
        assert "whsec_1" not in str(refusal.value)
        whole = cards | {"STRIPE_WEBHOOK_SECRET": f"whsec_{'s' * 32}"}
        assert with_environment(monkeypatch, **PRODUCTION | whole).uses_stripe

    @pytest.mark.parametrize("key", ["sk_test_1", "rk_test_1"])
    @pytest.mark.parametrize("base", ["", "https://api.stripe.com", "https://API.Stripe.com."])
    def test_does_not_sell_for_test_cards(self, monkeypatch, key: str, base: str):
        with pytest.raises(BadSettings, match="STRIPE_SECRET_KEY: a live key") as refusal:
            with_environment(
                monkeypatch, **PRODUCTION | CARDS, STRIPE_SECRET_KEY=key, STRIPE_API_BASE=base
            )
        assert key not in str(refusal.value)

    @pytest.mark.parametrize("base", ["https://stripe.example.com", "http://127.0.0.1:9000"])
    def test_is_tried_with_a_server_that_speaks_as_stripe_does(self, monkeypatch, base: str):
        trial = {"STRIPE_SECRET_KEY": "sk_test_1", "STRIPE_API_BASE": base}
        assert with_environment(monkeypatch, **PRODUCTION | CARDS | trial).uses_stripe

    @pytest.mark.parametrize("key", ["sk_live_1", "rk_live_1"])
    def test_sells_for_money_with_a_live_key(self, monkeypatch, key: str):
        chosen = with_environment(monkeypatch, **PRODUCTION | CARDS, STRIPE_SECRET_KEY=key)
        assert chosen.sells_for_money_alone

    def test_starts_with_everything_set(self, monkeypatch):
        assert with_environment(monkeypatch, **PRODUCTION).is_https

    def test_cookies_get_the_host_prefix_behind_https(self, monkeypatch):
        from rewards_app.core import caller

        chosen = with_environment(monkeypatch, **PRODUCTION)
        monkeypatch.setattr(caller, "settings", lambda: chosen)
        assert (caller.session_cookie(), caller.door_cookie()) == ("__Host-session", "__Host-door")


class TestDevelopmentSecret:
    def test_is_made_once_and_kept_for_nobody_else(self, tmp_path):
        first, second = Settings(data_dir=tmp_path).secret, Settings(data_dir=tmp_path).secret
        assert first == second
        assert len(first) >= 48
        assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


class TestKeysBefore:
    def test_come_after_the_present_one(self, monkeypatch):
        chosen = with_environment(
            monkeypatch, SECRET_KEY="n" * 32, SECRET_KEYS_BEFORE="o" * 32 + ", " + "p" * 32
        )
        assert chosen.secrets == ["n" * 32, "o" * 32, "p" * 32]
        assert "o" * 32 not in repr(chosen)

    @pytest.mark.parametrize("before", ["n" * 32, "o o"])
    def test_are_refused_where_one_stands_twice(self, monkeypatch, before: str):
        with pytest.raises(BadSettings, match="SECRET_KEYS_BEFORE: each key once"):
            with_environment(monkeypatch, SECRET_KEY="n" * 32, SECRET_KEYS_BEFORE=before)


class TestPageCounter:
    def test_is_nobody_until_somebody_is_named(self, monkeypatch):
        chosen = with_environment(
            monkeypatch, ANALYTICS_URL="https://plausible.io", ANALYTICS_SITE="play.example.com"
        )
        assert chosen.page_counter == {}

    def test_is_what_a_page_must_know_and_no_more(self, monkeypatch):
        chosen = with_environment(
            monkeypatch,
            ANALYTICS_KIND="plausible",
            ANALYTICS_URL="https://plausible.io/",
            ANALYTICS_SITE="play.example.com",
        )
        assert chosen.page_counter == {
            "kind": "plausible",
            "url": "https://plausible.io",
            "site": "play.example.com",
        }
