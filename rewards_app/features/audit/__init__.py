"""The audit log: who did what with the power of an admin, before, after, and why."""
