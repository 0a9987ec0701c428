"""The shop: what it sells, what was bought, the codes that are given for it."""
