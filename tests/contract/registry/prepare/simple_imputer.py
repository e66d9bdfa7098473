import numpy as np

from suffice.prepare.transforming.simple_imputer import SimpleImputer

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS
from ..wrong import BOOLEAN

ENTRY = Entry(
    SimpleImputer,
    {
        "default": {},
        "auto": {"strategy": "auto", "add_indicator": True},
        "middle": {"strategy": "median", "missing_values": None, "keep_empty_features": True},
        "far": {
            "strategy": "constant",
            "fill_value": -3.0,
            "missing_values": -99.5,
            "copy": False,
            "add_indicator": True,
            "keep_empty_features": True,
        },
    },
    Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No(
            "A cell that a sparse table does not store is zero, not missing; columns may also be text."
        ),
        partial_fit=True,
    ),
    takes="gaps",
    not_for_scikit_learn={"far": "its tables mark gaps by NaN"},
    wrong={
        "strategy": [("modal", "'modal'"), (None, "None")],
        "add_indicator": BOOLEAN,
        "copy": BOOLEAN,
        "keep_empty_features": BOOLEAN,
        "fill_value": [],
        "missing_values": [([np.nan], "nan")],
    },
)
