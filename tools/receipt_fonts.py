"""The fonts of receipts: Inter for the alphabets of our eight languages, and Greek, in two files.

Made once and kept in the repository; run it again when Inter or the alphabets change. It reads the
font packages of the frontend, so the app must have been built, and needs a decoder for them:

.venv/bin/uv run --no-project --with fonttools --with brotli python tools/receipt_fonts.py
"""

import shutil
import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

PROJECT = Path(__file__).resolve().parents[1]
INTER = PROJECT / ".web" / "node_modules" / "@fontsource-variable" / "inter"
FONTS = PROJECT / "rewards_app" / "paper" / "fonts"
SUBSETS = ("latin", "latin-ext", "cyrillic", "greek")
WEIGHTS = {"Inter-Regular": 400, "Inter-Bold": 700}

CHARACTERS = {
    *range(0x20, 0x7F),
    *range(0xA0, 0x250),  # Latin
    *range(0x386, 0x3CF),  # Greek
    *range(0x400, 0x460),  # Cyrillic
    *range(0x1E80, 0x1E86),
    *range(0x2010, 0x2027),  # dashes, quotation marks
    *(0x202F, 0x2030, 0x2039, 0x203A, 0x2116, 0x2122, 0x2212),
    *range(0x20A0, 0x20C0),  # currencies
}
MADE = 3_786_912_000  # New Year 2024, in a font's seconds since 1904
# The receipt sets its letters one by one: it reads no rules of how they join.
DROPPED = ["GDEF", "GPOS", "GSUB", "STAT", "gasp"]


def instance(subset: str, weight: int) -> TTFont:
    """One alphabet at one weight, its figures all of one width, as columns want them."""
    font = TTFont(INTER / "files" / f"inter-{subset}-wght-normal.woff2")
    font = instantiateVariableFont(font, {"wght": weight}, updateFontNames=True)
    of_one_width = tabular_figures(font)
    for table in font["cmap"].tables:
        table.cmap = {code: of_one_width.get(glyph, glyph) for code, glyph in table.cmap.items()}
    needed = Subsetter(Options(layout_features=[], drop_tables=DROPPED, hinting=False))
    needed.populate(unicodes=CHARACTERS)
    needed.subset(font)
    font.flavor = None
    return font


def tabular_figures(font: TTFont) -> dict[str, str]:
    """Each figure's glyph, and the one that is as wide as all others."""
    layout = font["GSUB"].table
    lookups = {
        index
        for feature in layout.FeatureList.FeatureRecord
        if feature.FeatureTag == "tnum"
        for index in feature.Feature.LookupListIndex
    }
    figures = {font.getBestCmap().get(code) for code in range(ord("0"), ord("9") + 1)}
    pairs: dict[str, str] = {}
    for index in lookups:
        for table in layout.LookupList.Lookup[index].SubTable:
            mapping = getattr(table, "ExtSubTable", table).mapping
            pairs |= {old: new for old, new in mapping.items() if old in figures}
    return pairs


def merged(weight: int) -> TTFont:
    with tempfile.TemporaryDirectory() as folder:
        files: list[str] = []
        for subset in SUBSETS:
            font = instance(subset, weight)
            files.append(str(Path(folder) / f"{subset}.ttf"))
            font.save(files[-1])
        return Merger().merge(files)


def main() -> None:
    FONTS.mkdir(exist_ok=True)
    for name, weight in WEIGHTS.items():
        font = merged(weight)
        # The same letters are the same file, whenever they were made.
        font.recalcTimestamp = False
        font["head"].created = font["head"].modified = MADE
        font.save(FONTS / f"{name}.ttf")
    shutil.copy(INTER / "LICENSE", FONTS / "LICENSE.txt")


if __name__ == "__main__":
    main()
