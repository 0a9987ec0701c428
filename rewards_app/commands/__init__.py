"""What `rewards` does, one file for each kind of command."""
