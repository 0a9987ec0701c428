"""Second factors: apps that show codes, passkeys, backup codes, and the way back without them."""
