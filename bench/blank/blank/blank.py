"""One page, one counter: what any Reflex app costs before it does something."""

import reflex as rx


class Counter(rx.State):
    count: int = 0

    @rx.event
    def increment(self):
        self.count += 1


def index() -> rx.Component:
    return rx.container(
        rx.vstack(
            rx.heading(Counter.count),
            rx.button("Increment", on_click=Counter.increment),
        ),
    )


app = rx.App()
app.add_page(index)
