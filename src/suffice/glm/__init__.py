"""Generalized linear models: labels, counts and numbers whose mean is a function of a linear predictor."""

from suffice.glm.logistic_regression import LogisticRegression

__all__ = ["LogisticRegression"]
