"""Browsers in two words."""

import pytest

from rewards_app.features.accounts.devices import Device, device_of

KNOWN = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/126.0.0.0 Safari/537.36": Device("Chrome", "Windows"),
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0": Device("Edge", "Windows"),
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like"
    " Gecko) Version/17.5 Mobile/15E148 Safari/604.1": Device("Safari", "iPhone"),
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like"
    " Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1": Device("Chrome", "iPhone"),
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:127.0) Gecko/20100101 Firefox/127.0": Device(
        "Firefox", "macOS"
    ),
    "Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko)"
    " SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36": Device("Samsung Internet", "Android"),
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/126.0.0.0 Safari/537.36 OPR/112.0.0.0": Device("Opera", "Linux"),
    "Mozilla/5.0 (X11; CrOS x86_64 14541) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/126.0.0.0 Safari/537.36": Device("Chrome", "ChromeOS"),
    "python-requests/2.31": Device("", ""),
    "<script>alert(1)</script>": Device("", ""),
    "": Device("", ""),
}


@pytest.mark.parametrize(("said", "device"), KNOWN.items(), ids=[str(d) for d in KNOWN.values()])
def test_are_told_by_what_they_say_of_themselves(said: str, device: Device):
    assert device_of(said) == device
