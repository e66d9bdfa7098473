"""Wrong values that parameters of several estimators share: each with what the error shows of it."""

from __future__ import annotations

import numpy as np

from suffice.bases import Polynomial
from suffice.distributions import Normal

BOOLEAN = [("no", "'no'"), (2, "2"), (None, "None")]
UNLESS_NONE = [pair for pair in BOOLEAN if pair[0] is not None]
COMMON = {
    "fit_intercept": BOOLEAN,
    "standardize": BOOLEAN,
    "basis": [(3, "3"), ("cubic", "'cubic'"), (Polynomial, "Polynomial")],
    "weight_kind": [("count", "'count'"), (None, "None"), (1, "1")],
}
PRECISION = [
    (0, "0"),
    (-1.0, "-1"),
    (np.nan, "nan"),
    (np.inf, "inf"),
    ("auto", "'auto'"),
    (None, "None"),
    (True, "True"),
    ([1.0], r"\[1"),
]
DISCRIMINANTS = {
    "priors": [("equal", "'equal'")],
    "shrinkage": [(-0.1, "-0.1"), (1.5, "1.5"), ("some", "'some'"), (np.nan, "nan"), (True, "True")],
    "covariance": [("tied", "'tied'"), (None, "None"), (np.eye(3), "array"), (5, "5")],
    "covariance_estimator": [("oas", "'oas'"), (0.5, "0.5")],
    "unbiased": BOOLEAN,
    "prior": [("flat", "'flat'"), (1.0, "1.0"), (Normal(0, 1), "Normal")],
    "em_tol": [(0, "0"), (-1.0, "-1"), (np.nan, "nan"), ("small", "'small'"), (None, "None"), (True, "True")],
    "em_max_iter": [(0, "0"), (1.5, "1.5"), (True, "True"), ("many", "'many'"), (None, "None")],
}
NOT_NEGATIVE = [
    (-0.1, "-0.1"),
    (np.nan, "nan"),
    (np.inf, "inf"),
    ("some", "'some'"),
    (None, "None"),
    (True, "True"),
]
NEWTON = {
    "prior_precision": NOT_NEGATIVE,
    "fit_intercept": BOOLEAN,
    "penalize_intercept": BOOLEAN,
    "basis": COMMON["basis"],
    "standardize": BOOLEAN,
    "class_weight": [
        ("even", "'even'"),
        (2.0, "2.0"),
        ([1.0, 2.0], r"\[1"),
        ({"a": -1.0}, "-1"),
        ({"a": np.nan}, "nan"),
        ({"b": "heavy"}, "'heavy'"),
    ],
    "tol": [(-1e-3, "-0.001"), ("small", "'small'"), (np.nan, "nan"), (True, "True"), (None, "None")],
    "max_iter": [(0, "0"), (1.5, "1.5"), (True, "True"), ("many", "'many'"), (None, "None")],
}
NORMAL_COLUMNS = {
    "priors": [("equal", "'equal'")],
    "var_smoothing": NOT_NEGATIVE,
    "std_offset": NOT_NEGATIVE,
    "unbiased": BOOLEAN,
}
SIZE = [(-1e-3, "-0.001"), ("small", "'small'"), (np.nan, "nan"), (True, "True")]
PASSES = [(0, "0"), (1.5, "1.5"), (True, "True"), ("many", "'many'")]
SEEDS = [(-1, "-1"), ("seed", "'seed'"), (1.5, "1.5")]
FRACTION = [(-0.1, "-0.1"), (1.1, "1.1"), (np.nan, "nan"), ("half", "'half'"), (None, "None")]
PEER_SOLVERS = {  # of scikit-learn's logistic regression
    "dual": BOOLEAN,
    "intercept_scaling": [
        (0, "0"),
        (-1.0, "-1"),
        (np.nan, "nan"),
        ("one", "'one'"),
        (None, "None"),
        (True, "True"),
    ],
    "random_state": SEEDS,
    "solver": [("newton", "'newton'"), (None, "None")],
    "max_iter": [(-1, "-1"), (1.5, "1.5"), (True, "True"), ("many", "'many'"), (None, "None")],
    "verbose": [(-1, "-1"), (1.5, "1.5"), ("much", "'much'"), (None, "None")],
    "n_jobs": [(1.5, "1.5"), ("all", "'all'"), (True, "True")],
}
DESCENT = {  # of scikit-learn's lasso and elastic net
    "alpha": [
        (-1, "-1"),
        (np.nan, "nan"),
        (np.inf, "inf"),
        ("big", "'big'"),
        (None, "None"),
        ([1.0, 2.0], r"\[1"),
    ],
    "max_iter": PASSES,
    "tol": SIZE,
    "precompute": [("yes", "'yes'"), (None, "None"), (2, "2")],
    "selection": [("best", "'best'"), (None, "None")],
    "random_state": SEEDS,
    "copy_X": BOOLEAN,
    "warm_start": BOOLEAN,
    "positive": BOOLEAN,
}
PENALTIES = [
    (-1.0, "-1.0"),
    ([1.0, np.nan], "nan"),
    ([np.inf], "inf"),
    ("big", "'big'"),
    (None, "None"),
    ([1.0, True], "True"),
]
PENALTY_LISTS = {
    "alphas": PENALTIES,
    "fit_intercept": BOOLEAN,
    "cv": [(1, "1"), (True, "True"), ("five", "'five'"), (1.5, "1.5")],
}
PATHS = {name: DESCENT[name] for name in DESCENT if name not in ("alpha", "warm_start")} | {
    "eps": [(0, "0"), (-1.0, "-1.0"), (np.nan, "nan"), ("small", "'small'"), (None, "None")],
    "verbose": [("loud", "'loud'"), (-1, "-1")],
    "n_jobs": [(1.5, "1.5"), ("all", "'all'"), (True, "True")],
}
ALPHA = [
    (-1.0, "-1"),
    (np.nan, "nan"),
    (np.inf, "inf"),
    ("auto", "'auto'"),
    (None, "None"),
    (True, "True"),
]
MIXTURE = {
    "n_components": [(0, "0"), (1.5, "1.5"), ("2", "'2'"), (True, "True"), (None, "None")],
    "tol": [(-1.0, "-1"), (np.nan, "nan"), ("small", "'small'")],
    "max_iter": [(-1, "-1"), (2.5, "2.5"), (True, "True")],
    "n_init": [(0, "0"), (1.5, "1.5"), ("one", "'one'")],
    "init_params": [("kmean", "'kmean'"), (None, "None")],
    "weights_init": [(["a"], "'a'")],
    "random_state": [(-3, "-3"), ("seed", "'seed'"), (1.5, "1.5")],
    "warm_start": BOOLEAN,
    "hard": BOOLEAN,
    "prior": [("flat", "'flat'")],
    "weights_prior": [(0.5, "0.5"), ("flat", "'flat'"), (np.inf, "inf"), ([1.0, 2.0], "1.0, 2.0")],
}
