"""What the two distributions of positive definite matrices share: their parameters, and what they have not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, final

import numpy as np

from suffice._core.errors import Unsupported
from suffice.distributions._base import Multivariate, check_level
from suffice.distributions._checks import assign, common_shape, frozen, parameter
from suffice.distributions._kinds import FitsFromStatistics, last_axis_of, root_of_variance
from suffice.distributions.multivariate._bartlett import definite


class OfMatrices(FitsFromStatistics, Multivariate):
    """Symmetric positive definite matrices, with degrees of freedom and a scale matrix."""

    _event_ndim: ClassVar[dict[str, int]] = {"dof": 0, "scale": 2}

    if TYPE_CHECKING:
        dof: Any
        scale: Any
        _factor: Any

    def __post_init__(self) -> None:
        scale, factor = definite("scale", self.scale)
        dim = scale.shape[-1]
        dof = parameter("dof", self.dof, low=dim - 1.0, strict=True)
        batch = common_shape(dof=dof.shape, scale=np.shape(self.scale)[:-2])
        scale = np.broadcast_to(scale, (*batch, dim, dim))
        assign(self, dof=np.broadcast_to(dof, batch)[()], scale=scale, _factor=frozen(factor))

    dim = last_axis_of("scale", "Rows of the matrix, D.")
    std = root_of_variance

    @final
    def interval(self, level: float = 0.95) -> NoReturn:
        """Not defined for matrices: entries off the diagonal have no closed-form quantiles."""
        check_level(level)
        raise Unsupported(
            "interval is not defined for matrices; take .marginal(i).interval(level) of a diagonal entry, "
            "or quantiles of .sample(n)."
        )

    @final
    @property
    def n_parameters(self) -> int:
        """Degrees of freedom and D (D + 1)/2 entries of the scale."""
        return 1 + self.dim * (self.dim + 1) // 2

    @staticmethod
    def _over(value: Any) -> np.ndarray:
        """Numbers of the batch, to be multiplied with its matrices."""
        return np.asarray(value)[..., None, None]
