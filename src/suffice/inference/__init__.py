"""Algorithms that find, approximate or draw from distributions, apart from the models that use them."""

from suffice.inference.em import Converged, Iteration, em
from suffice.inference.rejection import Rejection, rejection
from suffice.inference.turning_points import TurningPoint, definiteness, turning_point

__all__ = [
    "Converged",
    "Iteration",
    "Rejection",
    "TurningPoint",
    "definiteness",
    "em",
    "rejection",
    "turning_point",
]
