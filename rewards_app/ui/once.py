"""What an address asks for once."""

import reflex as rx


class AskedOnce(rx.Component):
    """Takes `name` out of the address: whoever loads the page again does not ask again."""

    library = "$/public/once"
    tag = "AskedOnce"

    name: rx.Var[str]
