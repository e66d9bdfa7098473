r"""What a fitted mixture says about rows: densities, responsibilities, criteria, draws.

log p(x) = log Σ_k π_k p(x | k)     P(k | x) = π_k p(x | k) / p(x)     over the cells that are known
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from suffice._components.kinds.protocol import ComponentKind
from suffice._components.responsibilities import responsibilities_of
from suffice._core.errors import InvalidParameter, NoInformation, warn
from suffice._core.random import generator
from suffice._estimator import check_is_fitted, check_weight
from suffice.distributions import MixtureDistribution
from suffice.engine import one_blas_thread, parallel
from suffice.mixtures._shell.joint import JointModel
from suffice.mixtures._shell.mixing import Mixing

PIECE = 8_192  # rows that a thread takes at a time


class MixtureAnswers(JointModel, ABC):
    """The half of a mixture that only looks at what was fitted."""

    n_components: int
    random_state: Any
    weights_: np.ndarray
    mixing_: Mixing

    @property
    @abstractmethod
    def _kind(self) -> ComponentKind:
        """How tables are opened, where fits begin, and what is drawn."""

    def _open_inputs(self, X: Any) -> Any:
        return self._kind.open_inputs(self, X, self.mixing_.header, self.mixing_.components)

    def _check_cells(self, X: np.ndarray) -> Any:
        return self._kind.check_cells(X, self._names, self.mixing_.components)

    @one_blas_thread()
    def _joint_logs(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = self._open_inputs(X)
        pieces = range(0, max(X.shape[0], 1), PIECE)
        return np.concatenate(parallel(lambda a: self._piece_logs(X[a : a + PIECE]), pieces))

    def _piece_logs(self, X: Any) -> np.ndarray:
        step = self.mixing_.components.block
        blocks = [X[a : a + step] for a in range(0, max(X.shape[0], 1), step)]
        return np.concatenate([self.mixing_.joint_logs(block) for block in blocks])

    def score_samples(self, X: Any) -> np.ndarray:
        """log p(x) of the known cells of every row."""
        return np.logaddexp.reduce(self._joint_logs(X), axis=1)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The mean of log p(x) over rows."""
        logs = self.score_samples(X)
        return float(np.average(logs, weights=check_weight(sample_weight, logs[:, None])))

    def predict_proba(self, X: Any) -> np.ndarray:
        """P(component | x), the responsibilities of every component in every row."""
        logs = self._joint_logs(X)
        impossible = logs.max(axis=1) == -np.inf
        if impossible.any():
            warn(
                f"{impossible.sum()} row(s), the first at {int(np.argmax(impossible))}, are impossible under every "
                "component; their responsibilities are the weights. A prior keeps such rows possible.",
                NoInformation,
            )
        return np.where(impossible[:, None], self.weights_, responsibilities_of(logs).values)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable component; the first of several."""
        return np.argmax(self.predict_proba(X), axis=1)

    def bic(self, X: Any, sample_weight: Any = None) -> float:
        """−2 log p(X) + log n · parameters; smaller is better."""
        n, likelihood, _ = self._fit_of(X, sample_weight)
        return -2 * likelihood + np.log(n) * self.n_parameters_

    def aic(self, X: Any, sample_weight: Any = None) -> float:
        """−2 log p(X) + 2 · parameters; smaller is better."""
        _, likelihood, _ = self._fit_of(X, sample_weight)
        return -2 * likelihood + 2 * self.n_parameters_

    def icl(self, X: Any, sample_weight: Any = None) -> float:
        """BIC + 2 · entropy of responsibilities: components that overlap count as fewer clusters; smaller is better."""
        n, likelihood, entropy = self._fit_of(X, sample_weight)
        return -2 * likelihood + np.log(n) * self.n_parameters_ + 2 * entropy

    def _fit_of(self, X: Any, sample_weight: Any) -> tuple[float, float, float]:
        logs = self._joint_logs(X)
        weight = check_weight(sample_weight, logs)
        out = responsibilities_of(logs, weight)
        return float(len(logs) if weight is None else weight.sum()), out.likelihood, out.entropy

    def _n_parameters(self) -> int:
        """scikit-learn's private name for `n_parameters_`."""
        return self.n_parameters_

    @property
    def n_parameters_(self) -> int:
        """Free numbers: K − 1 weights, and those of the components."""
        check_is_fitted(self)
        return self.mixing_.n_parameters

    @property
    def distribution_(self) -> MixtureDistribution:
        """p(x) as a distribution of rows."""
        check_is_fitted(self)
        return MixtureDistribution(self.weights_, self.mixing_.components.densities())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Rows drawn from the mixture, and the components they came from."""
        check_is_fitted(self)
        if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer) or n_samples < 1:
            raise InvalidParameter(
                f"Invalid value for 'n_samples': {n_samples!r}; it must be an integer >= 1."
            )
        rng = generator(self.random_state if random_state is None else random_state)
        labels = rng.choice(self.mixing_.n_components, size=n_samples, p=self.weights_)
        frame = getattr(self, "frame_", None)
        rows = self._kind.draw(self.mixing_.components, labels, rng, self._names, frame)
        return rows, labels

    @property
    def _names(self) -> tuple[str, ...]:
        return self.mixing_.header.feature_names
