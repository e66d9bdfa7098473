from suffice.baselines import MeanRegressor

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import IGNORED, LINEAR

ENTRY = Entry(
    MeanRegressor,
    {"default": {}},
    Capabilities(
        nan=IGNORED,
        evidence=No("Mean and variance have no prior, so the probability of the targets is not defined."),
        **LINEAR,
    ),
)
