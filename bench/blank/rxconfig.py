"""A blank Reflex app as it comes: Radix themes on, everything else at its default."""

import os
import sys
from pathlib import Path

import reflex as rx

origin = f"http://localhost:{os.environ['PORT']}"

config = rx.Config(
    app_name="blank",
    plugins=[rx.plugins.RadixThemesPlugin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
    bun_path=Path(sys.executable).parent / "bun",
    api_url=origin,
    deploy_url=origin,
    telemetry_enabled=False,
)
