import numpy as np

from suffice.prepare.transforming.log_transform import LogTransform

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS, NOTHING_ADDED, NOTHING_LEARNED, NOTHING_WEIGHED

ENTRY = Entry(
    LogTransform,
    {"default": {}, "counts": {"offset": 1.0}, "far": {"offset": 100.0}},
    Capabilities(
        nan=True,
        weights=NOTHING_WEIGHED,
        statistics=NOTHING_LEARNED,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No(
            "The zeros of a sparse table have no logarithm, and with an offset they become other numbers."
        ),
        partial_fit=NOTHING_ADDED,
    ),
    takes="positive numbers",
    not_for_scikit_learn={"": "its tables hold zeros, and the offset takes numbers below zero"},
    wrong={"offset": [("one", "'one'"), (None, "None"), (np.nan, "nan"), (np.inf, "inf")]},
)
