from suffice.baselines import LastValue

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import ADDING

ENTRY = Entry(
    LastValue,
    {"default": {}, "first column": {"column": 0}, "far": {"column": -2}},
    Capabilities(
        nan=No("Other columns are ignored, but a missing cell there is still a mistake worth hearing about."),
        heldout=No(
            "The prediction takes nothing from the training rows, so there is nothing to leave out of it."
        ),
        evidence=No("The residual variance has no prior, so the probability of the targets is not defined."),
        **ADDING,
    ),
    wrong={
        "column": [
            (3, "3"),
            (-4, "-4"),
            (1.0, "1.0"),
            (True, "True"),
            (None, "None"),
            ([0], r"\[0"),
            ("speed", "'speed'"),
        ]
    },
)
