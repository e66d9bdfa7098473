import numpy as np

from suffice.generative.fisher_discriminant import FisherDiscriminant

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import LINEAR

ENTRY = Entry(
    FisherDiscriminant,
    {
        "default": {},
        "one direction": {"n_components": 1, "priors": "uniform"},
        "own variances": {"covariance": "own", "tol": 1e-6},
        "far": {"n_components": 1, "method": "mean_difference", "covariance": "own", "priors": "uniform"},
    },
    Capabilities(
        nan=No(
            "The scatter of a column with missing cells against the others is unknown, and so are the directions; the "
            "error names the first one. LinearDiscriminantAnalysis finds both by expectation and maximization."
        ),
        evidence=No("Directions, means and variances have no prior, so the labels have no evidence."),
        **LINEAR,
    ),
    wrong={
        "n_components": [(0, "0"), (1.5, "1.5"), (True, "True"), ("two", "'two'"), (-1, "-1")],
        "method": [("pca", "'pca'"), (None, "None")],
        "covariance": [("full", "'full'"), (None, "None")],
        "priors": [("equal", "'equal'")],
        "tol": [(-1.0, "-1"), (np.nan, "nan"), ("small", "'small'"), (None, "None")],
    },
)
