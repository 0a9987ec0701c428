"""Alerts: what admins must look at, raised by the rest of the house."""
