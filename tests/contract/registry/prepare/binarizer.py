import numpy as np

from suffice.prepare import Binarizer

from ..capabilities import Capabilities
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS, NOTHING_ADDED, NOTHING_LEARNED, NOTHING_WEIGHED
from ..wrong import BOOLEAN

ENTRY = Entry(
    Binarizer,
    {
        "default": {},
        "above": {"threshold": 0.5, "inclusive": True},
        "far": {"threshold": -1.0, "copy": False, "inclusive": True},
    },
    Capabilities(
        nan=True,
        weights=NOTHING_WEIGHED,
        statistics=NOTHING_LEARNED,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=True,
        partial_fit=NOTHING_ADDED,
    ),
    wrong={
        "threshold": [
            ("half", "'half'"),
            (None, "None"),
            (np.nan, "nan"),
            ([0.0, 1.0], "2"),
            ({"x9": 1.0}, "'x9'"),
        ],
        "inclusive": BOOLEAN,
        "copy": BOOLEAN,
    },
)
