"""Vectors and the spaces they span: bases, projections and angles, and the factorizations that the texts name.

A space is given by the columns of a matrix, as the columns of a design matrix span what a linear model can fit.
"""

from suffice.linalg.factorizations import Eigenbasis, diagonalize_together, eigenbasis, pseudo_inverse
from suffice.linalg.linearity import Linearity, check_linear
from suffice.linalg.subspaces import (
    angles,
    are_independent,
    complement,
    coordinates,
    dimension,
    orthonormal_basis,
    project,
)

__all__ = [
    "Eigenbasis",
    "Linearity",
    "angles",
    "are_independent",
    "check_linear",
    "complement",
    "coordinates",
    "diagonalize_together",
    "dimension",
    "eigenbasis",
    "orthonormal_basis",
    "project",
    "pseudo_inverse",
]
