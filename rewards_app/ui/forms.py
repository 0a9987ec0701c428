"""Forms: labelled fields with a hint and an error that screen readers find."""

from collections.abc import Sequence
from typing import Any, Literal

import reflex as rx
from reflex_base.event import no_args_event_spec

from rewards_app.i18n.page_text import t
from rewards_app.ui.icons import icon
from rewards_app.ui.inputs import PasswordInput
from rewards_app.ui.markup import Child, Flag, Handler, Text, attributes

InputType = Literal[
    "text",
    "email",
    "password",
    "number",
    "tel",
    "url",
    "date",
    "datetime-local",
    "search",
    "file",
    "time",
]
Mode = Literal["text", "tel", "url", "email", "numeric", "decimal", "search"]

CONTROL = (
    "block w-full min-h-11 rounded-control border border-edge bg-bg px-3.5 text-base text-text"
    " aria-invalid:border-danger disabled:opacity-60"
    " [&[readonly]]:border-line [&[readonly]]:bg-transparent [&[readonly]]:text-quiet"
)


def form(*children: Child, on_submit: Handler, class_name: str = "", **props: Any) -> rx.Component:
    """A form whose fields reach `on_submit` as a dict; the browser sends nothing itself."""
    return rx.el.form(
        *children,
        on_submit=on_submit,
        no_validate=props.pop("no_validate", False),
        class_name=f"grid gap-4 {class_name}".strip(),
        **props,
    )


class DownloadForm(rx.Component):
    """Posts its fields to `action`, from where a file comes; `on_refused` when none does."""

    library = "$/public/download"
    tag = "Download"
    name: rx.Var[str]
    action: rx.Var[str]
    on_refused: rx.EventHandler[no_args_event_spec]


def form_row(*children: Child) -> rx.Component:
    """Fields side by side where there is room."""
    return rx.el.div(*children, class_name="grid items-start gap-4 sm:grid-cols-2")


def text_field(
    name: Text,
    label: Text,
    *,
    type_: InputType = "text",
    autocomplete: str | None = None,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    required: bool = False,
    inputmode: Mode | None = None,
    hides_label: bool = False,
    field_id: Text | None = None,
    **limits: Any,
) -> rx.Component:
    """One line of text; `limits` are the input's own, like min, max, max_length, default_value."""
    names = FieldNames(name, field_id)
    return names.around(
        rx.el.input(
            name=name,
            type=type_,
            auto_complete=autocomplete,
            input_mode=inputmode,
            required=required,
            class_name=CONTROL,
            custom_attrs=names.described(hint, error),
            **limits,
        ),
        label=label,
        hint=hint,
        error=error,
        hides_label=hides_label,
    )


def password_field(
    name: Text,
    label: Text,
    *,
    autocomplete: Literal["current-password", "new-password"],
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    required: bool = True,
    on_change: Handler = None,
    weighed_with: Sequence[str] = (),
    field_id: Text | None = None,
    auto_focus: bool = False,
) -> rx.Component:
    """A password that can be shown; showing it stays in the browser.

    `on_change` hears what is typed, and what stands in the form's fields `weighed_with`.
    """
    names = FieldNames(name, field_id)
    changes: dict[str, Any] = {}
    if on_change is not None:
        changes = {"on_change": on_change, "weighed_with": list(weighed_with)}
    begins = {"auto_focus": True} if auto_focus else {}
    return names.around(
        PasswordInput.create(
            name=name,
            auto_complete=autocomplete,
            required=required,
            show_label=t("ui.show_password"),
            hide_label=t("ui.hide_password"),
            class_name=f"{CONTROL} pr-12",
            custom_attrs=names.described(hint, error),
            **changes,
            **begins,
        ),
        label=label,
        hint=hint,
        error=error,
    )


def textarea_field(
    name: Text,
    label: Text,
    *,
    rows: int = 4,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    required: bool = False,
    field_id: Text | None = None,
    **limits: Any,
) -> rx.Component:
    """Several lines of text; the field grows with them."""
    names = FieldNames(name, field_id)
    return names.around(
        rx.el.textarea(
            name=name,
            rows=str(rows),
            required=required,
            class_name=f"{CONTROL} field-sizing-content min-h-24 resize-y py-2.5",
            custom_attrs=names.described(hint, error),
            **limits,
        ),
        label=label,
        hint=hint,
        error=error,
    )


