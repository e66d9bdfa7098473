"""Small experiments of the texts."""
