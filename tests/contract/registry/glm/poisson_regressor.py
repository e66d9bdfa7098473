from suffice.glm import PoissonRegressor

from ..entry import Entry
from ..reasons import newton

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
)
