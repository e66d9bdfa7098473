from suffice.prepare import CalendarFeatures

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS
from ..wrong import BOOLEAN

ENTRY = Entry(
    CalendarFeatures,
    {
        "default": {},
        "one hot": {"one_hot": True},
        "far": {"features": ("month", "week", "day_of_year", "weekend"), "one_hot": True},
    },
    Capabilities(
        nan=No("A missing time has no hour and no weekday; the error names its row."),
        weights=No("It learns nothing from rows, so there is nothing that a row could count for."),
        statistics=No("It learns nothing from rows, so there are no statistics to add up or take apart."),
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No("A sparse table has zeros where nothing is stored, and zero is not a datetime."),
        partial_fit=No("It learns nothing from rows, so a second part of them could add nothing."),
    ),
    takes="datetimes",
    not_for_scikit_learn={"": "its tables hold no times"},
    wrong={"features": [("weeks", "'weeks'"), (("hours",), "'hours'"), (3, "3")], "one_hot": BOOLEAN},
)
