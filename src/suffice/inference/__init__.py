"""Algorithms that find, approximate or draw from distributions, apart from the models that use them."""

from suffice.inference.em import Converged, Iteration, em
from suffice.inference.rejection import Rejection, rejection

__all__ = ["Converged", "Iteration", "Rejection", "em", "rejection"]
