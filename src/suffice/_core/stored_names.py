"""Names in files of classes that are called otherwise by now: what was saved before loads, and what is saved loads there."""

STORED_AS = {}
