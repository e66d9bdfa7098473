"""Tables of probability over labelled values, propositions about them, and tests for a condition."""
