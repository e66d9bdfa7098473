"""Settings at which the laws are tested: distributions of vectors, matrices and pairs.

NODES holds, per name, the points and weights of an integral (or sum) over all events, so that a law can
take expectations: exact sums for counts, double-exponential and trapezoid rules elsewhere.
"""

import itertools

import numpy as np
from hypothesis import strategies as st

from suffice.distributions import (
    Bernoulli,
    Categorical,
    Dirichlet,
    DirichletMultinomial,
    Gamma,
    InverseWishart,
    Multinomial,
    MultivariateEmpirical,
    MultivariateNormal,
    MultivariateT,
    Normal,
    NormalGamma,
    NormalInverseWishart,
    Poisson,
    ProductDistribution,
    Wishart,
)

PAIR = np.array([[2.0, 0.6], [0.6, 1.0]])
LONG = np.array([[1e4, 99.0], [99.0, 1.0]])

# At least three settings each, one of them far from the usual.
SETTINGS = {
    "MultivariateNormal": [
        MultivariateNormal([0.5], [[2.0]]),
        MultivariateNormal([0.0, 1.0], PAIR),
        MultivariateNormal([1e3, -5.0], LONG),
    ],
    "MultivariateT": [
        MultivariateT(5.0, [0.0, 1.0], PAIR),
        MultivariateT(30.5, [1e3, -5.0], LONG),
        MultivariateT(1.3, [4.0, 0.0], 100 * PAIR),
        MultivariateT(np.inf, [0.0, 1.0], PAIR),
    ],
    "MultivariateEmpirical": [
        MultivariateEmpirical([[0.0, 1.0], [2.0, 3.0], [2.0, 3.0], [4.0, 1.0]]),
        MultivariateEmpirical([[0.5], [-1.0], [3.0]], [0.2, 0.5, 0.3]),
        MultivariateEmpirical([[1e3, -5.0], [2e-3, 7.0], [0.0, 0.0]], [1e-3, 40.0, 7.0]),
    ],
    "ProductDistribution": [
        ProductDistribution([Normal(0.5, 2.0), Poisson(3.5), Bernoulli(0.3)]),
        ProductDistribution([Normal(-1.0, 0.3), Gamma(2.5, 1.5)]),
        ProductDistribution([Normal(1e3, 1e-3), Categorical([0.5, 0.2, 0.3], classes=[10, -1, 4])]),
    ],
    "Multinomial": [
        Multinomial(5, [0.2, 0.5, 0.3]),
        Multinomial(12, [0.1, 0.61, 0.29]),
        Multinomial(7, [1e-6, 0.4, 0.6 - 1e-6]),
    ],
    "Dirichlet": [
        Dirichlet([2.0, 3.0, 4.0]),
        Dirichlet([0.5, 0.7, 1.4]),
        Dirichlet([300.0, 20.0, 80.0]),
    ],
    "DirichletMultinomial": [
        DirichletMultinomial(5, [2.0, 3.0, 1.5]),
        DirichletMultinomial(12, [0.3, 0.2, 0.7]),
        DirichletMultinomial(8, [400.0, 90.0, 210.0]),
    ],
    "Wishart": [
        Wishart(5.0, PAIR),
        Wishart(2.6, [[1.0, -0.3], [-0.3, 0.5]]),
        Wishart(60.0, LONG),
    ],
    "InverseWishart": [
        InverseWishart(11.0, PAIR),
        InverseWishart(3.5, [[1.0, -0.3], [-0.3, 0.5]]),
        InverseWishart(60.0, LONG),
    ],
    "NormalGamma": [
        NormalGamma(0.5, 2.0, 3.0, 4.0),
        NormalGamma(-3.0, 0.1, 0.8, 20.0),
        NormalGamma(1e3, 50.0, 200.0, 1e-3),
    ],
    "NormalInverseWishart": [
        NormalInverseWishart([0.0, 1.0], 2.0, PAIR, 11.0),
        NormalInverseWishart([-3.0], 0.1, [[4.0]], 1.4),
        NormalInverseWishart([1e3, -5.0], 50.0, LONG, 60.0),
    ],
}

