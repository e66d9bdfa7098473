"""Arithmetic that distributions share: special functions, fits by Newton, factors, simplices, statistics that add."""
