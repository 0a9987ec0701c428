"""Guardians of the young: asked by mail, and what they answered."""
