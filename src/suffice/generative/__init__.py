"""Classifiers that model how the rows of each class come about: p(x | class) and p(class), then Bayes' rule."""

from suffice.generative.linear_discriminant import LinearDiscriminantAnalysis
from suffice.generative.quadratic_discriminant import QuadraticDiscriminantAnalysis

__all__ = ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]
