"""Terms and privacy policy: their editions, and who was told of which."""
