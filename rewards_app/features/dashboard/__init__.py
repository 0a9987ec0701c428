"""The home of everybody who is signed in."""
