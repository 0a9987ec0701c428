"""What visitors see first."""
