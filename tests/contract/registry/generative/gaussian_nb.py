from suffice.distributions import Normal
from suffice.generative.gaussian_nb import GaussianNB

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import LINEAR
from ..wrong import NORMAL_COLUMNS

ENTRY = Entry(
    GaussianNB,
    {
        "default": {},
        "robust estimate": {"unbiased": True, "std_offset": 0.5, "var_smoothing": 0.0},
        "equal priors": {"priors": "uniform"},
        "far": {"priors": "uniform", "var_smoothing": 0.3, "unbiased": True, "std_offset": 2.0},
    },
    Capabilities(
        nan=True,
        evidence=No(
            "Means and variances have no prior unless one is given; with prior=NormalGamma(...) there is log p(X | y), "
            "and it has tests of its own."
        ),
        **LINEAR,
    ),
    wrong=NORMAL_COLUMNS | {"prior": [("flat", "'flat'"), (1.0, "1.0"), (Normal(0, 1), "Normal")]},
    unmoved={
        "prior": "it has as many coordinates as there are columns, which scikit-learn's checks vary",
    },
)
