"""Generalized linear models: labels, counts and numbers whose mean is a function of a linear predictor."""

from suffice.glm.logistic_regression import LogisticRegression
from suffice.glm.poisson_regression import PoissonRegression
from suffice.glm.probit_regression import ProbitRegression
from suffice.glm.softmax_regression import SoftmaxRegression

__all__ = ["LogisticRegression", "PoissonRegression", "ProbitRegression", "SoftmaxRegression"]
