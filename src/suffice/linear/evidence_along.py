r"""The evidence along a parameter: the order of a polynomial, the precision of the prior (PRML Figs 3.14 and 3.16).

log p(D | value)        the evidence of the model with that value                          (3.86)
γ(value)                effective number of parameters                                     (3.91)
α wᵀw = 2 α E_W         equal to γ where the evidence is largest in α                       (3.92)

No rows are held out: every number comes from the training rows, whose statistics are gathered once unless the
parameter is the basis.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported, did_you_mean
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.showing import escape
from suffice.bases import Polynomial
from suffice.engine import one_blas_thread
from suffice.linear._solvers.gaussian_prior import GaussianPrior
from suffice.linear.bayesian import BayesianLinearRegression


@record
class EvidencePath:
    """Evidence and parameters of one model for each value of a parameter.

    `effective_parameters` is the trace of the hat matrix, `well_determined_parameters` the γ of the evidence, which
    leaves a flat intercept out.

    `size` is α (w − m₀)ᵀ S₀⁻¹ (w − m₀) at the posterior mean, 2αE_W for a plain prior: in α, the evidence is largest
    where it crosses `well_determined_parameters`.
    """

    param: str
    values: tuple[Any, ...]
    log_evidence: np.ndarray
    effective_parameters: np.ndarray
    well_determined_parameters: np.ndarray
    size: np.ndarray

    @property
    def best_index(self) -> int:
        """Position of the largest evidence."""
        return int(np.argmax(self.log_evidence))

    @property
    def best(self) -> Any:
        """The value with the largest evidence."""
        return self.values[self.best_index]

    @property
    def sentence(self) -> str:
        """For a paper."""
        return (
            f"Of {len(self.values)} values of {self.param}, {self.best} has the largest log evidence, "
            f"{self.log_evidence[self.best_index]:.4g}."
        )

    def frame(self, kind: str = "pandas") -> Any:
        """One row per value."""
        names = ("log_evidence", "effective_parameters", "well_determined_parameters", "size")
        columns = {name: getattr(self, name) for name in names}
        return to_frame({self.param: [_plain(v) for v in self.values]} | columns, kind)

    def __str__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.sentence)}</p>"


@one_blas_thread()
def evidence_path(
    model: Any, X: Any, y: Any, param: str, values: Iterable[Any], *, sample_weight: Any = None
) -> EvidencePath:
    """Fit a model with every value of a parameter and note its evidence.

    Parameters
    ----------
    model
        `BayesianLinearRegression`, of one target.
    X, y, sample_weight
        Training rows.
    param
        A parameter of the model, such as "prior_precision" or "basis__degree". "order" stands for "basis" with
        polynomials of these orders; order 0 is a constant alone.
    values
        What to try.

    Examples
    --------
    >>> from suffice.datasets import sinusoid_10
    >>> from suffice.linear import BayesianLinearRegression, evidence_path
    >>> data = sinusoid_10()
    >>> path = evidence_path(BayesianLinearRegression.book(5e-3, 11.1), data.X, data.y, "order", range(10))
    >>> print(path)
    Of 10 values of order, 4 has the largest log evidence, -13.71.
    """
    if not isinstance(model, BayesianLinearRegression):
        raise Unsupported(f"evidence_path needs a BayesianLinearRegression; got {type(model).__name__}.")
    tried = _tried(values)
    name, settings = _settings(param, tried)
    if name not in (known := model.get_params()):
        hint = did_you_mean(str(name), ["order", *sorted(known)])
        raise InvalidParameter(f"param must be 'order' or a parameter of the model; got {param!r}.{hint}")
    fits = _fits(model, X, y, sample_weight, name, settings)
    rows = [(m.log_evidence_, m.effective_parameters_, m.well_determined_parameters_, _size(m)) for m in fits]
    return EvidencePath(
        param, tried, *(frozen_array(np.array(c, dtype=float)) for c in zip(*rows, strict=True))
    )


def _tried(values: Any) -> tuple[Any, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidParameter(f"values must be a list of values to try; got {values!r}.")
    tried = tuple(values)
    if not tried:
        raise InvalidParameter("values must hold one value or more; got none.")
    return tried


def _settings(param: str, values: tuple[Any, ...]) -> tuple[str, list[Any]]:
    return ("basis", [Polynomial(v) for v in values]) if param == "order" else (param, list(values))


def _fits(model: Any, X: Any, y: Any, weight: Any, name: str, settings: list[Any]) -> list[Any]:
    """One fitted model per value; the rows are read once where the value does not change their columns."""
    models = [clone(model).set_params(**{name: value}) for value in settings]
    if name.partition("__")[0] == "basis":
        fits = [m.fit(X, y, sample_weight=weight) for m in models]
    else:
        statistics = models[0].collect(X, y, weight)
        fits = [m.solve(statistics) for m in models]
    if fits[0].statistics_.header.n_targets is not None:
        raise InvalidInput("evidence_path describes one target; fit the targets one by one.")
    return fits


def _size(model: BayesianLinearRegression) -> float:
    """α (w − m₀)ᵀ S₀⁻¹ (w − m₀) at the posterior mean."""
    s, f = model._rule.system(model.statistics_, model.standardize), model.function_
    u = np.vstack([f.value, f.slope]) if s.counted else f.slope
    prior = GaussianPrior.of(model.prior_mean, model.prior_cov, len(s.penalty), 1)
    return float(model.prior_precision_ * np.sum((prior.whiten @ (s.penalty @ u - prior.mean)) ** 2))


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | str | np.number) else repr(value)
