"""The slices: what the app does, one folder each."""
