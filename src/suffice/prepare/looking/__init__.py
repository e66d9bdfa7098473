"""What a table holds: attributes and their scales, tasks, an audit, descriptions, the numbers behind pictures.

Names are public in `suffice.prepare`.
"""
