from suffice.prepare.transforming.centerer import Centerer

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS

ENTRY = Entry(
    Centerer,
    {"default": {}},
    Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No("Subtracting the mean would fill the zeros of a sparse table, which is its whole point."),
        partial_fit=True,
    ),
)
