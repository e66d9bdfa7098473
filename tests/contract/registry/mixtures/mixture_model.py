import numpy as np

from suffice.mixtures import MixtureModel

from ..entry import Entry
from ..reasons import WORDS, mixture
from ..settings import FAR_MIXTURE
from ..wrong import MIXTURE

ENTRY = Entry(
    MixtureModel,
    {
        "default": {},
        "as told": {"components": {"n": "gaussian"}, "reg_covar": 1e-3, "random_state": 0},
        "listed": {"categories": {"color": ("red", "blue")}, "random_state": 0},
        "far": FAR_MIXTURE | {"components": {"n": "poisson"}, "unknown": "raise", "prior": {"color": 2.0}},
    },
    mixture(sparse=WORDS),
    takes="mixed columns",
    drawn=True,
    not_for_scikit_learn=dict.fromkeys(
        ("as told", "listed", "far"), "its tables have no column of that name"
    ),
    wrong=MIXTURE
    | {
        "weights_prior": [(0.5, "0.5"), ("flat", "'flat'"), (np.inf, "inf")],
        "categories": [("listed", "'listed'")],
        "components": [("guess", "'guess'"), (3, "3")],
        "reg_covar": [(-1e-6, "-1e-06"), (np.inf, "inf"), (None, "None")],
        "unknown": [("ignore", "'ignore'"), (None, "None")],
    },
    unmoved={
        "warm_start": "it is about a second fit, which elsewhere must be the first",
        "weights_init": "a start follows the columns and the number of components",
    },
)
