from suffice.glm import PoissonRegressor

from ..data import counted_targets
from ..entry import Entry
from ..reasons import newton
from ..wrong import BOOLEAN, NOT_NEGATIVE, PASSES, SIZE

ENTRY = Entry(
    PoissonRegressor,
    {
        "default": {},
        "likeliest": {"alpha": 0.0},
        "through the origin": {"alpha": 0.3, "fit_intercept": False},
        "far": {
            "alpha": 20.0,
            "fit_intercept": False,
            "solver": "newton-cholesky",
            "max_iter": 50,
            "tol": 1e-10,
            "verbose": 1,
        },
    },
    newton(),
    takes="counts",
    one_target=True,
    data=counted_targets,
    wrong={
        "alpha": NOT_NEGATIVE,
        "fit_intercept": BOOLEAN,
        "max_iter": PASSES,
        "tol": SIZE[:3],
        "warm_start": BOOLEAN,
        "solver": [("newton", "'newton'"), (None, "None")],
        "verbose": [(-1, "-1"), ("loud", "'loud'")],
    },
    unmoved={
        "warm_start": "it is about a second fit, which elsewhere must be the first",
    },
)
