"""How mixtures of counts open tables, begin, and draw."""
