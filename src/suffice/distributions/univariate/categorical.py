r"""The categorical distribution: one of K classes.

Probability  P(X = c_k) = π_k,  Σ π_k = 1
Moments      over the values of the classes, where these are numbers
Fit          π_k = n_k / n
"""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from scipy.special import entr, log_softmax

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice._core.numerics import strided_sample
from suffice._core.random import generator
from suffice._core.records import record, short
from suffice.distributions._checks import (
    assign,
    check_broadcast,
    check_total,
    frozen,
    parameter,
    probability,
    real,
    sample_shape,
    weights,
)
from suffice.distributions._kinds import SummedTails, root_of_variance
from suffice.distributions._numerics.discrete import sums
from suffice.distributions._numerics.simplex import normalized
from suffice.statistics import Counts

_LISTED = 12  # classes that an error names


@final
@record
class Categorical(SummedTails):
    """One of several classes, each with its probability.

    Parameters
    ----------
    probabilities
        One number per class, summing to one.
    classes
        What the classes are called: numbers, strings or other labels. They count from 0 unless given.
    log_probabilities
        Their logarithms, where these are known better: probabilities below 1e-300 keep a finite log loss.

    Examples
    --------
    >>> from suffice.distributions import Categorical
    >>> d = Categorical([0.2, 0.5, 0.3], classes=["cat", "dog", "owl"])
    >>> print(d.mode, d.prob("owl"), d.sample(4, rng=1))
    dog 0.3 ['dog' 'owl' 'cat' 'owl']
    >>> Categorical([0.25, 0.75]).mean
    np.float64(0.75)
    """

    probabilities: Any
    classes: Any = None
    log_probabilities: Any = None

    _event_ndim: ClassVar[dict[str, int]] = {"probabilities": 1, "log_probabilities": 1}
    _discrete: ClassVar[bool] = True
    _smooth: ClassVar[bool] = False
    _row_reading: ClassVar[dict[str, bool]] = {"labels": True}

    def __post_init__(self) -> None:
        p = parameter("probabilities", self.probabilities, low=0.0)
        if p.ndim == 0 or p.shape[-1] == 0:
            raise InvalidParameter(f"probabilities must have shape (..., K), K >= 1; got {p.shape}.")
        logs = self.log_probabilities
        if logs is not None:
            logs = frozen(np.asarray(logs, dtype=float))
            if logs.shape != p.shape or not _agree(logs, p):
                raise InvalidParameter("log_probabilities must be the logarithms of probabilities.")
        assign(
            self,
            probabilities=normalized(p),
            classes=_labels(self.classes, p.shape[-1]),
            log_probabilities=logs,
        )

    def __repr__(self) -> str:
        return f"Categorical(probabilities={short(self.probabilities)}, classes={short(self.classes)})"

    # -- moments ---------------------------------------------------------------------------------

    @property
    def mean(self) -> Any:
        """Σ π c, for classes that are numbers."""
        return self.probabilities @ self._values("mean")

    @property
    def var(self) -> Any:
        """Σ π (c − mean)², for classes that are numbers."""
        gap = self._values("var") - np.asarray(self.mean)[..., None]
        return np.sum(self.probabilities * gap**2, axis=-1)

    std = root_of_variance

    @property
    def mode(self) -> Any:
        """The most probable class; the first of several."""
        return self.classes[np.argmax(self.probabilities, axis=-1)]

    def entropy(self) -> Any:
        """−Σ π log π."""
        return entr(self.probabilities).sum(axis=-1)

    def _values(self, what: str) -> np.ndarray:
        if self.classes.dtype.kind not in "biuf":
            raise Unsupported(
                f"{what} needs classes that are numbers; got {self.classes[0]!r}, …. "
                "Use .mode or .prob, or name the classes by numbers."
            )
        return self.classes.astype(float)

    # -- densities and tails -----------------------------------------------------------------------

    def log_prob(self, x: Any, *, labels: bool = False) -> Any:
        """log π of the labels x; −inf where the probability is zero.

        Rows with a single one and K − 1 zeros could be K labels or one label, one-hot: they are refused unless
        `labels=True` says that they are K labels.
        """
        index = self._index(x)
        if not labels:
            self._refuse_one_hot(np.asarray(x))
        shape = check_broadcast(index.shape, self.batch_shape)
        table = self._logs
        if not self.batch_shape:
            return table[index]
        table, index = np.broadcast_to(table, (*shape, table.shape[-1])), np.broadcast_to(index, shape)
        return np.take_along_axis(table, index[..., None], axis=-1)[..., 0]

    @property
    def _logs(self) -> np.ndarray:
        """log π, as it was given or from the probabilities."""
        if self.log_probabilities is not None:
            return self.log_probabilities
        with np.errstate(divide="ignore"):
            return np.log(self.probabilities)

    def completed(self) -> Categorical:
        """With logarithms."""
        return Categorical(self.probabilities, self.classes, self._logs)

    def _refuse_one_hot(self, x: np.ndarray) -> None:
        """Rows that are as long as the classes are many, with a single one, unless they list the classes."""
        k = len(self.classes)
        if self.batch_shape or k < 2 or x.shape[-1:] != (k,) or x.dtype.kind not in "biuf":
            return
        rows = x.reshape(-1, k).astype(float)
        if not np.all((rows == 1).sum(axis=1) + (rows == 0).sum(axis=1) == k) or not np.all(
            rows.sum(axis=1) == 1
        ):
            return
        if not np.array_equal(rows[0], np.arange(k)):
            first = rows[0].astype(int).tolist()
            raise InvalidInput(
                f"{first} could be {k} labels or one label of {k} classes, one-hot. For {k} labels write "
                f"d.prob({first}, labels=True); for one, one-hot, write "
                f"Multinomial(1, d.probabilities).prob({first})."
            )

    def _index(self, x: Any) -> np.ndarray:
        """Position of each label among the classes."""
        x = np.asarray(x)
        index = _positions(x, self.classes)
        if np.any(index < 0):
            unknown = x[index < 0].tolist()[0]
            listed = ", ".join(map(repr, self.classes[:_LISTED].tolist()))
            more = ", …" if len(self.classes) > _LISTED else ""
            raise InvalidInput(f"Unknown label {unknown!r}; the classes are [{listed}{more}].")
        return index

    def cdf(self, x: Any) -> Any:
        """P(X ≤ x), for classes that are numbers."""
        return self._cumulated(x, "cdf", upper=False)

    def sf(self, x: Any) -> Any:
        """P(X > x), for classes that are numbers."""
        return self._cumulated(x, "sf", upper=True)

    def _cumulated(self, x: Any, what: str, upper: bool) -> Any:
        values, below, above = self._ladder(what)
        x = real(x, self.batch_shape)
        steps = np.asarray(np.searchsorted(values, x, side="right"))
        shape = check_broadcast(steps.shape, self.batch_shape)
        table = np.broadcast_to(above if upper else below, (*shape, len(values) + 1))
        chosen = np.take_along_axis(table, np.broadcast_to(steps, shape)[..., None], axis=-1)[..., 0]
        return np.where(np.isnan(x), np.nan, chosen)[()]

    def _ladder(self, what: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values in order, and the probabilities (..., K + 1) below and above each gap between them."""
        values = self._values(what)
        order = np.argsort(values)
        return values[order], *sums(self.probabilities[..., order])

    # -- quantiles and sampling ----------------------------------------------------------------------

    def quantile(self, p: Any) -> Any:
        """The smallest class with P(X ≤ class) ≥ p; classes of probability zero are passed over."""
        _, below, _ = self._ladder("quantile")
        p = np.asarray(probability(p, self.batch_shape))[..., None]
        reached = (below[..., 1:] >= p) & (below[..., 1:] > 0)
        return np.sort(self.classes)[np.argmax(reached, axis=-1)]

    def sample(self, n: int | None = None, rng: Any = None) -> Any:
        """`n` labels, shape (n, *batch)."""
        u = generator(rng).random(sample_shape(n, self.batch_shape))
        below, _ = sums(self.probabilities)
        if not self.batch_shape:
            return self.classes[np.searchsorted(below[1:], u, side="right")]
        return self.classes[sum((below[..., k] <= u).astype(int) for k in range(1, below.shape[-1]))]

    # -- statistics and fitting ------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weight: Any = None, classes: Any = None) -> Counts:
        """Total weight of each label; `classes` fixes the list."""
        x = np.asarray(x)
        return Counts.of(x, weights(weight, len(x) if x.ndim else 0), classes)

    @classmethod
    def from_statistics(cls, statistics: Counts) -> Categorical:
        """Maximum likelihood: counts over n."""
        check_total(statistics.n)
        return cls(statistics.counts / statistics.n, statistics.classes)

    @classmethod
    def fit(cls, x: Any, weight: Any = None, classes: Any = None) -> Categorical:
        """Maximum likelihood from labels; weight 2 counts a row twice."""
        return cls.from_statistics(cls.statistics(x, weight, classes))

    @property
    def n_parameters(self) -> int:
        """K − 1: the probabilities sum to one."""
        return len(self.classes) - 1

    # -- other parametrisations --------------------------------------------------------------------------

    @classmethod
    def from_logits(cls, logits: Any, classes: Any = None) -> Categorical:
        """From log probabilities up to a constant: π ∝ exp(logit)."""
        logs = log_softmax(parameter("logits", logits), axis=-1)
        return cls(np.exp(logs), classes, logs)


def _agree(logs: np.ndarray, p: np.ndarray) -> bool:
    """Whether they are the logarithms of p; of a long batch some thousand are looked at."""
    k = p.shape[-1]
    some = strided_sample(p.size // k, 4096)
    return bool(
        np.allclose(np.exp(logs.reshape(-1, k)[some]), p.reshape(-1, k)[some], rtol=1e-9, atol=1e-300)
    )


def _labels(classes: Any, k: int) -> np.ndarray:
    """A read-only vector of K different labels."""
    labels = np.arange(k) if classes is None else np.array(classes)
    if labels.dtype == object and all(isinstance(c, str) for c in labels):
        labels = labels.astype(str)
    if labels.shape != (k,):
        raise InvalidParameter(f"classes must have one label per probability, {k}; got shape {labels.shape}.")
    if len(set(labels.tolist())) < k:
        raise InvalidParameter(f"classes must differ from each other; got {labels.tolist()}.")
    return frozen(labels)


def _positions(x: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Index of each label in `classes`, −1 for labels that are not there."""
    if object in (x.dtype, classes.dtype):
        place = {label: k for k, label in enumerate(classes.tolist())}
        return np.array([place.get(label, -1) for label in x.ravel().tolist()], dtype=int).reshape(x.shape)
    if (x.dtype.kind in "biuf") != (classes.dtype.kind in "biuf"):  # "1" is not 1
        return np.full(x.shape, -1)
    order = np.argsort(classes)
    index = order[np.minimum(np.searchsorted(classes, x, sorter=order), len(order) - 1)]
    return np.where(classes[index] == x, index, -1)
