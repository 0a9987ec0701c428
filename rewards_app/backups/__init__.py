"""Backups: made, kept, and proven by restoring them."""
