"""What can be asked of support. Pure."""

from rewards_app.core.errors import DomainError

SHORTEST_MESSAGE, LONGEST_MESSAGE = 10, 2000


class MessageTooShort(DomainError):
    """`count` characters are needed to understand anything."""

    code = "support.message_too_short"


class MessageTooLong(DomainError):
    code = "support.message_too_long"


class NothingToAppeal(DomainError):
    """The restriction has ended, or is another's."""

    code = "support.nothing_to_appeal"


def cleaned(message: str) -> str:
    """The message without the spaces around it, or what is wrong with it."""
    text = message.strip()
    if len(text) < SHORTEST_MESSAGE:
        raise MessageTooShort(count=SHORTEST_MESSAGE)
    if len(text) > LONGEST_MESSAGE:
        raise MessageTooLong(count=LONGEST_MESSAGE)
    return text
