from suffice.mixtures import CategoricalMixture

from ..entry import Entry
from ..reasons import WORDS, mixture
from ..settings import FAR_MIXTURE
from ..wrong import MIXTURE

ENTRY = Entry(
    CategoricalMixture,
    {
        "default": {},
        "listed": {
            "n_components": 2,
            "categories": (("low", "high"), ("no", "yes"), ("a", "b", "c")),
            "random_state": 0,
        },
        "far": FAR_MIXTURE | {"prior": 2.0, "unknown": "raise"},
    },
    mixture(sparse=WORDS),
    takes="categories",
    not_for_scikit_learn={
        "listed": "its tables hold no words",
        "far": "half of a table has other numbers than the other",
    },
    wrong=MIXTURE
    | {
        "prior": [],
        "probabilities_init": [(["a"], "'a'")],
        "categories": [("listed", "'listed'")],
        "unknown": [("ignore", "'ignore'"), (None, "None")],
    },
    unmoved={
        "probabilities_init": "a start follows the columns and the number of components",
        "warm_start": "it is about a second fit, which elsewhere must be the first",
        "weights_init": "a start follows the columns and the number of components",
    },
)
