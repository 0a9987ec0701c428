"""How the system is, measured now and minute by minute."""
