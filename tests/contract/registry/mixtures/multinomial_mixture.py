from suffice.mixtures import MultinomialMixture

from ..capabilities import No
from ..entry import Entry
from ..reasons import mixture
from ..settings import FAR_MIXTURE
from ..wrong import MIXTURE

ENTRY = Entry(
    MultinomialMixture,
    {
        "default": {},
        "three": {"n_components": 3, "random_state": 0},
        "far": FAR_MIXTURE | {"prior": 2.0},
    },
    mixture(
        nan=No("How often a term occurs must be known, for the total is; the error names the first gap."),
        sparse=True,
        predict_dist=No("Counts given their total have no distribution of some of them without the others."),
    ),
    takes="counts",
    not_for_scikit_learn={"": "its tables hold fractions"},
    wrong=MIXTURE | {"probabilities_init": [(["a"], "'a'")]},
    unmoved={
        "probabilities_init": "a start follows the columns and the number of components",
        "warm_start": "it is about a second fit, which elsewhere must be the first",
        "weights_init": "a start follows the columns and the number of components",
    },
)
