"""Whether the doors are open, read once for all who look at the front page."""

from rewards_app.core.errors import DomainError
from rewards_app.core.shared import Shared
from rewards_app.features.waitlist import service

shared = Shared[str, bool]()


async def are_open() -> bool:
    return await shared.of("doors", service.are_open)


async def are_known_open() -> bool:
    """While nobody can tell, as the page was built: they are not."""
    try:
        return await are_open()
    except DomainError:
        return False
