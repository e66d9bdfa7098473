import numpy as np

from suffice.bases import GaussianBasis, Polynomial
from suffice.glm import GLM
from suffice.likelihoods import GaussianIdentity, Softmax

from ..entry import Entry
from ..reasons import newton
from ..wrong import NEWTON

ENTRY = Entry(
    GLM,
    {
        "default": {},
        "estimated scatter": {"dispersion": "pearson", "information": "expected"},
        "parabola through the origin": {
            "fit_intercept": False,
            "basis": Polynomial(2),
            "dispersion": "deviance",
            "prior_precision": 0.1,
        },
        "far": {
            "likelihood": GaussianIdentity(4.0),
            "link": "identity",
            "prior_precision": 20.0,
            "penalize_intercept": True,
            "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
            "standardize": True,
            "dispersion": "pearson",
            "information": "expected",
            "tol": 1e-10,
            "max_iter": 50,
        },
    },
    newton(),
    one_target=True,
    wrong={name: values for name, values in NEWTON.items() if name != "class_weight"}
    | {
        "likelihood": [("normal", "'normal'"), (None, "None"), (Softmax(3), "Softmax"), (2.0, "2.0")],
        "link": [("square", "'square'"), (2, "2"), (np.exp, "exp")],
        "dispersion": [("x2", "'x2'"), (None, "None"), (1.0, "1.0"), (True, "True")],
        "information": [("fisher", "'fisher'"), (None, "None"), (1, "1")],
    },
)
