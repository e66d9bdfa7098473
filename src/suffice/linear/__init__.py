"""Linear models and readings of them: weights, bands, paths, surfaces, residuals, averages."""

from suffice.linear._solvers.normal_gamma import WeightsAndPrecision
from suffice.linear.ard import ARDRegression
from suffice.linear.bayesian import BayesianLinearRegression
from suffice.linear.bayesian_ridge import BayesianRidge
from suffice.linear.conjugate import ConjugateLinearRegression
from suffice.linear.crossing import Crossing, crossover
from suffice.linear.diagnostics import Projection, Residuals, projection, residuals
from suffice.linear.elastic_net import ElasticNet
from suffice.linear.elastic_net_cv import ElasticNetCV
from suffice.linear.evidence_along import EvidencePath, evidence_path
from suffice.linear.interpolation import Interpolant, interpolate
from suffice.linear.large_sample import LargeSample, large_sample_precisions
from suffice.linear.lasso import Lasso
from suffice.linear.lasso_cv import LassoCV
from suffice.linear.least_absolute import LeastAbsoluteDeviations
from suffice.linear.least_mean_squares import LeastMeanSquares
from suffice.linear.linear_regression import LinearRegression
from suffice.linear.model_average import ModelAverage, bayesian_model_average
from suffice.linear.paths import CoefficientPath, budget_of, coefficient_path, with_budget
from suffice.linear.q_norm import QNormRegression
from suffice.linear.ridge import Ridge
from suffice.linear.ridge_cv import RidgeCV
from suffice.linear.simple import SimpleLinearRegression, WorkingTable
from suffice.linear.surfaces import WeightSurface, weight_surface

__all__ = [
    "ARDRegression",
    "BayesianLinearRegression",
    "BayesianRidge",
    "CoefficientPath",
    "ConjugateLinearRegression",
    "Crossing",
    "ElasticNet",
    "ElasticNetCV",
    "EvidencePath",
    "Interpolant",
    "LargeSample",
    "Lasso",
    "LassoCV",
    "LeastAbsoluteDeviations",
    "LeastMeanSquares",
    "LinearRegression",
    "ModelAverage",
    "Projection",
    "QNormRegression",
    "Residuals",
    "Ridge",
    "RidgeCV",
    "SimpleLinearRegression",
    "WeightSurface",
    "WeightsAndPrecision",
    "WorkingTable",
    "bayesian_model_average",
    "budget_of",
    "coefficient_path",
    "crossover",
    "evidence_path",
    "interpolate",
    "large_sample_precisions",
    "projection",
    "residuals",
    "weight_surface",
    "with_budget",
]
