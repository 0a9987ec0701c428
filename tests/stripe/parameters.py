"""What Stripe accepts: forms with nested brackets, checked field by field.

A shape takes what was sent and the name it was sent under; it returns the value or refuses.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.stripe.refusals import Refusal, missing, unknown

Shape = Callable[[Any, str], Any]

MINIMUMS = {"sek": 300, "usd": 50}
"""The currencies that we charge in, and the least of each that Stripe takes."""
MAXIMUM = 99_999_999
LOCALES = (
    "auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms "
    "mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW"
)
NAME = re.compile(r"[^\[\]]+(\[[^\[\]]+\])*")


def nested(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """`a[b][0]=c` as {"a": {"b": {"0": "c"}}}."""
    tree: dict[str, Any] = {}
    for name, value in pairs:
        if not NAME.fullmatch(name):
            raise unknown(name)
        *branches, leaf = re.findall(r"[^\[\]]+", name)
        place = tree
        for branch in branches:
            place = place.setdefault(branch, {})
            if not isinstance(place, dict):
                raise Refusal("Invalid object", param=name)
        place[leaf] = value
    return tree


@dataclass(frozen=True)
class Fields:
    """An object of these fields and no others."""

    needed: tuple[str, ...]
    shapes: Mapping[str, Shape]

    def __call__(self, sent: Any, name: str) -> dict[str, Any]:
        if not isinstance(sent, dict):
            raise Refusal("Invalid object", param=name)
        names = {key: f"{name}[{key}]" if name else key for key in (*self.needed, *sent)}
        for key in sent:
            if key not in self.shapes:
                raise unknown(names[key])
        for key in self.needed:
            if key not in sent:
                raise missing(names[key])
        return {key: self.shapes[key](value, names[key]) for key, value in sent.items()}


def fields(*needed: str, **shapes: Shape) -> Fields:
    """Those named in front must be there."""
    return Fields(needed, shapes)


def listed(shape: Shape, *, most: int = 100) -> Shape:
    def read(sent: Any, name: str) -> list[Any]:
        if not isinstance(sent, dict) or sorted(sent) != sorted(map(str, range(len(sent)))):
            raise Refusal("Invalid array", param=name)
        if len(sent) > most:
            raise Refusal(f"Array {name} exceeded maximum {most} allowed elements.", param=name)
        return [shape(sent[str(place)], f"{name}[{place}]") for place in range(len(sent))]

    return read


def text(most: int = 5000) -> Shape:
    def read(sent: Any, name: str) -> str:
        if not isinstance(sent, str):
            raise Refusal("Invalid string", param=name)
        if not sent:
            message = f"You passed an empty string for '{name}'."
            raise Refusal(message, code="parameter_invalid_empty", param=name)
        if len(sent) > most:
            ends = f"{sent[:5]}...{sent[-5:]}"
            message = f"Invalid string: {ends}; must be at most {most} characters"
            raise Refusal(message, param=name)
        return sent

    return read


def whole(least: int = 0, most: int = 2**53) -> Shape:
    def read(sent: Any, name: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,20}", str(sent)):
            message = f"Invalid integer: {sent}"
            raise Refusal(message, code="parameter_invalid_integer", param=name)
        if not least <= int(sent) <= most:
            message = f"This value must be at least {least} and at most {most}."
            raise Refusal(message, code="parameter_invalid_integer", param=name)
        return int(sent)

    return read


def one_of(*choices: str) -> Shape:
    def read(sent: Any, name: str) -> str:
        if sent not in choices:
            raise Refusal(f"Invalid {name}: must be one of {', '.join(choices)}", param=name)
        return sent

    return read


def flag(sent: Any, name: str) -> bool:
    if sent not in ("true", "false"):
        raise Refusal(f"Invalid boolean: {sent}", param=name)
    return sent == "true"


def currency(sent: Any, name: str) -> str:
    if str(sent).lower() not in MINIMUMS:
        known = ", ".join(MINIMUMS)
        raise Refusal(f"Invalid currency: {sent}. We charge in {known}.", param=name)
    return str(sent).lower()


def web_address(sent: Any, name: str) -> str:
    address = text()(sent, name)
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", address):
        raise Refusal("Not a valid URL", code="url_invalid", param=name)
    return address


def email(sent: Any, name: str) -> str:
    if not re.fullmatch(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+", text(800)(sent, name)):
        raise Refusal(f"Invalid email address: {sent}", code="email_invalid", param=name)
    return sent


def metadata(sent: Any, name: str) -> dict[str, str]:
    """At most 50 pairs, names of 40 characters, values of 500; an empty value is no pair."""
    if sent == "":
        return {}
    if not isinstance(sent, dict) or not all(isinstance(value, str) for value in sent.values()):
        raise Refusal("Invalid object", param=name)
    if len(sent) > 50:
        raise Refusal("Metadata can have up to 50 keys.", param=name)
    for key, value in sent.items():
        if len(key) > 40:
            raise Refusal(f"Metadata keys can have up to 40 characters. Key: {key}", param=name)
        if len(value) > 500:
            message = (
                "Metadata values can have up to 500 characters, but you passed in a value that is "
                f"{len(value)} characters. Invalid value: {value}"
            )
            raise Refusal(message, param=f"{name}[{key}]")
    return {key: value for key, value in sent.items() if value}


nothing = fields()

product = fields(
    "name",
    name=text(),
    description=text(),
    images=listed(web_address, most=8),
    metadata=metadata,
    tax_code=text(),
    unit_label=text(12),
)

line_item = fields(
    "price_data",
    "quantity",
    price_data=fields(
        "currency",
        "unit_amount",
        "product_data",
        currency=currency,
        unit_amount=whole(1, MAXIMUM),
        product_data=product,
        tax_behavior=one_of("exclusive", "inclusive", "unspecified"),
    ),
    quantity=whole(1, 999_999),
    metadata=metadata,
)

a_message = fields("message", message=text(1200))

checkout_session = fields(
    "mode",
    "line_items",
    "success_url",
    mode=one_of("payment"),
    line_items=listed(line_item),
    success_url=web_address,
    cancel_url=web_address,
    expires_at=whole(),
    client_reference_id=text(200),
    customer_email=email,
    customer_creation=one_of("always", "if_required"),
    metadata=metadata,
    payment_intent_data=fields(
        metadata=metadata,
        description=text(1000),
        receipt_email=email,
        statement_descriptor_suffix=text(22),
        capture_method=one_of("automatic", "automatic_async"),
    ),
    # Since 2026-09-30.endive; `payment_method_types` is unknown to Stripe from then on.
    allowed_payment_method_types=listed(one_of("card", "link", "klarna", "swish", "paypal")),
    locale=one_of(*LOCALES.split()),
    submit_type=one_of("auto", "book", "donate", "pay"),
    custom_text=fields(
        submit=a_message,
        after_submit=a_message,
        shipping_address=a_message,
        terms_of_service_acceptance=a_message,
    ),
    billing_address_collection=one_of("auto", "required"),
    adaptive_pricing=fields(enabled=flag),
    automatic_tax=fields("enabled", enabled=flag),
    allow_promotion_codes=flag,
    ui_mode=one_of("hosted_page"),
    origin_context=one_of("mobile_app", "web"),
)

one_session = fields(expand=listed(one_of("payment_intent"), most=4))

refund = fields(
    payment_intent=text(),
    charge=text(),
    amount=whole(1),
    reason=one_of("duplicate", "fraudulent", "requested_by_customer"),
    metadata=metadata,
)

refunds = fields(payment_intent=text(), charge=text(), limit=whole(1, 100))

newest = fields(limit=whole(1, 100))

events = fields(
    type=text(),
    types=listed(text(), most=20),
    limit=whole(1, 100),
    starting_after=text(),
    ending_before=text(),
    created=fields(gt=whole(), gte=whole(), lt=whole(), lte=whole()),
)
