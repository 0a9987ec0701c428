"""How pages come in by their sockets: what they say, whose they are, and which come back."""
