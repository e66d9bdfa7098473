r"""Predictions of several models, each weighted by its posterior probability (PRML §3.4).

Weights      p(M_i | D) ∝ p(M_i) p(D | M_i)                                        (3.66)
Predictive   p(y | x, D) = Σ p(y | x, M_i, D) p(M_i | D)                            (3.67)

The predictive distribution is a mixture, not a blend: two sure models that disagree give two modes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.showing import escape
from suffice._estimator.evidence import comparable, model_posterior, model_prior
from suffice.distributions import Distribution, MixtureDistribution
from suffice.engine import one_blas_thread


@record
class ModelAverage:
    """Fitted models and their posterior probabilities, in the order given.

    `weights` sum to one; `log_evidences` are what the data said, `prior` what was believed before.
    """

    names: tuple[str, ...]
    models: tuple[Any, ...]
    weights: np.ndarray
    log_evidences: np.ndarray
    prior: np.ndarray

    def predict(self, X: Any) -> np.ndarray:
        """The mean of y at each row: the weighted mean of the models' predictions."""
        return np.sum([w * m.predict(X) for w, m in zip(self.weights, self.models, strict=True)], axis=0)

    @one_blas_thread()
    def predict_dist(self, X: Any) -> MixtureDistribution:
        """The mixture of the models' predictive distributions (3.67)."""
        return MixtureDistribution(self.weights, [_predictive(m, X) for m in self.models])

    @property
    def best(self) -> str:
        """The most probable model."""
        return self.names[int(np.argmax(self.weights))]

    def frame(self, kind: str = "pandas") -> Any:
        """One row per model."""
        columns = {"log_evidence": self.log_evidences, "prior": self.prior, "weight": self.weights}
        return to_frame({"model": list(self.names)} | columns, kind)

    def __repr__(self) -> str:
        order = np.argsort(-self.weights, kind="stable")
        listed = ", ".join(f"{self.names[i]}: {self.weights[i]:.4g}" for i in order[:6])
        return f"<ModelAverage of {len(order)} models: {listed}{', …' if len(order) > 6 else ''}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


def bayesian_model_average(models: Any, X: Any = None, y: Any = None, *, prior: Any = None) -> ModelAverage:
    """Average models over what the data say about which of them is right.

    Parameters
    ----------
    models
        Two or more models with `log_evidence_`, by name or in a list. A pipeline counts as its last step.
    X, y
        Where given, clones of the models are fitted to them; otherwise the models must be fitted to the same rows.
    prior
        Plausibility of each model before the data, by name or in the order of the models; equal unless given.

    Notes
    -----
    The rules of `suffice.evaluation.compare_evidence` hold: models of different targets, or with different
    rules for the intercept, are refused.

    Examples
    --------
    >>> from suffice.bases import Polynomial
    >>> from suffice.datasets import sinusoid_10
    >>> from suffice.linear import BayesianLinearRegression, bayesian_model_average
    >>> data = sinusoid_10()
    >>> orders = {
    ...     f"order {m}": BayesianLinearRegression(0.005, noise_precision=11.1, basis=Polynomial(m)) for m in (1, 3, 9)
    ... }
    >>> average = bayesian_model_average(orders, data.X, data.y)
    >>> average
    <ModelAverage of 3 models: order 3: 0.8976, order 9: 0.08508, order 1: 0.0173>
    >>> d = average.predict_dist([[0.25]])
    >>> print(d.mean.round(3), d.std.round(3))
    [0.877] [0.346]
    """
    named = _named(models)
    if (X is None) != (y is None):
        raise InvalidInput("X and y must be given together, to fit the models, or neither.")
    if X is not None:
        named = {name: clone(model).fit(X, y) for name, model in named.items()}
    names, _, evidence = comparable(named)
    before = model_prior(prior, names)
    arrays = [frozen_array(a) for a in (model_posterior(evidence, before), evidence, before)]
    return ModelAverage(names, tuple(named.values()), arrays[0], arrays[1], arrays[2])


def _named(models: Any) -> dict[str, Any]:
    if isinstance(models, Mapping):
        return {str(name): model for name, model in models.items()}
    if isinstance(models, Sequence) and not isinstance(models, str):
        return {f"model {i}": model for i, model in enumerate(models)}
    raise InvalidInput(f"models must be two or more models by name or in a list; got {models!r:.80}.")


def _predictive(model: Any, X: Any) -> Distribution:
    """The predictive distribution; a pipeline transforms the rows first."""
    steps = getattr(model, "steps", None)
    if not isinstance(steps, list):
        return model.predict_dist(X)
    return steps[-1][1].predict_dist(model[:-1].transform(X) if len(steps) > 1 else X)
