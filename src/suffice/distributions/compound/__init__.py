"""Distributions made of others: mixtures, products, sums, functions of a variable, Gaussian algebra."""
