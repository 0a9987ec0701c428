"""How the scripts of the pages are cut into files, and what is brought that none of them has."""

from typing import Any

from reflex_base.plugins.base import Plugin

CONFIGURATION = "vite.config.js"
COMMON, OF_ALL, ICONS = "common", "of-all", "icons-of-some"
GROUPS = f"""
            {{ name: "{COMMON}", minShareCount: 12 }},
            {{
              name: "{OF_ALL}",
              test: /public.(arrivals|consent|session).js$/,
              minShareCount: 2,
            }},
            {{ name: "{ICONS}", test: /lucide-react.dist.esm.icons/, minShareCount: 2 }},"""
"""What so many pages need at least is one file, and so are icons that some of them show.

What lies around all pages is needed by each and counted as needed by one: it is named.
"""
LEFT_OUT = (
    "universal-cookie",
    r"\$\/utils\/helpers\/upload",
    "hoist-non-react-statics",
    r"\.\/polling-xhr\.node\.js",
    r"\.\/webtransport\.js",
)
UNUSED = f"""
      {{
        find: /^({"|".join(LEFT_OUT)})$/,
        replacement: fileURLToPath(new URL("./public/unused.js", import.meta.url)),
      }},"""
"""Every page would load how Reflex keeps state in cookies and uploads files, how Emotion hands its
theme to a component, and how events travel other than by a websocket: none does."""
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
