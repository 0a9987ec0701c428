"""A part of the page whose script is fetched when it is first shown."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar


class Later(rx.Component):
    """In the place of a component that Reflex writes into a file of its own."""

    library = "$/public/later"
    part: str = ""
    file: str = ""

    def _get_imports(self) -> Any:
        return {self.library: [ImportVar(tag="later")]}

    def add_custom_code(self) -> list[str]:
        bring = f'import("{self.file}").then((file) => file.{self.part})'
        return [f"const {self.tag} = later(() => {bring});"]


def later(part: rx.Component) -> rx.Component:
    """`part` is what a function under `@rx.memo` gave."""
    assert part.library
    assert part.tag
    shown = Later.create(part=part.tag, file=part.library)
    shown.tag = f"Later{part.tag}"
    return shown
