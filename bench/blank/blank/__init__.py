"""The blank app."""
