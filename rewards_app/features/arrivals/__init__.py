"""Which campaigns lead people here: bare counts by day, of those who allow it."""