# What does not hold, and why. A law skips the names listed for it.
EXCEPTIONS = {
    ("moments", repr(MultivariateT(1.3, [4.0, 0.0], 100 * PAIR))): "the variance is infinite",
    ("moments", repr(InverseWishart(3.5, np.eye(2)))): "the variance is infinite",
    ("moments", repr(NormalGamma(-3.0, 0.1, 0.8, 20.0))): "the variance of the mean is infinite",
    ("moments", "NormalInverseWishart"): "its events are pairs; the pair is tested on its own",
    ("mode", repr(Dirichlet([0.5, 0.7, 1.4]))): "the density is unbounded",
    ("mode", repr(Wishart(2.6, np.eye(2)))): "the density is unbounded",
    ("statistics", "MultivariateT"): "it has no finite sufficient statistics",
    ("statistics", "MultivariateEmpirical"): "no summary is smaller than the sample",
    ("statistics", "ProductDistribution"): "each column has its own kind",
    ("missing", "ProductDistribution"): "a missing cell is integrated out",
    ("score", "MultivariateEmpirical"): "it has no parameter that moves it",
    ("statistics", "DirichletMultinomial"): "it has no sufficient statistics of fixed size",
    ("interval", "Wishart"): "entries off the diagonal have no closed-form quantiles",
    ("interval", "InverseWishart"): "entries off the diagonal have no closed-form quantiles",
    ("interval", "NormalInverseWishart"): "entries off the diagonal have no closed-form quantiles",
    ("score", "Multinomial"): "it has no location",
    ("score", "Dirichlet"): "it has no location",
    ("score", "DirichletMultinomial"): "it has no location",
    ("score", "Wishart"): "it has no location",
    ("score", "InverseWishart"): "it has no location",
}
DISCRETE = {"MultivariateEmpirical", "Multinomial", "DirichletMultinomial", "ProductDistribution"}
FIT = {"ProductDistribution": lambda d: {"families": [type(c) for c in d.columns]}}
LOCATION = {
    "MultivariateNormal": "mean",
    "MultivariateT": "loc",
    "NormalGamma": "mean",
    "NormalInverseWishart": "mean",
}

finite = st.floats(-1e3, 1e3)
positive = st.floats(-2, 3).map(lambda e: 10.0**e)
three = st.lists(positive, min_size=3, max_size=3).map(np.array)
matrices = st.lists(finite, min_size=4, max_size=4).map(
    lambda v: np.reshape(v, (2, 2)) @ np.reshape(v, (2, 2)).T / 1e3 + np.eye(2)
)
dofs = st.floats(-1, 3).map(lambda e: 2.0 + 10.0**e)
RANDOM = {
    "MultivariateNormal": st.builds(
        lambda m, c: MultivariateNormal(m, c), st.tuples(finite, finite), matrices
    ),
    "MultivariateT": st.builds(MultivariateT, dofs, st.tuples(finite, finite), matrices),
    "MultivariateEmpirical": st.builds(
        lambda p, w: MultivariateEmpirical(p, w),
        st.lists(st.tuples(finite, finite), min_size=3, max_size=3),
        three,
    ),
    "ProductDistribution": st.builds(
        lambda m, s, r: ProductDistribution([Normal(m, s), Poisson(r), Bernoulli(s / (s + r))]),
        finite,
        positive,
        positive,
    ),
    "Multinomial": st.builds(lambda n, a: Multinomial(n, a / a.sum()), st.integers(0, 12), three),
    "Dirichlet": st.builds(Dirichlet, three.map(lambda a: 0.3 + a)),
    "DirichletMultinomial": st.builds(DirichletMultinomial, st.integers(0, 12), three),
    "Wishart": st.builds(Wishart, dofs, matrices),
    "InverseWishart": st.builds(InverseWishart, dofs, matrices),
    "NormalGamma": st.builds(NormalGamma, finite, positive, positive.map(lambda a: 0.3 + a), positive),
    "NormalInverseWishart": st.builds(
        NormalInverseWishart, st.tuples(finite, finite), positive, matrices, dofs
    ),
}


