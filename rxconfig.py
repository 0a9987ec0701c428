"""Reflex's configuration: every value that differs between installations comes from settings."""

import sys
from pathlib import Path

import reflex as rx

from rewards_app.core.page_states.held import hold_states
from rewards_app.core.page_states.patient import give_up_in_silence
from rewards_app.core.page_states.small import keep_states_small
from rewards_app.core.settings import settings
from rewards_app.ui.chunks import FewFiles
from rewards_app.ui.theme import ThemePlugin, tailwind_config

keep_states_small()
if settings().redis_url:
    hold_states()
    give_up_in_silence()

config = rx.Config(
    app_name="rewards_app",
    plugins=[rx.plugins.TailwindV4Plugin(tailwind_config()), ThemePlugin(), FewFiles()],
    disable_plugins=[rx.plugins.SitemapPlugin],
    # Reflex's own download of bun fails on closed networks: the wheel brings it.
    bun_path=Path(sys.executable).parent / "bun",
    frontend_port=settings().port,
    backend_port=settings().port,
    backend_host=settings().host,
    api_url=settings().origin,
    deploy_url=settings().origin,
    redis_url=settings().redis_url or None,
    cors_allowed_origins=settings().origins,
    trusted_proxy_hops=settings().trusted_proxy_hops,
    telemetry_enabled=False,
    default_color_mode="dark",
    frontend_lazy_bundled_libraries=True,
    state_manager_mode=rx.constants.StateManagerMode.REDIS
    if settings().redis_url
    else rx.constants.StateManagerMode.MEMORY,
)
