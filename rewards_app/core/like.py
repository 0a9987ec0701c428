"""What was typed, as LIKE reads it."""


def literally(text: str) -> str:
    """What LIKE would take for a pattern stands for itself."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
