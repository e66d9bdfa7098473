"""Algorithms that find, approximate or draw from distributions, apart from the models that use them."""

from suffice._core.former_names import former_names
from suffice.distributions.expectations.monte_carlo import MonteCarlo, monte_carlo
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
from suffice.inference.calibrating.calibration import (
    Calibration,
    FailedSimulation,
    RankCoverage,
    RankCurve,
    RankHistogram,
)
from suffice.inference.calibrating.simulations import calibrate
from suffice.inference.descent import gradient_descent
from suffice.inference.em import Converged, Iteration, em
from suffice.inference.grid import GridPosterior, Quadrature
from suffice.inference.kmeans import Lloyd, lloyd
from suffice.inference.laplace import Laplace, laplace
from suffice.inference.laplace_approximation import LaplaceApproximation, LaplacePosterior
from suffice.inference.newton import Optimum, newton, newton_root
from suffice.inference.newton_on_sums import SumsMaximum, newton_on_sums
from suffice.inference.posterior import Approximation, Inference, PredictorPoints, Target
from suffice.inference.quadrature import Integral, normal_expectation, quadrature
from suffice.inference.sampled import NUTS, MetropolisHastings, SampledPosterior
from suffice.inference.sampling import diagnostics
from suffice.inference.sampling.awkward import narrow_ridge, two_modes
from suffice.inference.sampling.bridge import Bridge, bridge
from suffice.inference.sampling.darts import dart_score
from suffice.inference.sampling.metropolis import metropolis_hastings
from suffice.inference.sampling.nuts import nuts
from suffice.inference.sampling.random_walk import random_walk
from suffice.inference.sampling.rejection import Rejection, rejection
from suffice.inference.sampling.samples import Samples
from suffice.inference.seeding import seeds
from suffice.inference.turning_points import TurningPoint, definiteness, turning_point

__all__ = [
    "NUTS",
    "Approximation",
    "Bridge",
    "Calibration",
    "Constrained",
    "Converged",
    "FailedSimulation",
    "GradientCheck",
    "GridPosterior",
    "Inference",
    "Integral",
    "Iteration",
    "Laplace",
    "LaplaceApproximation",
    "LaplacePosterior",
    "Lloyd",
    "MetropolisHastings",
    "MonteCarlo",
    "Optimum",
    "PredictorPoints",
    "Quadrature",
    "RankCoverage",
    "RankCurve",
    "RankHistogram",
    "Rejection",
    "SampledPosterior",
    "Samples",
    "SumsMaximum",
    "Target",
    "TurningPoint",
    "bridge",
    "calibrate",
    "check_gradient",
    "dart_score",
    "definiteness",
    "diagnostics",
    "em",
    "gradient",
    "gradient_descent",
    "hessian",
    "laplace",
    "lloyd",
    "metropolis_hastings",
    "minimize_subject_to",
    "monte_carlo",
    "narrow_ridge",
    "newton",
    "newton_on_sums",
    "newton_root",
    "normal_expectation",
    "nuts",
    "quadrature",
    "random_walk",
    "rejection",
    "seeds",
    "stationary_point",
    "taylor",
    "turning_point",
    "two_modes",
]

__getattr__ = former_names(
    __name__, {"Along": PredictorPoints, "climb": newton_on_sums, "Climbed": SumsMaximum}
)
