"""People who want to be told when the doors open."""
