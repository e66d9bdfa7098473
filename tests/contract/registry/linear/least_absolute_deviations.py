from suffice.bases import GaussianBasis, Polynomial
from suffice.linear import LeastAbsoluteDeviations

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..wrong import BOOLEAN, COMMON

ENTRY = Entry(
    LeastAbsoluteDeviations,
    {
        "default": {},
        "through the origin": {"fit_intercept": False},
        "linear program": {"solver": "linear_program", "basis": Polynomial(2, interactions=True)},
        "standardized": {"standardize": True, "basis": Polynomial(2)},
        "far": {
            "fit_intercept": False,
            "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
            "standardize": True,
            "solver": "descent",
        },
    },
    Capabilities(
        nan=No("The residual of a row with a missing cell is unknown; the error names the first one."),
        weights=True,
        statistics=No(
            "The sum of absolute residuals depends on which side of the line every row lies; no summary of fixed "
            "size tells that for a line not yet known."
        ),
        heldout=No(
            "Without a row that the line passes through it jumps to another corner; there is no formula for which."
        ),
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=No(
            "Every earlier row may become one that the line passes through, so all would be kept."
        ),
    ),
    wrong={
        "fit_intercept": BOOLEAN,
        "basis": COMMON["basis"],
        "standardize": BOOLEAN,
        "solver": [("simplex", "'simplex'"), (None, "None")],
    },
)