# -- integrals over all events ---------------------------------------------------------------------------


def all_counts(n, k):
    """Every vector of k counts that sum to n."""
    bars = np.array(list(itertools.combinations(range(n + k - 1), k - 1)))
    walls = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), n + k - 1)])
    return np.diff(walls, axis=1) - 1.0


def unit_interval(points=161, reach=3.6):
    """u, 1 − u and weights on (0, 1), crowded at both ends."""
    t = np.linspace(-reach, reach, points)
    u, rest = 1 / (1 + np.exp(-np.pi * np.sinh(t))), 1 / (1 + np.exp(np.pi * np.sinh(t)))
    return u, rest, (t[1] - t[0]) * np.pi * np.cosh(t) * u * rest


def half_line(centre, spread, points, reach):
    """x > 0 and weights, evenly in log x about log centre."""
    s = np.linspace(-reach * spread, reach * spread, points)
    return centre * np.exp(s), (s[1] - s[0]) * centre * np.exp(s)


def outer(*rules):
    """Nodes (M, R) and weights (M,) of a product of one-dimensional rules."""
    x = np.stack(np.meshgrid(*[r[0] for r in rules], indexing="ij"), axis=-1).reshape(-1, len(rules))
    w = np.stack(np.meshgrid(*[r[1] for r in rules], indexing="ij"), axis=-1).reshape(-1, len(rules))
    return x, w.prod(axis=-1)


def counts_nodes(d):
    x = all_counts(int(d.n), d.dim)
    return x, np.ones(len(x))


def simplex_nodes(d):
    """Three coordinates, by breaking a stick twice, in logs of narrow ranges where alpha is large."""
    u, rest, w = unit_interval()
    first, second = np.meshgrid(np.arange(len(u)), np.arange(len(u)), indexing="ij")
    i, j = first.ravel(), second.ravel()
    mean = d.mean
    cut = mean[1] / (mean[1] + mean[2])  # bend both sticks so that half of the nodes lie about the mean
    a, a_rest, wa = bent(u, rest, w, mean[0], d.strength)
    b, b_rest, wb = bent(u, rest, w, cut, d.strength * (1 - mean[0]))
    x = np.stack([a[i], a_rest[i] * b[j], a_rest[i] * b_rest[j]], axis=-1)
    return x, wa[i] * wb[j] * a_rest[i]


def bent(u, rest, w, mean, strength):
    """The rule on (0, 1) with logit u scaled and shifted to a beta variable of that mean and strength."""
    scale = min(1.0, 4 / np.sqrt(1 + strength * mean * (1 - mean)))
    shift = np.log(mean / (1 - mean))
    logit = scale * (np.log(u) - np.log(rest)) + shift
    v, v_rest = 1 / (1 + np.exp(-logit)), 1 / (1 + np.exp(logit))
    return v, v_rest, w / (u * rest) * scale * v * v_rest


def elliptic_nodes(d, centre, scale):
    """Two coordinates: rays of log-spaced radii along equally spaced directions."""
    angle = 2 * np.pi * np.arange(16) / 16
    s = np.linspace(-20, 60, 1601)
    x, w = outer((angle, np.full(16, 2 * np.pi / 16)), (np.exp(s), (s[1] - s[0]) * np.exp(2 * s)))
    circle = x[:, 1:] * np.stack([np.cos(x[:, 0]), np.sin(x[:, 0])], axis=-1)
    factor = np.linalg.cholesky(scale)
    return centre + circle @ factor.T, w * np.prod(np.diag(factor))


def normal_nodes(d):
    """A grid along the principal axes."""
    values, axes = d.rotate_axes()
    y, w = outer(*[(np.linspace(-9, 9, 201), np.full(201, 18 / 200))] * d.dim)
    return d.mean + (y * np.sqrt(values)) @ axes.T, w * np.sqrt(np.prod(values))


