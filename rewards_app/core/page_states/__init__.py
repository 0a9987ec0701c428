"""Where pages' states are kept: how long, by which worker, and in how little memory."""
