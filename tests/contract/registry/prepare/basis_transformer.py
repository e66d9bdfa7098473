from suffice.bases import (
    CustomBasis,
    FourierBasis,
    GaussianBasis,
    Interactions,
    Polynomial,
    SigmoidBasis,
    SplineBasis,
    TanhBasis,
    WaveletBasis,
)
from suffice.prepare import BasisTransformer

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS
from ..settings import sine_and_cosine
from ..wrong import COMMON

ENTRY = Entry(
    BasisTransformer,
    {
        "default": {},
        "parabola": {"basis": Polynomial(2)},
        "bumps over the range": {"basis": GaussianBasis(4, width=1.0)},
        "functions": {"basis": CustomBasis([sine_and_cosine])},
        "steps and products": {"basis": SigmoidBasis(3, width=1.0) + TanhBasis([0.0], 0.5) + Interactions()},
        "waves and wavelets": {
            "basis": FourierBasis(2, period=5.0)
            + WaveletBasis(2, interval=(-3.0, 3.0))
            + SplineBasis([-2.0, 2.0])
        },
        "far": {"basis": Polynomial(3, interactions=True) + GaussianBasis([-1.0, 1.0], width=0.7)},
    },
    Capabilities(
        nan=No("A function of a missing cell is unknown; the error names the first one."),
        weights=No(
            "What a basis takes from rows, a range or distinct values, does not change when a row is seen twice."
        ),
        statistics=No(
            "A range has no subtraction, and a fixed basis takes nothing from rows that could be added."
        ),
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=True,
        partial_fit=No(
            "Centres that move with later rows would change the columns that earlier rows were given."
        ),
    ),
    wrong={"basis": COMMON["basis"]},
)
