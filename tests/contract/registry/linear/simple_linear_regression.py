from suffice.linear import SimpleLinearRegression

from ..capabilities import Capabilities, No
from ..entry import Entry

ENTRY = Entry(
    SimpleLinearRegression,
    {"default": {}},
    Capabilities(
        nan=No("The products of a missing cell are unknown; the error names the first one."),
        weights=No("Its table has a line per row and plain means below; LinearRegression takes weights."),
        statistics=No(
            "It keeps the rows to show them in its table; LinearRegression is the same line from sums."
        ),
        heldout=No(
            "It is there to show its working; LinearRegression has the closed form for the same line."
        ),
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=No("Its means are taken over all rows at once; LinearRegression takes rows in pieces."),
    ),
    takes="one column",
    one_target=True,
    not_for_scikit_learn={"": "its tables have several columns"},
)
