"""Which of several models is better, for whom? The two setups of DTU §11.1, over every pair of a two-layer validation.

Setup I    the training set is fixed: does A beat B *when trained on these rows*? The test predictions of all folds are
           pooled: McNemar's exact test for right and wrong, a paired t for any other loss.
Setup II   the training set is random: does the *method* A beat the method B on new data sets of this size? The mean
           differences of the folds are compared by the correlated t test, since folds share training rows.

Setup II is the wider claim and the one to prefer; Setup I answers where the split is given or only these data matter.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, check_choice
from suffice._core.frames import to_frame
from suffice._core.records import record
from suffice._core.showing import escape, with_notes
from suffice.evaluation.comparisons import correlated_t, holm, mcnemar, paired_t
from suffice.evaluation.findings import Finding, chance, words

SETUPS = {
    "I": "given this training set (Setup I)",
    "II": "for new training sets of this size (Setup II)",
}


@record
class Comparison:
    """Every pair of models: the difference of their losses, its interval, p-values as they are and after Holm.

    A negative difference of losses is in favor of the first of a pair; `favours` of a finding says who is
    ahead, "A" for the first, "B" for the second. `findings` has one entry per pair (first, second), and
    `adjusted` the p-values corrected for the number of tests, NaN where there was none.
    """

    setup: str
    pairs: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    adjusted: np.ndarray
    loss: str
    baseline: str
    confidence: float

    def __getitem__(self, pair: tuple[str, str]) -> Finding:
        """The finding about a pair, in the order in which it was compared."""
        if pair not in self.pairs:
            raise KeyError(f"There is no pair {pair!r}; there are: {', '.join(map(repr, self.pairs))}.")
        return self.findings[self.pairs.index(pair)]

    def frame(self, kind: str = "pandas") -> Any:
        """One row per pair."""
        intervals = [f.interval or (np.nan, np.nan) for f in self.findings]
        columns = {
            "first": [a for a, _ in self.pairs],
            "second": [b for _, b in self.pairs],
            "difference": [f.estimate for f in self.findings],
            "low": [low for low, _ in intervals],
            "high": [high for _, high in intervals],
            "favours": [_name(pair, f.favours) for pair, f in zip(self.pairs, self.findings, strict=True)],
            "p_value": [f.p_value for f in self.findings],
            "p_holm": self.adjusted,
            "test": [f.name for f in self.findings],
        }
        return to_frame(columns, kind)

    def __str__(self) -> str:
        many = len(self.pairs) > 1
        head = (
            f"Differences of {self.loss} loss, {SETUPS[self.setup]}; a negative one favors the first model."
        )
        lines = [head]
        for (a, b), f, p in zip(self.pairs, self.findings, self.adjusted, strict=True):
            more = f", {chance(p)} after Holm's correction" if many else ""
            tested = "no test" if f.p_value is None else chance(f.p_value) + more
            lines.append(f"  {a} − {b}: {words(f.estimate, f.interval)}, {tested}")
        notes = tuple(dict.fromkeys(text for f in self.findings for text in f.notes))
        return with_notes("\n".join([*lines, *(f.sentence for f in self.findings)]), notes)

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.pairs)} pairs, Setup {self.setup}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _name(pair: tuple[str, str], favours: str | None) -> str | None:
    """Which of a pair is ahead, by its name."""
    return None if favours is None else pair[favours == "B"]


def compare(result: Any, setup: str = "II", confidence: float | None = None) -> Comparison:
    """Every pair of models in a `TwoLayer`, the baseline last in its pairs."""
    check_choice("setup", setup, tuple(SETUPS))
    names = [n for n in result.names if n != result.baseline] + [result.baseline]
    level = next(iter(result.validations.values())).confidence if confidence is None else confidence
    pairs = tuple(combinations(names, 2))
    judge = _given_training_set if setup == "I" else _random_training_set
    findings = tuple(_named(judge(result, a, b, level), setup) for a, b in pairs)
    adjusted = np.full(len(pairs), np.nan)  # where all differences are equal there is no test
    tested = [i for i, f in enumerate(findings) if f.p_value is not None]
    if tested:
        adjusted[tested] = np.asarray(holm([findings[i] for i in tested]))
    return Comparison(setup, pairs, findings, adjusted, result.loss, result.baseline, level)


def _given_training_set(result: Any, a: str, b: str, confidence: float) -> Finding:
    """Setup I: the rows are the sample; each must have been tested once."""
    tested = result.fold >= 0
    losses = []
    for name in (a, b):
        values = result.losses[name]
        if isinstance(values, list):
            raise InvalidInput(
                "Setup I needs each row to be tested once; use an outer splitter without repeats."
            )
        losses.append(np.asarray(values, dtype=float)[tested])
    weight = None if result.weight is None else result.weight[tested]
    if result.loss == "misclassification":
        y = result.y[tested]
        said = [np.asarray(result.predictions[name])[tested] for name in (a, b)]
        finding = mcnemar(y, *said, confidence=confidence, names=(a, b), sample_weight=weight)
        return _of_losses(finding)
    return paired_t(*losses, confidence=confidence, names=(a, b), sample_weight=weight, loss=result.loss)


def _of_losses(finding: Finding) -> Finding:
    """McNemar's difference of accuracies as a difference of losses: the sign turns."""
    turned = None if finding.interval is None else (-finding.interval[1], -finding.interval[0])
    return replace(finding, estimate=-finding.estimate, interval=turned)


def _named(finding: Finding, setup: str) -> Finding:
    """The sentence says which question it answers."""
    return replace(finding, sentence=f"{finding.sentence.rstrip('.')} (Setup {setup}).")


def _random_training_set(result: Any, a: str, b: str, confidence: float) -> Finding:
    """Setup II: the folds are the sample."""
    differences = result.errors[a] - result.errors[b]
    return correlated_t(
        differences, result.test_fraction, confidence=confidence, names=(a, b), loss=result.loss
    )
