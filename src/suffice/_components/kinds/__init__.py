"""Components of a kind: how tables are opened for them, where fits begin, and what is drawn."""
