"""Distributions of one number or one label, a file each."""
