"""Who earned most, of all time, this month, this week; and days in a row."""
