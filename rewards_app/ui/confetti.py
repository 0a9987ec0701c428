"""Confetti: it falls once, for a moment worth it."""

import reflex as rx


class Confetti(rx.Component):
    """500 pieces for 5 seconds; `pieces` makes a smaller shower of it."""

    library = "$/public/confetti"
    tag = "Confetti"
    lib_dependencies: list[str] = ["canvas-confetti"]

    pieces: rx.Var[int]
