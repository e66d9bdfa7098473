from suffice.generative import MultinomialNB

from ..capabilities import Capabilities
from ..entry import Entry
from ..reasons import LINEAR
from ..wrong import ALPHA, BOOLEAN

ENTRY = Entry(
    MultinomialNB,
    {
        "default": {},
        "mode of a posterior": {"prior": 2.5, "fit_prior": False},
        "fully Bayesian": {"alpha": 0.5, "fully_bayesian": True},
        "far": {
            "prior": 30.0,
            "fully_bayesian": True,
            "force_alpha": False,
            "fit_prior": False,
            "class_prior": "uniform",
        },
    },
    Capabilities(nan=True, evidence=True, **LINEAR),
    takes="counts",
    without_evidence=("default", "mode of a posterior"),
    not_for_scikit_learn=dict.fromkeys(("fully Bayesian", "far"), "its tables hold fractions"),
    wrong={
        "alpha": ALPHA,
        "class_prior": [("equal", "'equal'")],
        "fit_prior": BOOLEAN,
        "force_alpha": BOOLEAN,
        "fully_bayesian": BOOLEAN,
        "prior": [("Dirichlet", "'Dirichlet'"), (-1.0, "-1")],
    },
)
