"""How a worker waits for PostgreSQL and Redis, also for one that says nothing any more."""
