"""Several workers behind a proxy on one machine, to try out and for tests: docs/cluster.md."""
