"""Ads: what is shown, who watches it, what watching earns."""
