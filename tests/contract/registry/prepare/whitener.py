from suffice.prepare import Whitener

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS

ENTRY = Entry(
    Whitener,
    {"default": {}, "upright": {"method": "zca"}, "far": {"method": "cholesky"}},
    Capabilities(
        nan=No(
            "A covariance whose pairs of columns are averaged over different rows need not be one; "
            "the error names the first gap."
        ),
        weights=True,
        statistics=True,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No("Subtracting the mean and mixing the columns would leave no zero of a sparse table."),
        partial_fit=True,
    ),
    wrong={"method": [("qr", "'qr'"), (None, "None"), (True, "True")]},
)
