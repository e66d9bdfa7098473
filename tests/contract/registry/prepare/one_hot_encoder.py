import numpy as np

from suffice.prepare.transforming.one_hot_encoder import OneHotEncoder

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS

ENTRY = Entry(
    OneHotEncoder,
    {
        "default": {},
        "fixed": {"categories": [["a", "b"]], "drop": "first"},
        "dense": {"sparse_output": False, "handle_unknown": "ignore"},
        "infrequent": {
            "handle_unknown": "infrequent_if_exist",
            "min_frequency": 3,
            "max_categories": 2,
            "feature_name_combiner": "{}={}".format,
        },
        "far": {
            "drop": "if_binary",
            "sparse_output": False,
            "dtype": np.float32,
            "min_frequency": 0.02,
            "max_categories": 50,
            "handle_unknown": "other",
            "missing": "zeros",
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
            "A cell that a sparse table does not store would be the category 0; the result may be sparse."
        ),
        partial_fit=True,
    ),
    takes="categories",
)
