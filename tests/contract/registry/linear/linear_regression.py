import numpy as np

from suffice.bases import CustomBasis, FourierBasis, GaussianBasis, Polynomial, SplineBasis
from suffice.linear import LinearRegression

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import LINEAR, NO_NAN
from ..settings import sine_and_cosine
from ..wrong import BOOLEAN, COMMON, SIZE

ENTRY = Entry(
    LinearRegression,
    {
        "default": {},
        "through the origin": {"fit_intercept": False, "weight_kind": "precision"},
        "parabola, standardized": {"basis": Polynomial(2), "standardize": True},
        "functions": {"basis": CustomBasis([sine_and_cosine]), "weight_kind": "precision"},
        "splines and waves": {"basis": SplineBasis([-2.0, 0.0, 2.0], degree=1) + FourierBasis(1, period=9.0)},
        "variance of maximum likelihood": {"variance": "ml", "basis": Polynomial(2)},
        "far": {
            "fit_intercept": False,
            "basis": Polynomial(3) + GaussianBasis([-1.0, 1.0], width=0.7),
            "standardize": True,
            "weight_kind": "precision",
            "rcond": 1e-12,
            "copy_X": False,
            "tol": 1e-3,
            "n_jobs": 2,
        },
        "truncated": {"singular_cutoff": 1e-6, "standardize": True},
        "positive": {"positive": True},
    },
    Capabilities(
        nan=NO_NAN,
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        **LINEAR,
    ),
    wrong=COMMON
    | {
        "copy_X": BOOLEAN,
        "positive": BOOLEAN,
        "tol": SIZE,
        "n_jobs": [(1.5, "1.5"), ("all", "'all'"), (True, "True")],
        "rcond": [(-1e-3, "-0.001"), ("small", "'small'"), (np.nan, "nan"), (True, "True"), (1.5, "1.5")],
        "singular_cutoff": [(0, "0"), (-1e-3, "-0.001"), ("small", "'small'"), (np.nan, "nan"), (1.5, "1.5")],
        "variance": [("mle", "'mle'"), (None, "None"), (1.0, "1.0")],
    },
)
