from suffice.baselines import MedianRegressor

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import IGNORED

ENTRY = Entry(
    MedianRegressor,
    {"default": {}},
    Capabilities(
        nan=IGNORED,
        weights=True,
        statistics=No("A median needs the order of all targets; no summary of fixed size adds up to it."),
        heldout=No("Without one row the median moves to a neighbour; refitting is a partial sort and cheap."),
        evidence=No("Centre and scale have no prior, so the probability of the targets is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=No("A median needs the order of all targets, so earlier rows would have to be kept."),
    ),
)
