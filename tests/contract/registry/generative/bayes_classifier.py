from suffice.distributions import Normal
from suffice.generative import BayesClassifier

from ..capabilities import Capabilities, No
from ..entry import Entry

ENTRY = Entry(
    BayesClassifier,
    {
        "default": {},
        "equal priors": {"priors": "uniform"},
        "independent columns": {"density": Normal},
        "far": {"density": Normal, "priors": "uniform"},
    },
    Capabilities(
        nan=No(
            "A density of any kind gives no value to a row with a missing cell; QuadraticDiscriminantAnalysis takes "
            "them for normal densities, and naive models for independent columns."
        ),
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No("The parameters of the densities have no prior, so the labels have no evidence."),
        predict_dist=True,
        sparse=True,
        partial_fit=True,
    ),
    wrong={
        "density": [
            ("normal", "'normal'"),
            (None, "None"),
            (Normal(0, 1), "Normal"),
            ({}, "{}"),
            (int, "int"),
        ],
        "priors": [("equal", "'equal'")],
    },
)
