"""Money by card: asked for, told by the provider, paid back."""
