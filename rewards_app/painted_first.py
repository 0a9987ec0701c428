"""Documents that say something by themselves: they are painted before their scripts are fetched.

The builder has them fetch everything at once. On a phone the styles and the fonts then share the
line with ten times as much script, and the first words come a second and a half later.
"""

import json
import re

PRELOAD = re.compile(r'<link rel="modulepreload" href="([^"]+)"/>')
START = re.compile(r'(<script type="module" async="">)(import .*?)(</script>)', re.DOTALL)
ONLY_RUN = re.compile(r'^import ("[^"]+");', re.MULTILINE)
WAITED_FOR = re.compile(r"^import\(", re.MULTILINE)
NAMED = re.compile(r'^import \* as (\w+) from ("[^"]+");', re.MULTILINE)


def painted_first(document: str) -> str:
    """Done twice it is the same: what is no longer there is not moved again."""
    files = json.dumps(PRELOAD.findall(document))
    if not START.search(document):
        return document
    without = PRELOAD.sub("", document)
    return START.sub(lambda start: f"{start[1]}{_later(start[2], files)}{start[3]}", without)


def _later(script: str, files: str) -> str:
    """The builder's own start, once there is a frame; a tab in the background has none.

    What a document could not fetch it never asks for again. So it is loaded anew as soon as the
    server answers, and once a minute at most, as `assets/later.js` does it.
    """
    waiting = ONLY_RUN.sub(r"await import(\1);", NAMED.sub(r"const \1 = await import(\2);", script))
    waiting = WAITED_FOR.sub("await import(", waiting)
    return (
        f"const start = async () => {{ for (const href of {files})"
        ' document.head.append(Object.assign(document.createElement("link"),'
        f' {{ rel: "modulepreload", href }}));\n{waiting} }};\n'
        f"{_ANEW}"
        "const begin = () => start().catch(() => setTimeout(anew, 2000));\n"
        "if (document.hidden) begin(); else requestAnimationFrame(() => setTimeout(begin));"
    )


_ANEW = """\
const anew = async () => {
  if (Date.now() - sessionStorage.getItem("renewed") < 60000) return;
  try { await fetch(location.pathname, { cache: "no-store" }); }
  catch { return void setTimeout(anew, 2000); }
  sessionStorage.setItem("renewed", Date.now());
  location.reload();
};
"""
