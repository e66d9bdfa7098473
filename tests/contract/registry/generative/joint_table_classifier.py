from suffice.generative.joint_table_classifier import JointTableClassifier

from ..capabilities import Capabilities, No
from ..data import few_categories
from ..entry import Entry
from ..wrong import ALPHA

ENTRY = Entry(
    JointTableClassifier,
    {
        "default": {},
        "smoothed": {"alpha": 1.0},
        "far": {"alpha": 0.5, "priors": "uniform", "unseen": "nan"},
    },
    Capabilities(
        nan=No(
            "A row with a gap belongs to several cells of the table; sharing it out would be expectation and "
            "maximization. CategoricalNB takes gaps."
        ),
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No("The cells of the table have no prior, so the probability of the rows is not defined."),
        predict_dist=True,
        sparse=No("Rows are compared whole, so a cell that is not stored is a value like any other."),
        partial_fit=True,
    ),
    takes="categories",
    data=few_categories,
    wrong={"alpha": ALPHA, "priors": [("equal", "'equal'")], "unseen": [("zero", "'zero'"), (None, "None")]},
)
