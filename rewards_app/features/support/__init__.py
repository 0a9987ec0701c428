"""Support: what people ask of us."""
