"""Densities of any kind per class: which statistics they have, and how they are fitted."""
