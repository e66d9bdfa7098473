"""Distributions of vectors and matrices, a file each."""
