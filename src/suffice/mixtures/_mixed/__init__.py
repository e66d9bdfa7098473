"""How mixtures of columns of different kinds open tables, begin, and draw."""
