from suffice.linear import ElasticNetCV

from ..entry import Entry
from ..reasons import CHOOSING
from ..settings import CHOOSING_FAR
from ..wrong import FRACTION, PATHS, PENALTY_LISTS

ENTRY = Entry(
    ElasticNetCV,
    {
        "default": {},
        "several shares": {"alphas": 5, "l1_ratio": [0.1, 0.9], "cv": 3, "positive": True},
        "mostly squares": {"alphas": [0.5, 1e-3], "l1_ratio": 0.01},
        "far": {"l1_ratio": [0.3, 1.0]} | CHOOSING_FAR,
    },
    CHOOSING,
    ordered=True,
    by_folds=True,
    one_target=True,
    wrong=PENALTY_LISTS | PATHS | {"l1_ratio": [*FRACTION, ([0.5, 2.0], r"\[0.5, 2.0\]")]},
    costly=True,
)
