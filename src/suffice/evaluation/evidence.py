r"""Which model do the data favor? Evidence compared (PRML §3.4).

Posterior      p(M_i | D) ∝ p(M_i) p(D | M_i)                                        (3.66)
Bayes factor   p(D | M_i) / p(D | M_j), reported as its log
On average     E log [p(D | M₁)/p(D | M₂)] = KL(p₁ ‖ p₂) ≥ 0 for D from M₁            (3.73)

so the right model is favored on average, not by every data set. Evidence is a density of the targets: it can be
compared only between models of the same ones, with the same rule for the intercept (a flat one has no scale).
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Protocol, runtime_checkable

import numpy as np
from scipy.special import log_softmax
from sklearn.exceptions import NotFittedError

from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, Unsupported
from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice.evaluation.findings import number
from suffice.statistics.header import Fingerprint

TOLERANCE = 1e-9
KASS_RAFTERY = ((2.0, "not worth more than a bare mention"), (6.0, "positive"), (10.0, "strong"))
JEFFREYS = ((0.5, "barely worth mentioning"), (1.0, "substantial"), (1.5, "strong"), (2.0, "very strong"))


@runtime_checkable
class HasEvidence(Protocol):
    """What a fitted model offers to be compared."""

    log_evidence_: float
    statistics_: Any


@record
class EvidenceComparison:
    """Models by name, in the order given.

    `log_bayes_factors` are those of each model against the best, zero or less. `probabilities` are posterior
    probabilities of the models, if one of them is right. `kass_raftery` and `jeffreys` say in words how strong the
    evidence for the best model is against each other one ("best" for itself); `kinds` how the evidence was found.
    """

    names: tuple[str, ...]
    log_evidences: np.ndarray
    log_bayes_factors: np.ndarray
    probabilities: np.ndarray
    kass_raftery: tuple[str, ...]
    jeffreys: tuple[str, ...]
    kinds: tuple[str, ...]
    sentence: str
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> str:
        """The model with the largest evidence."""
        return self.names[int(np.argmax(self.log_evidences))]

    def frame(self, kind: str = "pandas") -> Any:
        """One row per model."""
        names = ("log_evidences", "log_bayes_factors", "probabilities", "kass_raftery", "jeffreys", "kinds")
        columns = {name.removesuffix("s"): getattr(self, name) for name in names[:2]}
        columns |= {"probability": self.probabilities, "kind": list(self.kinds)}
        words = {"kass_raftery": list(self.kass_raftery), "jeffreys": list(self.jeffreys)}
        return to_frame({"model": list(self.names)} | columns | words, kind)

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<EvidenceComparison: {self.sentence}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{e:.4f}</td><td>{p:.4f}</td><td>{escape(word)}</td></tr>"
            for name, e, p, word in zip(
                self.names, self.log_evidences, self.probabilities, self.kass_raftery, strict=True
            )
        )
        head = "<tr><th>model</th><th>log evidence</th><th>probability</th><th>evidence against it</th></tr>"
        return f"<p>{escape(self.sentence)}</p><table>{head}{rows}</table>"


def compare_evidence(models: Mapping[str, Any], *, prior: Any = None) -> EvidenceComparison:
    """Bayes factors and posterior probabilities of fitted models.

    Parameters
    ----------
    models
        Fitted models with `log_evidence_` by name; a pipeline counts as its last step.
    prior
        Plausibility of each model before the data, by name or in the order of the models; equal unless given.

    Returns
    -------
    EvidenceComparison
        Log evidences, log Bayes factors against the best model, posterior probabilities, words and a sentence.

    Notes
    -----
    Refused are models fitted to different targets (by the fingerprint of their statistics, to 1e-9), and
    models with different rules for the intercept: a flat one, p(b) = 1, is no probability and cancels only
    against itself.
    The words are Kass and Raftery's for 2 log B and Jeffreys' for log₁₀ B. They judge single Bayes factors; with
    precisions chosen by maximizing the evidence, the evidence of flexible models is a little too high.

    Examples
    --------
    >>> from suffice.bases import Polynomial
    >>> from suffice.datasets import sinusoid_10
    >>> from suffice.evaluation import compare_evidence
    >>> from suffice.linear import BayesianLinearRegression
    >>> data = sinusoid_10()
    >>> made = {
    ...     f"order {m}": BayesianLinearRegression(0.005, noise_precision=11.1, basis=Polynomial(m)).fit(data.X, data.y)
    ...     for m in (1, 3, 9)
    ... }
    >>> found = compare_evidence(made)
    >>> print(found.best, found.probabilities.round(4), found.kass_raftery)
    order 3 [0.0173 0.8976 0.0851] ('strong', 'best', 'positive')
    """
    if not isinstance(models, Mapping) or len(models) < 2:
        raise InvalidInput(f"models must be two or more fitted models by name; got {models!r:.80}.")
    names = tuple(map(str, models))
    fitted = [_opened(name, model) for name, model in zip(names, models.values(), strict=True)]
    _same_targets(names, fitted)
    _check_same_rule(names, fitted)
    notes: tuple[str, ...] = ()
    evidence = np.array([float(m.log_evidence_) for m in fitted])
    kinds = tuple(str(getattr(m, "evidence_kind_", "exact")) for m in fitted)
    if len(set(kinds)) > 1:
        told = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True))
        notes += (
            f"the evidence was found in different ways ({told}); small differences may be errors of these",
        )
    if not np.isfinite(evidence).all():
        bad = names[int(np.argmin(np.isfinite(evidence)))]
        raise InvalidInput(f"The log evidence of {bad!r} is not finite; it cannot be compared.")
    return _compared(names, evidence, _prior(prior, names), kinds, notes)


def _compared(
    names: tuple[str, ...],
    evidence: np.ndarray,
    prior: np.ndarray,
    kinds: tuple[str, ...],
    notes: tuple[str, ...],
) -> EvidenceComparison:
    best = int(np.argmax(evidence))
    factors = evidence - evidence[best]
    with np.errstate(divide="ignore"):
        probabilities = np.exp(log_softmax(evidence + np.log(prior)))
    words = [
        tuple("best" if i == best else _word(-f * scale, steps, last) for i, f in enumerate(factors))
        for scale, steps, last in ((2.0, KASS_RAFTERY, "very strong"), (1 / np.log(10), JEFFREYS, "decisive"))
    ]
    sentence = _sentence(names, factors, probabilities, words, prior)
    arrays = [frozen_array(v) for v in (evidence, factors, probabilities)]
    return EvidenceComparison(
        names, arrays[0], arrays[1], arrays[2], words[0], words[1], kinds, sentence, notes
    )


def _word(value: float, steps: tuple[tuple[float, str], ...], last: str) -> str:
    return next((word for limit, word in steps if value < limit), last)


def _sentence(names: Any, factors: Any, probabilities: Any, words: Any, prior: np.ndarray) -> str:
    first, second = np.argsort(-factors, kind="stable")[:2]
    equal = "equally plausible" if np.ptp(prior) == 0 else "weighted by their priors"
    return (
        f"Of {len(names)} models, {equal} beforehand, {names[first]} has the largest evidence and the posterior "
        f"probability {number(probabilities[first])}; its log Bayes factor against the next, {names[second]}, is "
        f"{number(-factors[second])}: {words[0][second]} (Kass and Raftery), {words[1][second]} (Jeffreys)."
    )


# -- what may be compared -------------------------------------------------------------------------------
def _opened(name: str, model: Any) -> Any:
    """The model itself, the last step of a pipeline; an error if it cannot be compared."""
    steps = getattr(model, "steps", None)
    model = steps[-1][1] if isinstance(steps, list) and steps else model
    if isinstance(model, HasEvidence):
        return model
    if not hasattr(type(model), "log_evidence_") and "log_evidence_" not in _declared(model):
        raise Unsupported(
            f"{name!r} has no log_evidence_: {type(model).__name__} has no prior to average over."
        )
    raise NotFittedError(f"{name!r} is not fitted; call fit before comparing its evidence.")


def _declared(model: Any) -> set[str]:
    return {key for cls in type(model).__mro__ for key in vars(cls).get("__annotations__", {})}


def _same_targets(names: tuple[str, ...], fitted: list[Any]) -> None:
    first = fitted[0].statistics_.fingerprint
    for name, model in zip(names[1:], fitted[1:], strict=True):
        if not _matches(first, model.statistics_.fingerprint):
            raise HeaderMismatch(
                f"{names[0]!r} and {name!r} were fitted to different targets: {_told(first)} against "
                f"{_told(model.statistics_.fingerprint)}. Fit both to the same rows."
            )


def _matches(a: Any, b: Any) -> bool:
    if isinstance(a, Fingerprint) and isinstance(b, Fingerprint):
        return a.matches(b, TOLERANCE)
    if type(a) is not type(b) or (isinstance(a, tuple) and len(a) != len(b)):
        return False
    if isinstance(a, tuple):
        return all(_matches(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float):
        return bool(np.isclose(a, b, rtol=TOLERANCE, atol=0))
    return bool(a == b)


def _told(fingerprint: Any) -> str:
    if isinstance(fingerprint, Fingerprint):
        return f"{fingerprint.rows} rows with sum {np.sum(fingerprint.total):.10g}"
    return f"{fingerprint}"


def _check_same_rule(names: tuple[str, ...], fitted: list[Any]) -> None:
    """Refuse models that treat the intercept differently: a flat one has no scale, and a missing one no prior."""
    rules = [_rule(model) for model in fitted]
    if len(set(rules)) > 1:
        told = ", ".join(f"{name}: {rule}" for name, rule in zip(names, rules, strict=True))
        raise InvalidInput(
            f"The models treat the intercept differently ({told}). Give all of them the same rule."
        )


def _rule(model: Any) -> str:
    if not getattr(model, "fit_intercept", True):
        return "none"
    return str(getattr(model, "intercept", "prior"))


def _prior(prior: Any, names: tuple[str, ...]) -> np.ndarray:
    if prior is None:
        return np.full(len(names), 1 / len(names))
    if isinstance(prior, Mapping):
        if set(map(str, prior)) != set(names):
            raise InvalidParameter(f"prior must name the models {list(names)}; got {list(prior)}.")
        prior = [{str(k): v for k, v in prior.items()}[name] for name in names]
    try:
        p = np.asarray(prior, dtype=float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"prior must be numbers; got {prior!r}.") from None
    if p.shape != (len(names),) or not np.all(np.isfinite(p) & (p >= 0)) or not p.sum() > 0:
        raise InvalidParameter(
            f"prior must be {len(names)} numbers, zero or more and not all zero; got {prior!r}."
        )
    return p / p.sum()
