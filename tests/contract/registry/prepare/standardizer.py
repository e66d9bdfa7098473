from suffice.prepare import Standardizer

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS
from ..wrong import BOOLEAN

ENTRY = Entry(
    Standardizer,
    {
        "default": {},
        "only centred": {"with_std": False},
        "only scaled": {"with_mean": False},
        "far": {"with_mean": False, "with_std": False},
    },
    Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No("Subtracting the mean would fill the zeros; sparse tables are taken with with_mean=False."),
        partial_fit=True,
    ),
    wrong={"with_mean": BOOLEAN, "with_std": BOOLEAN},
)
