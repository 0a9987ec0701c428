"""Signals of fraud: what looked wrong is noted here with its weight. Nothing is blocked here."""
