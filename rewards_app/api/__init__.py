"""HTTP beside Reflex: the session's cookie, providers, health, crawlers."""
