"""How the scripts of the pages are cut into files."""

from typing import Any

from reflex_base.plugins.base import Plugin

CONFIGURATION = "vite.config.js"
GROUPS = "groups: ["
COMMON, ICONS = "common", "icons-of-some"
GROUPED = f"""
            {{ name: "{COMMON}", minShareCount: 12 }},
            {{ name: "{ICONS}", test: /lucide-react.dist.esm.icons/, minShareCount: 2 }},"""
"""What so many pages need at least is one file, and so are icons that some of them show."""


class FewFiles(Plugin):
    """What pages have in common comes as a whole, and icons come with others like them.

    A file for each module and icon would be most of what a browser asks for, and most of them are
    smaller than the asking.
    """

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](CONFIGURATION, in_few_files)


def in_few_files(configuration: str) -> str:
    if configuration.count(GROUPS) != 1:
        raise ValueError(f"{CONFIGURATION} has no single place that says {GROUPS!r}")
    return configuration.replace(GROUPS, GROUPS + GROUPED)
