from suffice.distributions import Beta
from suffice.generative.categorical_nb import CategoricalNB

from ..capabilities import Capabilities, No
from ..entry import Entry

ENTRY = Entry(
    CategoricalNB,
    {
        "default": {},
        "listed": {"categories": (("low", "high"), ("no", "yes"), ("a", "b", "c"))},
        "a prior": {"prior": Beta(2.0, 0.5)},
        "far": {
            "alpha": 0.1,
            "force_alpha": False,
            "fit_prior": False,
            "class_prior": "uniform",
            "min_categories": 5,
            "unknown": "smooth",
        },
    },
    Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No(
            "Probabilities have no prior unless one is given, and alpha = 0 is none; with prior=Dirichlet(...) there "
            "is log p(X | y)."
        ),
        predict_dist=True,
        sparse=No("A cell that is not stored would be the value 0, so every cell is needed anyway."),
        partial_fit=True,
    ),
    takes="categories",
)
