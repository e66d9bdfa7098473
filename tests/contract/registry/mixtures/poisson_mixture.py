from suffice.distributions import Gamma
from suffice.mixtures import PoissonMixture

from ..entry import Entry
from ..reasons import mixture
from ..settings import FAR_MIXTURE
from ..wrong import MIXTURE

ENTRY = Entry(
    PoissonMixture,
    {
        "default": {},
        "three": {"n_components": 3, "random_state": 0},
        "far": FAR_MIXTURE | {"prior": Gamma(2.0, 1.0)},
    },
    mixture(sparse=True),
    takes="counts",
    not_for_scikit_learn={"": "its tables hold fractions"},
    wrong=MIXTURE | {"rates_init": [(["a"], "'a'")]},
    unmoved={
        "rates_init": "a start follows the columns and the number of components",
        "warm_start": "it is about a second fit, which elsewhere must be the first",
        "weights_init": "a start follows the columns and the number of components",
    },
)
