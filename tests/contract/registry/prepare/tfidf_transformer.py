from suffice.prepare.texts.tfidf import TfidfTransformer

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS
from ..wrong import BOOLEAN

ENTRY = Entry(
    TfidfTransformer,
    {
        "default": {},
        "shares": {"norm": "l1", "smooth_idf": False},
        "counts alone": {"norm": None, "use_idf": False},
        "far": {"norm": "l1", "use_idf": False, "smooth_idf": False, "sublinear_tf": True},
    },
    Capabilities(
        nan=No("How often a term occurs must be known before it is weighted; the error names the first gap."),
        weights=True,
        statistics=True,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=True,
        partial_fit=True,
    ),
    takes="counts",
    wrong={
        "norm": [("l3", "'l3'"), (2, "2")],
        "smooth_idf": BOOLEAN,
        "sublinear_tf": BOOLEAN,
        "use_idf": BOOLEAN,
    },
)
