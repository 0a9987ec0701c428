"""What the queue of jobs stands on: who fetches which, at which hour, and how it ended."""
