"""How the scripts of the pages are cut into files."""

from typing import Any

from reflex_base.plugins.base import Plugin

CONFIGURATION = "vite.config.js"
GROUPS = "groups: ["
ICONS = {"icons": 12, "icons-of-some": 2}
"""Each file of icons, and how many pages show each of its icons at least: frames have the first."""
OURS = "test: /lucide-react.dist.esm.icons/"
TOGETHER = "\n".join(
    f'            {{ {OURS}, name: "{name}", minShareCount: {pages} }},'
    for name, pages in ICONS.items()
)


class IconsTogether(Plugin):
    """An icon that several pages show comes with others like it, not as a file of its own.

    A file for each would be half of what a browser asks for, and most of them are smaller than
    the asking.
    """

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](CONFIGURATION, with_icons_together)


def with_icons_together(configuration: str) -> str:
    if configuration.count(GROUPS) != 1:
        raise ValueError(f"{CONFIGURATION} has no single place that says {GROUPS!r}")
    return configuration.replace(GROUPS, f"{GROUPS}\n{TOGETHER}")