def select_field(
    name: Text,
    label: Text,
    options: list[tuple[str, Text]] | rx.Var[list[tuple[str, str]]] | rx.Component,
    *,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    required: bool = False,
    autocomplete: str | None = None,
    field_id: Text | None = None,
    **props: Any,
) -> rx.Component:
    """One out of many, with the system's own list; options are (value, label)."""
    names = FieldNames(name, field_id)
    return names.around(
        rx.el.div(
            rx.el.select(
                _options(options),
                name=name,
                required=required,
                auto_complete=autocomplete,
                class_name=f"{CONTROL} appearance-none pr-10",
                custom_attrs=names.described(hint, error),
                **props,
            ),
            icon("chevron-down", 18, class_name="pointer-events-none absolute right-3 text-quiet"),
            class_name="relative flex items-center",
        ),
        label=label,
        hint=hint,
        error=error,
    )


class FieldNames:
    """The ids that tie a field to its label, hint and error."""

    def __init__(self, name: Text, field_id: Text | None) -> None:
        self.field: Text = field_id if field_id is not None else f"field-{name}"
        self.hint = f"{self.field}-hint"
        self.error = f"{self.field}-error"

    def described(self, hint: Text | None, error: rx.Var[str] | None) -> dict[str, Any]:
        """The control's id and what a screen reader says after its label."""
        said = [self.hint] if hint is not None else []
        if error is None:
            return attributes(id=self.field, aria_describedby=" ".join(said) or None)
        return attributes(
            id=self.field,
            aria_invalid=rx.cond(error, "true", "false"),
            aria_describedby=" ".join([self.error, *said]),
        )

    def around(
        self,
        control: rx.Component,
        *,
        label: Text,
        hint: Text | None,
        error: rx.Var[str] | None,
        hides_label: bool = False,
    ) -> rx.Component:
        """The control below its label, with what explains it."""
        return rx.el.div(
            rx.el.label(
                label,
                html_for=self.field,
                class_name="sr-only" if hides_label else "text-sm font-medium",
            ),
            control,
            *([] if hint is None else [_hint(hint, self.hint)]),
            *([] if error is None else [_error(error, self.error)]),
            class_name="grid min-w-0 content-start gap-1.5",
        )


def checkbox(
    name: Text,
    label: Child,
    *,
    checked: Flag | None = None,
    on_change: Handler = None,
    required: bool = False,
    hint: Text | None = None,
    error: rx.Var[str] | None = None,
    disabled: Flag = False,
    is_switch: bool = False,
    field_id: Text | None = None,
) -> rx.Component:
    """Yes or no; as a switch where it takes effect at once."""
    names = FieldNames(name, field_id)
    state: dict[str, Any] = {} if checked is None else {"checked": checked}
    if on_change is not None:
        state["on_change"] = on_change
    elif checked is not None:
        state = {"default_checked": checked}
    control = rx.el.input(
        type="checkbox",
        name=name,
        required=required,
        disabled=disabled,
        class_name="switch" if is_switch else "check",
        custom_attrs=names.described(hint, error)
        | attributes(role="switch" if is_switch else None),
        **state,
    )
    words = rx.el.span(label, class_name="min-w-0 flex-1")
    return rx.el.div(
        rx.el.label(
            *((words, control) if is_switch else (control, words)),
            html_for=names.field,
            class_name="flex min-h-11 cursor-pointer items-center gap-3",
        ),
        *([] if hint is None else [_hint(hint, names.hint, _UNDER_SWITCH if is_switch else "")]),
        *([] if error is None else [_error(error, names.error)]),
        class_name="grid gap-0.5",
    )


# Close to its label, though that is as tall as a finger; a touch there goes through to the label.
_UNDER_SWITCH = "pointer-events-none -mt-2 sm:pr-14"


def actions(*children: Child) -> rx.Component:
    """The row of buttons that ends a form: side by side, one below the other on a phone."""
    return rx.el.div(
        *children,
        class_name="flex flex-col-reverse gap-2 sm:flex-row sm:flex-wrap sm:justify-end",
    )


def _hint(text: Text, element_id: str, look: str = "") -> rx.Component:
    return rx.el.p(
        text,
        # It may name somebody's address, which can be long.
        class_name=f"text-sm wrap-anywhere text-quiet {look}".strip(),
        custom_attrs={"id": element_id},
    )


def _error(text: rx.Var[str], element_id: str) -> rx.Component:
    # The element is always there, so that its text is announced when it comes.
    return rx.el.p(
        rx.cond(
            text,
            rx.el.span(
                icon("circle-alert", 16, class_name="mt-0.5"), text, class_name="flex gap-1.5"
            ),
        ),
        class_name="text-sm font-medium text-danger empty:hidden",
        custom_attrs={"id": element_id, "aria-live": "polite"},
    )


def _option(option: Any) -> rx.Component:
    return rx.el.option(option[1], value=option[0])


def _options(options: Any) -> Any:
    if isinstance(options, rx.Component):
        return options
    if isinstance(options, rx.Var):
        return rx.foreach(options, _option)
    return rx.fragment(*(rx.el.option(label, value=value) for value, label in options))
