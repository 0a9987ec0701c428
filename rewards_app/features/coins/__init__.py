"""Coins: the ledger that is the truth, and the only hands that write it."""
