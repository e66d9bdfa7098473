"""The bottom layer: errors, records, random streams, numerics, linear algebra, thread limits.

Knows no model and no statistic. Everything here is private to the library.
"""
