from suffice.mixtures import CategoricalMixture

from ..entry import Entry
from ..reasons import WORDS, mixture
from ..settings import FAR_MIXTURE

ENTRY = Entry(
    CategoricalMixture,
    {
        "default": {},
        "listed": {"n_components": 2, "categories": (("low", "high"), ("no", "yes"), ("a", "b", "c"))},
        "far": FAR_MIXTURE | {"prior": 2.0, "unknown": "raise"},
    },
    mixture(sparse=WORDS),
    takes="categories",
)
