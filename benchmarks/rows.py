"""What is measured. Each row is a function of `quick` and returns results; its name is the row's name."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import reduce
from operator import add

import numpy as np
from scipy import stats
from sklearn import linear_model as sk
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

import suffice
from benchmarks import (
    describe,
    engine,
    generative,
    glm,
    linear,
    measures,
    mixtures,
    prepare,
    sampling,
    similarity,
    study,
    text,
    validation,
    wide,
)
from benchmarks.harness import Digits, Figure, Race, Result, digits, import_seconds, race, relative, weigh
from benchmarks.tables import BOTH, small, table
from suffice import datasets
from suffice.bases import Polynomial
from suffice.distributions import Beta, Gamma, MultivariateNormal, Normal, Poisson, StudentT
from suffice.evaluation import cross_validate
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge
from suffice.statistics import Triangle

ROWS: dict[str, Callable[[bool], list[Result]]] = {}


def row(function: Callable[[bool], list[Result]]) -> Callable[[bool], list[Result]]:
    """Enter a function into the table under its name."""
    ROWS[function.__name__] = function
    return function


def weights(model) -> np.ndarray:
    return np.append(model.coef_, model.intercept_)


def by_weights(ours, peer) -> float:
    return relative(weights(ours), weights(peer))


# -- speed --------------------------------------------------------------------------------------------
@row
def least_squares(quick: bool) -> list[Result]:
    """Least squares on a tall table."""
    X, y = table(small(1_000_000, quick), 30)
    return [
        race(
            f"LinearRegression, {len(y):,} × 30",
            lambda: LinearRegression().fit(X, y),
            {"scikit-learn LinearRegression": lambda: sk.LinearRegression().fit(X, y)},
            by_weights,
            bars={"one thread": 2.5, "all cores": 5.0},
        )
    ]


@row
def ridge(quick: bool) -> list[Result]:
    """Ridge against a solver that forms the Gram matrix."""
    X, y = table(small(200_000, quick), 30)
    return [
        race(
            f"Ridge, {len(y):,} × 30",
            lambda: Ridge(1.0).fit(X, y),
            {"scikit-learn Ridge": lambda: sk.Ridge(1.0).fit(X, y)},
            by_weights,
            why="scikit-learn's default solver factors XᵀX: half the arithmetic of a QR, and matrix products run "
            "at the full speed of BLAS, but the condition number is squared. Ours factors X, and the triangle it "
            "keeps also serves other penalties, merging and cross-validation.",
        )
    ]


@row
def polynomial(quick: bool) -> list[Result]:
    """A degree-5 polynomial of one column."""
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 10, (small(500_000, quick), 1))
    y = np.polyval([0.01, -0.2, 1, 0.5, -3, 2], x[:, 0]) + rng.standard_normal(len(x))
    grid = np.linspace(0, 10, 200)[:, None]
    peer = make_pipeline(PolynomialFeatures(5, include_bias=False), sk.LinearRegression())
    return [
        race(
            f"degree-5 polynomial, {len(y):,} × 1",
            lambda: LinearRegression(basis=Polynomial(5)).fit(x, y),
            {"scikit-learn PolynomialFeatures + LinearRegression": lambda: peer.fit(x, y)},
            lambda ours, theirs: relative(ours.predict(grid), theirs.predict(grid)),
        )
    ]


@row
def evidence(quick: bool) -> list[Result]:
    """Both precisions by evidence. BayesianRidge adds weak Gamma hyperpriors, so answers agree to their size."""
    X, y = table(small(200_000, quick), 30)
    return [
        race(
            f"evidence for both precisions, {len(y):,} × 30",
            lambda: BayesianLinearRegression().fit(X, y),
            {"scikit-learn BayesianRidge": lambda: sk.BayesianRidge().fit(X, y)},
            by_weights,
            bars=dict.fromkeys(BOTH, 3.0),
        )
    ]


@row
def cross_validation(quick: bool) -> list[Result]:
    """Ten folds: one reading of the table against ten fits."""
    X, y = table(small(100_000, quick), 30)
    pairs = [(LinearRegression(), sk.LinearRegression()), (Ridge(1.0), sk.Ridge(1.0))]
    return [_validation(ours, theirs, X, y, quick) for ours, theirs in pairs]


def _validation(ours, theirs, X: np.ndarray, y: np.ndarray, quick: bool) -> Race:
    folds = KFold(10)

    def refit(n_jobs: int | None) -> np.ndarray:
        score = "neg_mean_squared_error"
        return -cross_val_score(theirs, X, y, cv=folds, scoring=score, n_jobs=n_jobs)

    return race(
        f"10-fold cross-validation of {type(ours).__name__}, {len(y):,} × 30",
        lambda: cross_validate(ours, X, y, cv=folds).fold_losses,
        {"scikit-learn cross_val_score": lambda: refit(None)}
        | ({} if quick else {"n_jobs=-1": lambda: refit(-1)}),
        relative,
        why="Each of scikit-learn's ten refits is a Cholesky factorization of XᵀX; see Ridge.",
    )


@row
def densities(quick: bool) -> list[Result]:
    """Log densities of many points."""
    rng = np.random.default_rng(2)
    n, m, d = small(1_000_000, quick), small(100_000, quick), 20
    mean, std, y = rng.standard_normal(n), rng.uniform(0.5, 2, n), rng.standard_normal(n)
    A = rng.standard_normal((d, d))
    center, cov, points = rng.standard_normal(d), A @ A.T + np.eye(d), rng.standard_normal((m, d))
    return [
        race(
            f"Normal.log_prob, {n:,} values",
            lambda: Normal(1.0, 2.0).log_prob(y),
            {"scipy.stats.norm.logpdf": lambda: stats.norm.logpdf(y, 1.0, 2.0)},
            relative,
            bars=dict.fromkeys(BOTH, 3.0),
        ),
        race(
            f"Normal(mean, std).log_prob, {n:,} pairs of parameters",
            lambda: Normal(mean, std).log_prob(y),
            {"scipy.stats.norm.logpdf": lambda: stats.norm.logpdf(y, mean, std)},
            relative,
        ),
        race(
            f"MultivariateNormal(mean, cov).log_prob, {m:,} × {d}",
            lambda: MultivariateNormal(center, cov).log_prob(points),
            {
                "scipy.stats.multivariate_normal.logpdf": lambda: stats.multivariate_normal(
                    center, cov
                ).logpdf(points)
            },
            relative,
            bars=dict.fromkeys(BOTH, 1.5),
        ),
        *_tabled(n // 5, rng),
    ]


def _tabled(n: int, rng: np.random.Generator) -> list[Result]:
    """Densities whose normalizer scipy takes as a difference of large numbers, and we do not."""
    positive, counts = rng.gamma(3.0, size=n), rng.poisson(40.0, size=n)
    unit = rng.beta(2.0, 3.0, size=n)
    pairs = {
        "Gamma": (
            lambda: Gamma(3.0, 2.0).log_prob(positive),
            lambda: stats.gamma.logpdf(positive, 3.0, scale=0.5),
        ),
        "Beta": (lambda: Beta(2.0, 3.0).log_prob(unit), lambda: stats.beta.logpdf(unit, 2.0, 3.0)),
        "Poisson": (lambda: Poisson(40.0).log_prob(counts), lambda: stats.poisson.logpmf(counts, 40.0)),
        "StudentT": (lambda: StudentT(5.0).log_prob(positive), lambda: stats.t.logpdf(positive, 5.0)),
    }
    why = "Ours evaluates a series that keeps twelve digits for any parameters; scipy subtracts log-gammas."
    return [
        race(f"{name}.log_prob, {n:,} values", ours, {f"scipy.stats {name}": theirs}, relative, why=why)
        for name, (ours, theirs) in pairs.items()
    ]


# -- memory and start-up --------------------------------------------------------------------------------
STREAM = """
import numpy as np
import suffice.engine, suffice.linear
rng = np.random.default_rng(0)
truth = rng.uniform(0.5, 1.5, 30)
def batches(n, size=50_000):
    for _ in range(n // size):
        X = rng.standard_normal((size, 30))
        yield X, 2.0 + X @ truth + rng.standard_normal(size)
"""
STREAM_FIT = """
model = suffice.engine.fit(suffice.linear.LinearRegression(), batches({n}))
assert model.statistics_.rows == {n} and np.abs(model.coef_ - truth).max() < 6 / {n} ** 0.5, "wrong answer"
"""
TABLE = """
import numpy as np
from {module} import {name}
rng = np.random.default_rng(0)
X, y = rng.standard_normal(({n}, 30)), rng.standard_normal({n})
{name}().fit(X[:100], y[:100])
"""


@row
def stream(quick: bool) -> list[Result]:
    """Rows from an iterator, each generated, counted and forgotten; the weights are checked against the truth."""
    n = small(10_000_000, quick)
    cost = weigh(STREAM, STREAM_FIT.format(n=n))
    table_size = f"{n * 31 * 8 / 2**20:,.0f} MB"
    beside = (
        f"{cost['seconds']:.1f} s, generating the numbers included; as one table they would take {table_size}"
    )
    return [Figure(f"peak memory, {n:,} × 30 rows from an iterator", cost["megabytes"], "MB", 300.0, beside)]


@row
def memory(quick: bool) -> list[Result]:
    """What a fit needs beyond the table itself."""
    n = small(1_000_000, quick)
    fit = "LinearRegression().fit(X, y)"
    ours = weigh(TABLE.format(module="suffice.linear", name="LinearRegression", n=n), fit)
    peer = weigh(TABLE.format(module="sklearn.linear_model", name="LinearRegression", n=n), fit)
    beside = (
        f"scikit-learn LinearRegression: {peer['megabytes']:,.0f} MB; the table: {n * 31 * 8 / 2**20:,.0f} MB"
    )
    return [
        Figure(
            f"peak memory beyond the table, LinearRegression, {n:,} × 30",
            ours["megabytes"],
            "MB",
            None,
            beside,
        )
    ]


@row
def start_up(quick: bool) -> list[Result]:
    """Seconds of an import that scikit-learn's has not already paid for."""
    runs = 1 if quick else 7
    package = import_seconds("import sklearn", "import suffice", runs)
    linear = import_seconds("import sklearn", "import suffice.linear", runs)
    peer = import_seconds("import sklearn", "import sklearn.linear_model", runs)
    return [
        Figure(
            "import suffice, beyond import sklearn", package.median, "s", 0.35, "rooms load when first used"
        ),
        Figure(
            "import suffice.linear, beyond import sklearn",
            linear.median,
            "s",
            0.35,
            f"import sklearn.linear_model: {peer.median:.3f} s",
        ),
    ]


# -- accuracy -------------------------------------------------------------------------------------------
@row
def evidence_quality(quick: bool) -> list[Result]:
    """Sixty rows, thirty columns, a target far from zero: is the evidence still read right?"""
    seeds = range(5 if quick else 40)
    ours, theirs, moved = zip(*map(_evidence_case, seeds), strict=True)
    ratio = float(np.mean(ours) / np.mean(theirs))
    beside = f"mean squared errors {np.mean(ours):.4f} and {np.mean(theirs):.4f} over {len(seeds)} seeds"
    return [
        Figure("test error over BayesianRidge's, y around 1000, 60 × 30", ratio, "", 1.02, beside),
        Figure(
            "largest change of a weight when y moves by 1000", max(moved), "", 1e-9, "relative, all seeds"
        ),
    ]


def _evidence_case(seed: int) -> tuple[float, float, float]:
    """Mean squared test errors of ours and BayesianRidge, and our relative change under a shift of y."""
    rng = np.random.default_rng(seed)
    w = rng.standard_normal(30) * (rng.random(30) < 0.5)
    X, X_test = rng.standard_normal((60, 30)), rng.standard_normal((2000, 30))
    y, truth = X @ w + 2 * rng.standard_normal(60), X_test @ w
    here, there = BayesianLinearRegression().fit(X, y), BayesianLinearRegression().fit(X, y + 1000)
    peer = sk.BayesianRidge().fit(X, y + 1000)
    error = [float(np.mean((m.predict(X_test) - 1000 - truth) ** 2)) for m in (there, peer)]
    return error[0], error[1], relative(there.coef_, here.coef_)


@row
def algebra(quick: bool) -> list[Result]:
    """Statistics that add and subtract, against one fit of the rows that remain."""
    X, y = table(small(100_000, quick), 30)
    n, whole = len(y), weights(LinearRegression().fit(X, y))
    pieces = list(_pieces(n, 100))
    merged = suffice.merge([LinearRegression().fit(X[p], y[p]) for p in pieces])
    triangles = reduce(add, [Triangle.of(X[p], y[p]) for p in pieces]).lstsq().weights
    streamed = LinearRegression()
    for p in pieces:
        streamed.partial_fit(X[p], y[p])
    size = f"{n:,} × 30"
    return [
        Figure(f"merge of 100 models, {size}", relative(weights(merged), whole), "", 1e-12),
        Figure(f"sum of 100 triangles, {size}", relative(np.roll(triangles, -1), whole), "", 1e-12),
        Figure(f"partial_fit in 100 pieces, {size}", relative(weights(streamed), whole), "", 1e-12),
        _forgotten(X, y, 0.1, 1e-12),
        _forgotten(X, y, 0.9, 1e-9),
    ]


def _pieces(n: int, k: int) -> Iterator[slice]:
    edges = np.linspace(0, n, k + 1).astype(int)
    return map(slice, edges[:-1], edges[1:])


def _forgotten(X: np.ndarray, y: np.ndarray, fraction: float, bar: float) -> Figure:
    cut = int(fraction * len(y))
    left = suffice.forget(LinearRegression().fit(X, y), X[:cut], y[:cut])
    refit = LinearRegression().fit(X[cut:], y[cut:])
    error = by_weights(left, refit)
    return Figure(f"forget {fraction:.0%} of {len(y):,} × 30", error, "", bar)


NIST = {
    "norris": None, "pontius": 11.5, "noint1": None, "noint2": None, "longley": 12.5, "filip": 12.0,
    "wampler1": 8.5, "wampler2": 11.5, "wampler3": 8.5, "wampler4": 8.5, "wampler5": 6.5,
}  # fmt: skip


@row
def nist(quick: bool) -> list[Result]:
    """Correct digits of the coefficients on the certified problems."""
    return [_certified(name, bar) for name, bar in NIST.items()]


def _certified(name: str, bar: float | None) -> Digits:
    data = getattr(datasets, f"nist_{name}")()
    basis = None if data.degree is None else Polynomial(data.degree)
    ours = LinearRegression(basis=basis, fit_intercept=data.fit_intercept).fit(data.X, data.y)
    found = {"suffice": digits(_intercept_first(ours), data.coef)}
    X = (
        data.X
        if data.degree is None
        else PolynomialFeatures(data.degree, include_bias=False).fit_transform(data.X)
    )
    for label, tolerance in {
        "scikit-learn": {},
        "scikit-learn, tol=eps": {"tol": np.finfo(float).eps},
    }.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = sk.LinearRegression(fit_intercept=data.fit_intercept, **tolerance).fit(X, data.y)
        found[label] = digits(_intercept_first(peer), data.coef)
    return Digits(data.source.split(": ")[1], found, bar)


def _intercept_first(model) -> np.ndarray:
    return np.concatenate([[model.intercept_], model.coef_]) if model.fit_intercept else model.coef_


for _function in (
    *validation.ROWS,
    *engine.ROWS,
    *describe.ROWS,
    *measures.ROWS,
    *linear.ROWS,
    *generative.ROWS,
    *text.ROWS,
    *glm.ROWS,
    *sampling.ROWS,
    *mixtures.ROWS,
    *similarity.ROWS,
    *prepare.ROWS,
    *study.ROWS,
    *wide.ROWS,
):
    row(_function)
