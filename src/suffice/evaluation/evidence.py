r"""Which model do the data favor? Evidence compared (PRML §3.4).

Posterior      p(M_i | D) ∝ p(M_i) p(D | M_i)                                        (3.66)
Bayes factor   p(D | M_i) / p(D | M_j), reported as its log
On average     E log [p(D | M₁)/p(D | M₂)] = KL(p₁ ‖ p₂) ≥ 0 for D from M₁            (3.73)

so the right model is favored on average, not by every data set. Evidence is a density of the targets: it can be
compared only between models of the same ones, with the same rule for the intercept (a flat one has no scale).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice._core.frames import to_frame
from suffice._core.records import frozen_array, record
from suffice._core.showing import InWords, table_of_texts
from suffice._estimator.evidence import comparable, model_posterior, model_prior
from suffice.evaluation.findings import number

KASS_RAFTERY = ((2.0, "not worth more than a bare mention"), (6.0, "positive"), (10.0, "strong"))
JEFFREYS = ((0.5, "barely worth mentioning"), (1.0, "substantial"), (1.5, "strong"), (2.0, "very strong"))


@record
class EvidenceComparison(InWords):
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

    def _repr_html_(self) -> str:
        columns = (self.names, self.log_evidences, self.probabilities, self.kass_raftery)
        rows = [(name, f"{e:.4f}", f"{p:.4f}", word) for name, e, p, word in zip(*columns, strict=True)]
        head = ("model", "log evidence", "probability", "evidence against it")
        return table_of_texts(head, rows, self.sentence)


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
    names, fitted, evidence = comparable(models)
    notes: tuple[str, ...] = ()
    kinds = tuple(str(getattr(m, "evidence_kind_", "exact")) for m in fitted)
    if len(set(kinds)) > 1:
        told = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True))
        notes += (
            f"the evidence was found in different ways ({told}); small differences may be errors of these",
        )
    return _compared(names, evidence, model_prior(prior, names), kinds, notes)


def _compared(
    names: tuple[str, ...],
    evidence: np.ndarray,
    prior: np.ndarray,
    kinds: tuple[str, ...],
    notes: tuple[str, ...],
) -> EvidenceComparison:
    best = int(np.argmax(evidence))
    factors = evidence - evidence[best]
    probabilities = model_posterior(evidence, prior)
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
