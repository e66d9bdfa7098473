import numpy as np

from suffice.prepare.transforming.one_hot_encoder import OneHotEncoder

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS
from ..wrong import BOOLEAN

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
    not_for_scikit_learn={
        "default": "half of a table has other numbers than the other",
        "fixed": "its tables have several columns",
        "far": "its answer is of single precision",
    },
    wrong={
        "categories": [("all", "'all'"), (3, "3")],
        "drop": [("last", "'last'"), (3, "3")],
        "dtype": [("text", "'text'"), (str, "str")],
        "feature_name_combiner": [("join", "'join'"), (None, "None")],
        "handle_unknown": [("skip", "'skip'"), (None, "None")],
        "max_categories": [(0, "0"), (1.5, "1.5"), ("all", "'all'")],
        "min_frequency": [(-1, "-1"), (1.5, "1.5"), ("rare", "'rare'")],
        "missing": [("drop", "'drop'"), (None, "None")],
        "sparse_output": BOOLEAN,
    },
)
