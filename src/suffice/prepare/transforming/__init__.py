"""Transformers with a visible state: from columns as they come to columns that a model wants.

Names are public in `suffice.prepare`.
"""
