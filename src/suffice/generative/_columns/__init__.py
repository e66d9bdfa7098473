"""What naive models count, column by column: moments, codes of values, words, and mixtures of these."""
