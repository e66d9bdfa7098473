"""Linear models: one triangle, three ways to read it."""

from suffice.linear.bayesian import BayesianLinearRegression
from suffice.linear.linear_regression import LinearRegression
from suffice.linear.ridge import Ridge

__all__ = ["BayesianLinearRegression", "LinearRegression", "Ridge"]