COLUMNS = {
    "Normal": lambda c: (c.mean + c.std * np.linspace(-9, 9, 201), np.full(201, 18 / 200 * c.std)),
    "Gamma": lambda c: half_line(1 / c.rate, 1.0, 401, 12.0),
    "Poisson": lambda c: (np.arange(60.0), np.ones(60)),
    "Bernoulli": lambda c: (np.arange(2.0), np.ones(2)),
    "Categorical": lambda c: (c.classes.astype(float), np.ones(len(c.classes))),
}


def product_nodes(d):
    return outer(*[COLUMNS[type(c).__name__](c) for c in d.columns])


def bartlett_nodes(dof, factor):
    """Factors M of two by two Wishart matrices M Mᵀ, with the Jacobian 4 w₁₁² w₂₂ |L|³ of W = L⁻¹ M."""
    rules = [_chi_nodes(dof - i) for i in (0, 1)]
    line = np.linspace(-8.5, 8.5, 41)
    x, w = outer(*rules, (line, np.full(41, line[1] - line[0])))
    triangle = np.zeros((len(x), 2, 2))
    triangle[:, 0, 0], triangle[:, 1, 1], triangle[:, 1, 0] = x.T
    jacobian = 4 * x[:, 0] ** 2 * x[:, 1] * np.prod(np.diag(factor)) ** 3
    return factor @ triangle, w * jacobian


def _chi_nodes(dof):
    """x > 0 for a chi variable: about its centre, or crowded towards zero for few degrees of freedom."""
    if dof > 20:
        return half_line(np.sqrt(dof), 1 / np.sqrt(2 * dof), 61, 9.0)
    t = np.linspace(-2.5, 2.5, 61)
    x = np.exp(t - np.exp(-t))
    return x, (t[1] - t[0]) * x * (1 + np.exp(-t))


def wishart_nodes(d):
    m, w = bartlett_nodes(float(d.dof), d._factor)
    return gram(m), w


def inverse_wishart_nodes(d):
    m, w = bartlett_nodes(float(d.dof), np.linalg.cholesky(np.linalg.inv(d.scale)))
    a, b, c = m[:, 0, 0], m[:, 1, 0], m[:, 1, 1]
    inverse = np.zeros_like(m)
    inverse[:, 0, 0], inverse[:, 0, 1], inverse[:, 1, 1] = 1 / a, -b / (a * c), 1 / c  # M⁻ᵀ
    return gram(inverse), w / (a * c) ** 6


def gram(factor):
    x = factor @ np.swapaxes(factor, -1, -2)
    return 0.5 * (x + np.swapaxes(x, -1, -2))


def normal_gamma_nodes(d):
    t = np.linspace(-4.5, 7 if d.shape < 5 else 3, 801)
    if d.shape < 5:
        base = np.exp(t - np.exp(-t))
        precision, w = base / d.rate, (t[1] - t[0]) * base * (1 + np.exp(-t)) / d.rate
    else:
        precision, w = half_line(d.shape / d.rate, 1 / np.sqrt(d.shape), 801, 12.0)
    z = np.linspace(-10, 10, 161)
    x, weight = outer((precision, w), (z, np.full(161, z[1] - z[0])))
    width = 1 / np.sqrt(d.strength * x[:, 0])
    return np.stack([d.mean + width * x[:, 1], x[:, 0]], axis=-1), weight * width


NODES = {
    "MultivariateNormal": normal_nodes,
    "MultivariateT": lambda d: elliptic_nodes(d, d.loc, d.scale),
    "MultivariateEmpirical": lambda d: (d.points, np.ones(len(d.points))),
    "ProductDistribution": product_nodes,
    "Multinomial": counts_nodes,
    "Dirichlet": simplex_nodes,
    "DirichletMultinomial": counts_nodes,
    "Wishart": wishart_nodes,
    "InverseWishart": inverse_wishart_nodes,
    "NormalGamma": normal_gamma_nodes,
}
