import numpy as np

from suffice.prepare import Affine

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS, NOTHING_ADDED, NOTHING_LEARNED, NOTHING_WEIGHED

ENTRY = Entry(
    Affine,
    {"default": {}, "factor": {"A": 2.0}, "shift": {"b": 3.0}, "far": {"A": -0.5, "b": 1e3}},
    Capabilities(
        nan=True,
        weights=NOTHING_WEIGHED,
        statistics=NOTHING_LEARNED,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No("A shift would fill the zeros of a sparse table, and then it is one no longer."),
        partial_fit=NOTHING_ADDED,
    ),
    wrong={
        "A": [
            ("two", "'two'"),
            (None, "None"),
            (np.inf, "inf"),
            (np.eye(2), r"\(2, 2\)"),
            ([1.0, 2.0], r"\(2,\)"),
        ],
        "b": [
            ("one", "'one'"),
            (None, "None"),
            (np.nan, "nan"),
            ([1.0, 2.0], "1.0, 2.0"),
            (np.eye(3), "array"),
        ],
    },
)
