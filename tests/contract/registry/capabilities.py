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
