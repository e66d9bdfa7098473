from suffice.distributions import Beta
from suffice.mixtures import BernoulliMixture

from ..data import flags
from ..entry import Entry
from ..reasons import mixture
from ..settings import FAR_MIXTURE
from ..wrong import MIXTURE

ENTRY = Entry(
    BernoulliMixture,
    {
        "default": {},
        "three": {"n_components": 3, "random_state": 0},
        "far": FAR_MIXTURE | {"prior": Beta(2.0, 1.5)},
    },
    mixture(sparse=True),
    takes="counts",
    data=flags,
    not_for_scikit_learn={"": "its tables hold fractions"},
    wrong=MIXTURE | {"probabilities_init": [(["a"], "'a'")]},
    unmoved={
        "probabilities_init": "a start follows the columns and the number of components",
        "warm_start": "it is about a second fit, which elsewhere must be the first",
        "weights_init": "a start follows the columns and the number of components",
    },
)
