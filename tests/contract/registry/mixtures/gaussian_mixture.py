import numpy as np

from suffice.distributions import Normal
from suffice.mixtures import GaussianMixture

from ..entry import Entry
from ..reasons import mixture
from ..wrong import BOOLEAN

ENTRY = Entry(
    GaussianMixture,
    {
        "default": {},
        "balls": {"n_components": 2, "covariance_type": "spherical", "random_state": 1},
        "a prior on means": {
            "n_components": 2,
            "prior": Normal(0.0, 10.0),
            "reg_covar": 0.0,
            "max_iter": 1000,
            "random_state": 0,
        },
        "far": {
            "n_components": 2,
            "covariance_type": "diag",
            "tol": 1e-2,
            "reg_covar": 1e-3,
            "max_iter": 500,
            "n_init": 2,
            "init_params": "k-means++",
            "random_state": 4,
            "verbose": 1,
            "verbose_interval": 50,
            "hard": True,
            "prior": Normal(0.0, 100.0),
            "weights_prior": 3.0,
        },
    },
    mixture(),
    wrong={
        "n_components": [(0, "0"), (1.5, "1.5"), ("2", "'2'"), (True, "True"), (None, "None")],
        "covariance_type": [("fulll", "'fulll'"), (None, "None")],
        "tol": [(-1.0, "-1"), (np.nan, "nan"), ("small", "'small'")],
        "reg_covar": [(-1e-6, "-1e-06"), (np.inf, "inf"), (None, "None")],
        "max_iter": [(-1, "-1"), (2.5, "2.5"), (True, "True")],
        "n_init": [(0, "0"), (1.5, "1.5"), ("one", "'one'")],
        "init_params": [("kmean", "'kmean'"), (None, "None")],
        "weights_init": [(["a"], "'a'")],
        "means_init": [(["a"], "'a'"), ([[np.nan] * 3], "nan")],
        "precisions_init": [(["a"], "'a'")],
        "random_state": [(-3, "-3"), ("seed", "'seed'"), (1.5, "1.5")],
        "warm_start": BOOLEAN,
        "verbose": [(-1, "-1"), ("loud", "'loud'")],
        "verbose_interval": [(0, "0"), ("often", "'often'")],
        "hard": BOOLEAN,
        "prior": [("flat", "'flat'"), (Normal([0.0, 1.0], 1.0), r"\(2,\)")],
        "weights_prior": [(0.5, "0.5"), ("flat", "'flat'"), (np.inf, "inf"), ([1.0, 2.0], "1.0, 2.0")],
    },
    unmoved={
        "means_init": "a start follows the columns and the number of components",
        "precisions_init": "a start follows the columns and the number of components",
        "warm_start": "it is about a second fit, which elsewhere must be the first",
        "weights_init": "a start follows the columns and the number of components",
    },
)
