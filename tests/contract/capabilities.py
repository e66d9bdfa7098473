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
_ADDING = {"weights": True, "statistics": True, "predict_dist": True, "sparse": True, "partial_fit": True}
_LINEAR = _ADDING | {"heldout": True}

_IGNORED = No("Columns are ignored, but a missing cell there is still a mistake worth hearing about.")
_NO_ROWS = No("A transformer predicts nothing, so there is no row whose prediction could be held out.")
_NO_TARGETS = No("A transformer has no model of the targets, so they have no probability under it.")


def _labels() -> Capabilities:
    """The baselines of classification differ in what they predict, not in what they can do."""
    return Capabilities(
        nan=_IGNORED,
        weights=True,
        statistics=True,
        heldout=No(
            "Counts of classes answer every splitter exactly, and nothing could be faster than counting."
        ),
        evidence=No("The shares of the classes have no prior, so the probability of labels is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=True,
    )


TABLE: dict[str, Capabilities] = {
    "baselines.MeanRegressor": Capabilities(
        nan=_IGNORED,
        evidence=No("Mean and variance have no prior, so the probability of the targets is not defined."),
        **_LINEAR,
    ),
    "baselines.LastValue": Capabilities(
        nan=No("Other columns are ignored, but a missing cell there is still a mistake worth hearing about."),
        heldout=No(
            "The prediction takes nothing from the training rows, so there is nothing to leave out of it."
        ),
        evidence=No("The residual variance has no prior, so the probability of the targets is not defined."),
        **_ADDING,
    ),
    "baselines.MajorityClassifier": _labels(),
    "baselines.MedianRegressor": Capabilities(
        nan=_IGNORED,
        weights=True,
        statistics=No("A median needs the order of all targets; no summary of fixed size adds up to it."),
        heldout=No("Without one row the median moves to a neighbour; refitting is a partial sort and cheap."),
        evidence=No("Centre and scale have no prior, so the probability of the targets is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=No("A median needs the order of all targets, so earlier rows would have to be kept."),
    ),
    "baselines.PriorClassifier": _labels(),
    "linear.BayesianLinearRegression": Capabilities(nan=_NO_NAN, evidence=True, **_LINEAR),
    "linear.LinearRegression": Capabilities(
        nan=_NO_NAN,
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        **_LINEAR,
    ),
    "linear.Ridge": Capabilities(
        nan=_NO_NAN,
        evidence=No(
            "A penalty fixes the ratio of noise to prior variance but neither of the two, so there is no "
            "probability of the targets; BayesianLinearRegression has it."
        ),
        **_LINEAR,
    ),
    "prepare.BasisTransformer": Capabilities(
        nan=No("A function of a missing cell is unknown; the error names the first one."),
        weights=No(
            "What a basis takes from rows is their range, which does not change when a row is seen twice."
        ),
        statistics=No(
            "A range has no subtraction, and a fixed basis takes nothing from rows that could be added."
        ),
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=True,
        partial_fit=No(
            "Centres that move with later rows would change the columns that earlier rows were given."
        ),
    ),
    "prepare.CalendarFeatures": Capabilities(
        nan=No("A missing time has no hour and no weekday; the error names its row."),
        weights=No("It learns nothing from rows, so there is nothing that a row could count for."),
        statistics=No("It learns nothing from rows, so there are no statistics to add up or take apart."),
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("A sparse table has zeros where nothing is stored, and zero is not a datetime."),
        partial_fit=No("It learns nothing from rows, so a second part of them could add nothing."),
    ),
    "prepare.Standardizer": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("Subtracting the mean would fill the zeros; sparse tables are taken with with_mean=False."),
        partial_fit=True,
    ),
}
