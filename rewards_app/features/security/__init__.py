"""Account Security: the password, the sessions, the second factor, the end of an account."""
