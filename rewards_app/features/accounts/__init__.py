"""Accounts: signing up and in, sessions, passwords, providers."""
