"""How the scripts of the pages are cut into files, and what of Reflex's none of them has."""

from typing import Any

from reflex_base.plugins.base import Plugin

CONFIGURATION = "vite.config.js"
COMMON, ICONS = "common", "icons-of-some"
GROUPS = f"""
            {{ name: "{COMMON}", minShareCount: 12 }},
            {{ name: "{ICONS}", test: /lucide-react.dist.esm.icons/, minShareCount: 2 }},"""
"""What so many pages need at least is one file, and so are icons that some of them show."""
UNUSED = """
      {
        find: /^(universal-cookie|\\$\\/utils\\/helpers\\/upload)$/,
        replacement: fileURLToPath(new URL("./public/unused.js", import.meta.url)),
      },"""
"""No state of ours is kept in a cookie, and nothing is uploaded: every page would load how."""
PLACES = {"groups: [": GROUPS, "alias: [": UNUSED}


class FewFiles(Plugin):
    """What pages have in common comes as a whole, and icons come with others like them.

    A file for each module and icon would be most of what a browser asks for, and most of them are
    smaller than the asking.
    """

    def pre_compile(self, **context: Any) -> None:
        context["add_modify_task"](CONFIGURATION, in_few_files)


def in_few_files(configuration: str) -> str:
    for place, ours in PLACES.items():
        if configuration.count(place) != 1:
            raise ValueError(f"{CONFIGURATION} has no single place that says {place!r}")
        configuration = configuration.replace(place, place + ours)
    return configuration
