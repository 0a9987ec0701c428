"""Add texts to the catalogues of all eight languages: TOML on standard input, one table a key.

What begins with `mails.` goes to the catalogues of mails.

.venv/bin/python tools/texts.py < texts.toml
"""

import json
import sys
import tomllib
from pathlib import Path

# The catalogues beside this file, in a copy of the project too.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES

# Plural forms that some of the languages have; the tests know which.
FORMS_OF_SOME = ("_few", "_many")
OF_MAILS = "mails."


def add(texts: dict[str, dict[str, str]]) -> None:
    for language in CODES:
        files: dict[Path, dict[str, dict[str, str]]] = {}
        for key, translations in texts.items():
            files.setdefault(file_of(key, language), {})[key] = translations
        for file, of_file in files.items():
            add_to(file, of_file, language)


def file_of(key: str, language: str) -> Path:
    if key.startswith(OF_MAILS):
        return catalogues.MAILS / f"{language}.json"
    return catalogues.file_of(catalogues.part_of(key), language)


def add_to(file: Path, texts: dict[str, dict[str, str]], language: str) -> None:
    catalogue = json.loads(file.read_text("utf-8"))
    for key, translations in texts.items():
        if language in translations:
            catalogue[key] = translations[language]
    file.write_text(
        json.dumps(catalogue, ensure_ascii=False, indent=2, sort_keys=True) + "\n", "utf-8"
    )


def main() -> None:
    texts = tomllib.load(sys.stdin.buffer)
    languages = set(CODES)
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
