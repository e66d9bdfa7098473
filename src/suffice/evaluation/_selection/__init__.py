"""How subsets of columns are walked through and judged."""
