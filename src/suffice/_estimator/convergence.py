"""Warnings of models with scikit-learn's names: a fit that did not arrive is told as scikit-learn tells it, too."""

from __future__ import annotations

from sklearn.exceptions import ConvergenceWarning

from suffice._core.errors import NotConverged, Separated, SufficeWarning


class SolverNotConverged(NotConverged, ConvergenceWarning):
    """Stopped at a limit; filters of either library hold."""


class SolverSeparated(Separated, ConvergenceWarning):
    """No maximum to converge to; filters of either library hold."""


AS_PEERS: dict[type[SufficeWarning], type[SufficeWarning]] = {
    NotConverged: SolverNotConverged,
    Separated: SolverSeparated,
}
