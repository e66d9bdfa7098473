"""Generalized linear models: labels, counts and numbers whose mean is a function of a linear predictor."""

from suffice.glm.bayesian_logistic import BayesianLogisticRegression
from suffice.glm.bayesian_poisson import BayesianPoissonRegression
from suffice.glm.glm import GLM
from suffice.glm.logistic_regression import LogisticRegression
from suffice.glm.logistic_regression_cv import LogisticRegressionCV
from suffice.glm.peer_regressors import GammaRegressor, PoissonRegressor
from suffice.glm.poisson_regression import PoissonRegression
from suffice.glm.predictions import PredictionComparison
from suffice.glm.probit_regression import ProbitRegression
from suffice.glm.softmax_regression import SoftmaxRegression
from suffice.glm.surface import PosteriorSurface, posterior_surface

__all__ = [
    "GLM",
    "BayesianLogisticRegression",
    "BayesianPoissonRegression",
    "GammaRegressor",
    "LogisticRegression",
    "LogisticRegressionCV",
    "PoissonRegression",
    "PoissonRegressor",
    "PosteriorSurface",
    "PredictionComparison",
    "ProbitRegression",
    "SoftmaxRegression",
    "posterior_surface",
]
