"""Algorithms that find, approximate or draw from distributions, apart from the models that use them."""

from suffice.inference.calculus import (
    Constrained,
    GradientCheck,
    check_gradient,
    gradient,
    hessian,
    minimize_subject_to,
    stationary_point,
    taylor,
)
from suffice.inference.climb import Climbed, climb
from suffice.inference.descent import gradient_descent
from suffice.inference.em import Converged, Iteration, em
from suffice.inference.grid import GridPosterior, Quadrature
from suffice.inference.laplace import Laplace, laplace
from suffice.inference.laplace_approximation import LaplaceApproximation, LaplacePosterior
from suffice.inference.newton import Optimum, newton, newton_root
from suffice.inference.posterior import Along, Approximation, Inference, Target
from suffice.inference.quadrature import Integral, normal_expectation, quadrature
from suffice.inference.rejection import Rejection, rejection
from suffice.inference.turning_points import TurningPoint, definiteness, turning_point

__all__ = [
    "Along",
    "Approximation",
    "Climbed",
    "Constrained",
    "Converged",
    "GradientCheck",
    "GridPosterior",
    "Inference",
    "Integral",
    "Iteration",
    "Laplace",
    "LaplaceApproximation",
    "LaplacePosterior",
    "Optimum",
    "Quadrature",
    "Rejection",
    "Target",
    "TurningPoint",
    "check_gradient",
    "climb",
    "definiteness",
    "em",
    "gradient",
    "gradient_descent",
    "hessian",
    "laplace",
    "minimize_subject_to",
    "newton",
    "newton_root",
    "normal_expectation",
    "quadrature",
    "rejection",
    "stationary_point",
    "taylor",
    "turning_point",
]
