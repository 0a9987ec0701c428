"""Fraud: what the signals add up to, what follows from it, and how that is undone."""
