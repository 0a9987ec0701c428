"""Add texts to the catalogues of all eight languages: TOML on standard input, one table a key.

.venv/bin/python tools/texts.py < texts.toml
"""

import json
import sys
import tomllib
from pathlib import Path

# Plural forms that some of the languages have; the tests know which.
FORMS_OF_SOME = ("_few", "_many")
LOCALES = Path(__file__).resolve().parents[1] / "assets" / "locales"


def add(texts: dict[str, dict[str, str]]) -> None:
    for file in sorted(LOCALES.glob("*.json")):
        catalogue = json.loads(file.read_text("utf-8"))
        for key, translations in texts.items():
            if file.stem in translations:
                catalogue[key] = translations[file.stem]
        file.write_text(
            json.dumps(catalogue, ensure_ascii=False, indent=2, sort_keys=True) + "\n", "utf-8"
        )


def main() -> None:
    texts = tomllib.load(sys.stdin.buffer)
    languages = {file.stem for file in LOCALES.glob("*.json")}
    missing = [
        f"{key}: {', '.join(sorted(languages - set(translations)))}"
        for key, translations in texts.items()
        if languages - set(translations) and not key.endswith(FORMS_OF_SOME)
    ]
    if missing:
        sys.exit("Translations are missing for\n" + "\n".join(missing))
    add(texts)
    print(f"{len(texts)} texts in {len(languages)} languages.")


if __name__ == "__main__":
    main()
