"""The words in which every worker hears that something has changed, and where they are said."""

import json

CHANNEL = "rewards_live"


def notice(topic: str, key: str) -> str:
    return json.dumps({"topic": topic, "key": key})
