"""Weights of one model as its penalty changes, against the penalty or against what the penalty leaves."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from suffice._core.errors import check_choice
from suffice.linear import CoefficientPath
from suffice.plots.fits import coefficient_path

LABELS = {
    "penalty": "",
    "parameters": "effective number of parameters γ",
    "budget": "Σ |w|, as a share of the largest",
}


def coefficient_curves(
    path: CoefficientPath,
    against: Literal["penalty", "parameters", "budget"] = "penalty",
    *,
    chosen: float | None = None,
    most: int = 10,
    ax: Any = None,
) -> Any:
    """A line per weight; the `most` largest have a color and their name.

    Parameters
    ----------
    path
        From `suffice.linear.coefficient_path`.
    against
        "penalty"; "parameters", the effective number of parameters (PRML Fig. 3.17); or "budget", the size of all
        weights together, from none to the largest on the path.
    chosen
        A place on the axis to mark.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.diabetes()
    >>> path = linear.coefficient_path(linear.Ridge(), data.X, data.y, penalties=np.logspace(-1, 5, 40))
    >>> plots.coefficient_curves(path, "parameters").get_xlabel()
    'effective number of parameters γ'
    """
    check_choice("against", against, tuple(LABELS))
    at = _places(path, against)
    order = np.lexsort((-path.penalties, at))  # equal places in the order in which the penalty falls
    label = path.parameter if against == "penalty" else LABELS[against]
    ax = coefficient_path(
        at[order], path.coef[order], path.names, chosen=chosen, most=most, label=label, ax=ax
    )
    if against != "penalty":
        ax.set_xscale("linear")
    return ax


def _places(path: CoefficientPath, against: str) -> np.ndarray:
    if against == "penalty":
        return path.penalties
    if against == "parameters":
        return path.effective_parameters
    size = np.abs(path.coef).sum(axis=1)
    return size / max(float(size.max()), np.finfo(float).tiny)
