from suffice.prepare.transforming.table_encoder import TableEncoder

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS

ENTRY = Entry(
    TableEncoder,
    {
        "default": {},
        "rare levels": {"least_rows": 20},
        "far": {"types": {}, "decimal": ",", "most_levels": 2, "least_rows": 1},
    },
    Capabilities(
        nan=True,
        weights=No(
            "A rule is about which values there are, and a row that counts twice has no other values than one that "
            "counts once."
        ),
        statistics=No(
            "A median, and whether text is nearly always a number, are known when all rows are; they do not add."
        ),
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No(
            "A cell that a sparse table does not store would be the value 0, and never a gap or a level."
        ),
        partial_fit=No(
            "Which levels are frequent and which text is a number may change with every further piece."
        ),
    ),
    takes="mixed columns",
    wrong={
        "decimal": [(";", "';'"), (3, "3")],
        "least_rows": [(0, "0"), (1.5, "1.5"), ("few", "'few'")],
        "most_levels": [(0, "0"), (1.5, "1.5"), ("many", "'many'")],
        "types": [("numbers", "'numbers'"), (3, "3")],
    },
)
