"""Components under responsibilities that no mixture made: those of a chain of states, by forward and backward sums."""

import subprocess
import sys

import numpy as np
import pytest

from suffice._components.bernoulli import Bernoullis
from suffice._components.count_starts import alike, fitted_to
from suffice._components.normal.given import alike_normals
from suffice._components.normal.shapes import shape_named
from suffice._components.poisson import Poissons
from suffice._components.smoothing import AT_START
from suffice._components.starts import in_units, starting_responsibilities
from suffice.engine import Rows

STAY = np.log([[0.9, 0.1], [0.2, 0.8]])
N = 80


def chain(logs: np.ndarray) -> tuple[np.ndarray, float]:
    """P(state | all rows) and log p(rows) of a chain that begins anywhere, in logs."""
    forward, backward = np.empty_like(logs), np.zeros_like(logs)
    forward[0] = logs[0] + np.log(0.5)
    for n in range(1, len(logs)):
        forward[n] = np.logaddexp.reduce(forward[n - 1][:, None] + STAY, axis=0) + logs[n]
    for n in range(len(logs) - 2, -1, -1):
        backward[n] = np.logaddexp.reduce(STAY + logs[n + 1] + backward[n + 1], axis=1)
    total = np.logaddexp.reduce(forward[-1])
    return np.exp(forward + backward - total), float(total)


def states(rng: np.random.Generator) -> np.ndarray:
    z = np.zeros(N, dtype=int)
    for n in range(1, N):
        z[n] = rng.random() < np.exp(STAY[z[n - 1], 1])
    return z


def case(kind: str, gaps: bool):
    rng = np.random.default_rng(3)
    z = states(rng)
    one = {"bernoulli": Bernoullis.of([[0.5] * 3]), "poisson": Poissons.of([[1.0] * 3])}
    if kind == "bernoulli":
        X = (rng.random((N, 3)) < np.array([[0.9, 0.8, 0.1], [0.2, 0.1, 0.7]])[z]).astype(float)
    elif kind == "poisson":
        X = rng.poisson(np.array([[1.0, 5.0, 2.0], [6.0, 1.0, 2.0]])[z]).astype(float)
    else:
        X = rng.normal(np.array([[0.0, 3.0, 1.0], [4.0, 0.0, 1.0]])[z], 1.0)
    if gaps:
        X[rng.random(X.shape) < 0.15] = np.nan
    rows = Rows(X, np.zeros((N, 0)), None)
    if kind in one:
        base = alike(one[kind], rows, 2)
    else:
        base = alike_normals(X, None, 2, shape_named(kind), 0.0, None)
    begun = starting_responsibilities(in_units(X, None), None, 2, "kmeans", rng)
    return rows, fitted_to(base, rows, begun).smoothed(np.full(2, 0.5), AT_START), z


@pytest.mark.parametrize("gaps", [False, True], ids=["known", "gaps"])
@pytest.mark.parametrize("kind", ["full", "tied", "diag", "bernoulli", "poisson"])
def test_a_chain_that_is_fitted_by_components_never_becomes_less_likely(kind, gaps):
    rows, components, z = case(kind, gaps)
    likelihoods = []
    for _ in range(15):
        responsibilities, total = chain(components.evaluate(rows.X).logs)
        likelihoods.append(total)
        components = fitted_to(components, rows, responsibilities)
    assert np.all(np.diff(likelihoods) >= -1e-9 * abs(likelihoods[0]))
    found = responsibilities.argmax(axis=1)
    assert max(np.mean(found == z), np.mean(found != z)) > 0.9


def test_components_do_not_need_mixtures():
    """Chains of states are to be built on them, and rooms of models do not import each other."""
    code = (
        "import importlib, pkgutil, sys, suffice._components as c\n"
        "for m in pkgutil.walk_packages(c.__path__, c.__name__ + '.'): importlib.import_module(m.name)\n"
        "assert not [m for m in sys.modules if m.startswith('suffice.mixtures')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
