"""Papers that people get: what stands on one, and how it is drawn."""
