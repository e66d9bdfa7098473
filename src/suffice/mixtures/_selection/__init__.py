"""Choosing how many components: the fits that are compared, and whether their restarts agree."""
