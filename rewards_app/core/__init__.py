"""What every slice stands on, and what knows none of them."""
