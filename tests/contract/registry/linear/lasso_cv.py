from suffice.linear import LassoCV

from ..entry import Entry
from ..reasons import CHOOSING
from ..settings import CHOOSING_FAR
from ..wrong import PATHS, PENALTY_LISTS

ENTRY = Entry(
    LassoCV,
    {
        "default": {},
        "given penalties": {"alphas": [0.5, 1e-3], "cv": 3},
        "positive": {"alphas": 5, "positive": True},
        "far": CHOOSING_FAR,
    },
    CHOOSING,
    ordered=True,
    by_folds=True,
    one_target=True,
    wrong=PENALTY_LISTS | PATHS,
    costly=True,
)
