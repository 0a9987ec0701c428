"""The leaderboard: who earned most in a week, a month and ever, and days in a row."""
