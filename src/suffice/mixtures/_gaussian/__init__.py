"""How mixtures of normal densities open tables, begin, and draw; components that have collapsed, in words."""
