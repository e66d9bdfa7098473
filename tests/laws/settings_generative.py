"""Every generative classifier of the registry at its settings, and tables for what it takes."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.distributions import Beta
from suffice.generative._shell.classifier import GenerativeClassifier

from ..contract.registry import ENTRIES

N, D, NAMES = 90, 3, np.array(["ash", "birch", "cedar"])
rng = np.random.default_rng(11)
CODES = rng.permutation(np.repeat([0, 1, 2], [20, 30, 40]))
LABELS = NAMES[CODES]
WEIGHTS = rng.integers(0, 4, N).astype(float)


def numbers(r, codes):
    """Correlated, with means and spreads of each class."""
    mixing = np.array([[1.0, 0.4, 0.0], [0.0, 1.0, -0.3], [0.2, 0.0, 1.0]])
    spread = np.array([0.8, 1.2, 1.0])[codes][:, None]
    return (
        r.standard_normal((len(codes), D)) * spread @ mixing
        + np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])[codes]
    )


def counts(r, codes):
    """Twelve words in every row."""
    shares = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]])
    return np.array([r.multinomial(12, shares[c]) for c in codes], dtype=float)


def categories(r, codes):
    """Two, two and three values, each class with a lean to one of them."""
    on = r.random((len(codes), 2)) < np.array([[0.8, 0.3], [0.3, 0.4], [0.4, 0.8]])[codes]
    third = [r.choice(3, p=0.2 + 0.4 * (np.arange(3) == c)) for c in codes]
    return np.column_stack([on, third]).astype(float)


MAKE = {"numbers": numbers, "counts": counts, "categories": categories}
TABLES = {
    kind: (make(np.random.default_rng(1), CODES), make(np.random.default_rng(2), CODES))
    for kind, make in MAKE.items()
}
ROOM = [e for e in ENTRIES if issubclass(e.cls, GenerativeClassifier) and e.takes in MAKE]
SETTINGS = {
    f"{e.cls.__name__}: {name}": (e, p)
    for e in ROOM
    for name, p in e.settings.items()
    if "categories" not in p  # lists of words, where the tables here hold numbers
}
QUICK = (": default", ": far")


def cases(condition=lambda entry: True):
    """Names of settings; those between the ends are slow."""
    names = [name for name, (entry, _) in SETTINGS.items() if condition(entry)]
    return [pytest.param(n, marks=() if n.endswith(QUICK) else pytest.mark.slow) for n in names]


def built(name):
    """The unfitted model, the rows of a fit and other rows; a Beta prior of a category means two values."""
    entry, parameters = SETTINGS[name]
    X, new = TABLES[entry.takes]
    if entry.takes == "categories" and isinstance(parameters.get("prior"), Beta):
        X, new = np.minimum(X, 1.0), np.minimum(new, 1.0)
    return entry.cls(**parameters), X, new


def same(a, b, table, tolerance=1e-9):
    """Two fitted models give the same joint densities."""
    assert a.classes_.tolist() == b.classes_.tolist()
    np.testing.assert_allclose(
        a.predict_joint_log_proba(table), b.predict_joint_log_proba(table), rtol=tolerance, atol=tolerance
    )


def prior_name(model):
    return "priors" if "priors" in model.get_params(deep=False) else "class_prior"
