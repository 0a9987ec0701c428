"""What players show of themselves: words, games, achievements, figures."""
