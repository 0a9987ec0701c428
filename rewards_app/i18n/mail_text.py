"""`text()`: what the server itself writes to people, in their language."""

from rewards_app.i18n import catalogues


def text(key: str, language: str, **params: str | int) -> str:
    """The mail text under `key` with its `{{parameters}}` filled in."""
    found = catalogues.mails(language)[key]
    for name, value in params.items():
        found = found.replace(f"{{{{{name}}}}}", str(value))
    return found
