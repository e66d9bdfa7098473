from suffice.mixtures import MixtureModel

from ..entry import Entry
from ..reasons import WORDS, mixture
from ..settings import FAR_MIXTURE

ENTRY = Entry(
    MixtureModel,
    {
        "default": {},
        "as told": {"components": {"n": "gaussian"}, "reg_covar": 1e-3},
        "listed": {"categories": {"color": ("red", "blue")}},
        "far": FAR_MIXTURE | {"components": {"n": "poisson"}, "unknown": "raise", "prior": {"color": 2.0}},
    },
    mixture(sparse=WORDS),
    takes="mixed columns",
)
