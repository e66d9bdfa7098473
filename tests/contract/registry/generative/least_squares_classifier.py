from suffice.generative.least_squares_classifier import LeastSquaresClassifier

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_NAN
from ..wrong import BOOLEAN

ENTRY = Entry(
    LeastSquaresClassifier,
    {
        "default": {},
        "through the origin": {"fit_intercept": False},
        "equal priors": {"priors": "uniform"},
        "far": {"fit_intercept": False, "priors": "uniform"},
    },
    Capabilities(
        nan=NO_NAN,
        weights=True,
        statistics=True,
        heldout=No(
            "The closed form would give outputs, and `heldout` gives distributions, which it has not; statistics of "
            "folds are solved instead."
        ),
        evidence=No("Targets of zero and one are not normal, so least squares gives them no probability."),
        predict_dist=No(
            "Outputs sum to one but fall below zero and rise above one: they are no probabilities."
        ),
        sparse=True,
        partial_fit=True,
    ),
    wrong={"fit_intercept": BOOLEAN, "priors": [("equal", "'equal'")]},
)
