import numpy as np

from suffice.distributions import Normal
from suffice.mixtures import GibbsGaussianMixture

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_DENSE_ZEROS
from ..wrong import SEEDS

DRAWS = [(0, "0"), (1.5, "1.5"), ("many", "'many'"), (None, "None")]

ENTRY = Entry(
    GibbsGaussianMixture,
    {
        "default": {},
        "few": {"n_components": 2, "concentration": 5.0, "n_samples": 120, "warmup": 60, "random_state": 0},
        "far": {
            "n_components": 3,
            "concentration": 0.3,
            "n_samples": 50,
            "warmup": 20,
            "n_chains": 2,
            "thin": 2,
            "random_state": 4,
        },
    },
    Capabilities(
        nan=No(
            "The predictive density of a component has no closed form with missing cells; GaussianMixture takes them."
        ),
        weights=No(
            "A row of weight 2 would be two rows with one label, which is another model than two rows."
        ),
        statistics=No("Draws of labels belong to the rows they were made for and do not add up with others."),
        heldout=No("Without some rows the posterior of the labels is another one and is sampled anew."),
        evidence=No(
            "Draws of the labels do not tell the constant of their posterior, which the evidence is."
        ),
        predict_dist=No("It tells clusters and densities of rows, and conditions no column on the others."),
        sparse=NO_DENSE_ZEROS,
        partial_fit=No("Labels of earlier rows would have to be drawn again with those of later rows."),
    ),
    takes="numbers, by sampling",
    drawn=True,
    ordered=True,
    not_for_scikit_learn={"": "they take a minute; tests/mixtures/test_gibbs.py asks them of short chains"},
    wrong={
        "n_components": [(0, "0"), (1.5, "1.5"), ("2", "'2'"), (True, "True"), (None, "None")],
        "prior": [("flat", "'flat'"), (Normal(0, 1), "Normal")],
        "concentration": [(0, "0"), (-1.0, "-1"), (np.nan, "nan"), ("one", "'one'"), (None, "None")],
        "n_samples": DRAWS,
        "n_chains": DRAWS,
        "thin": DRAWS,
        "warmup": [(-1, "-1"), (1.5, "1.5"), ("long", "'long'"), (None, "None")],
        "random_state": SEEDS,
    },
    unmoved={
        "prior": "it has as many coordinates as there are columns, which scikit-learn's checks vary",
    },
    costly=True,
)
