"""Collapsed Gibbs sampling of the labels of a Gaussian mixture.

problem.py     rows in units of the prior, and the log joint probability of labels and rows
sampler.py     chains of labels (_loops.py and its twin _twins.py: one pass after the other)
summaries.py   what does not depend on the names of components, and one name for each of them
"""
