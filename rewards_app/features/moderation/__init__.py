"""What may stand in texts that others read, in eight languages, however it is disguised."""
