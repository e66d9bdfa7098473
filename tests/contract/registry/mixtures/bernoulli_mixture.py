from suffice.distributions import Beta
from suffice.mixtures import BernoulliMixture

from ..entry import Entry
from ..reasons import mixture
from ..settings import FAR_MIXTURE

ENTRY = Entry(
    BernoulliMixture,
    {
        "default": {},
        "three": {"n_components": 3, "random_state": 0},
        "far": FAR_MIXTURE | {"prior": Beta(2.0, 1.5)},
    },
    mixture(sparse=True),
    takes="counts",
)
