"""One language's texts as part of a page's own script: its first render is in that language."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar


class OwnTexts(rx.Fragment):
    """Shows nothing; the file of the page that holds it speaks `language` from its first moment."""

    language: str = ""

    def add_imports(self) -> dict[str, Any]:
        texts = ImportVar(tag=f"texts_{self.language}", is_default=True)
        return {
            f"$/public/locales/visitors/{self.language}.json": [texts],
            "$/public/i18n": [ImportVar(tag="addOwnTexts")],
        }

    def add_custom_code(self) -> list[str]:
        return [f'addOwnTexts("{self.language}", texts_{self.language});']
