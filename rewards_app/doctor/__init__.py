"""Whether a deployment is as it should be: looked at, never changed."""
