"""What each public estimator can do, in one table. A *no* carries its reason.

nan            rows with missing cells are taken as they are
weights        `sample_weight` counts rows
statistics     the fit factors through statistics that add: `collect`, `solve`, merge, forget
heldout        validation in closed form, without statistics of folds: `heldout(X, y, splits)`
evidence       `log_evidence_`
predict_dist   a distribution per row
sparse         sparse tables, with the answer of the dense one
partial_fit    rows in pieces, with the answer of one fit
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class No:
    """Not offered, and why."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Capabilities:
    """One row of the table."""

    nan: bool | No
    weights: bool | No
    statistics: bool | No
    heldout: bool | No
    evidence: bool | No
    predict_dist: bool | No
    sparse: bool | No
    partial_fit: bool | No

    def cells(self) -> dict[str, bool | No]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


_NO_NAN = No(
    "A triangle holds products of columns, and a product with a missing cell is unknown. "
    "Dropping such rows silently would change the question; the error names the first one."
)
_NO_HELDOUT = No(
    "Statistics answer every splitter exactly; the leverages that would be faster for many tiny folds "
    "are not used yet."
)
_LINEAR = {"weights": True, "statistics": True, "predict_dist": True, "sparse": True, "partial_fit": True}

TABLE: dict[str, Capabilities] = {
    "baselines.MeanRegressor": Capabilities(
        nan=No("Columns are ignored, but a missing cell there is still a mistake worth hearing about."),
        heldout=_NO_HELDOUT,
        evidence=No("Mean and variance have no prior, so the probability of the targets is not defined."),
        **_LINEAR,
    ),
    "linear.BayesianLinearRegression": Capabilities(
        nan=_NO_NAN, heldout=_NO_HELDOUT, evidence=True, **_LINEAR
    ),
    "linear.LinearRegression": Capabilities(
        nan=_NO_NAN,
        heldout=_NO_HELDOUT,
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        **_LINEAR,
    ),
    "linear.Ridge": Capabilities(
        nan=_NO_NAN,
        heldout=_NO_HELDOUT,
        evidence=No(
            "A penalty fixes the ratio of noise to prior variance but neither of the two, so there is no "
            "probability of the targets; BayesianLinearRegression has it."
        ),
        **_LINEAR,
    ),
}
