"""What is special about products of columns: missing cells, mixed kinds, marginals, conditionals, fits by column."""

import numpy as np
import pytest

from suffice._core.errors import Unsupported
from suffice.distributions import (
    Bernoulli,
    Categorical,
    Distribution,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    Poisson,
    ProductDistribution,
    StudentT,
    Uniform,
)

NAN = np.nan


def mixed():
    return ProductDistribution(
        [Normal(1.0, 2.0), Poisson(3.0), Bernoulli(0.2), Categorical([0.5, 0.3, 0.2], classes=[7, 2, 5])]
    )


def batch():
    return ProductDistribution([Normal([0.0, 1.0, 2.0], 2.0), Poisson(3.0), Bernoulli([0.2, 0.5, 0.9])])


def test_independence_is_a_sum_of_logs():
    d = mixed()
    x = d.sample(20, rng=0)
    want = sum(c.log_prob(x[:, j]) for j, c in enumerate(d.columns))
    np.testing.assert_allclose(d.log_prob(x), want, rtol=1e-14)
    assert d.entropy() == pytest.approx(sum(c.entropy() for c in d.columns), rel=1e-14)
    assert d.n_parameters == 2 + 1 + 1 + 2
    assert d.discrete == (False, True, True, True)
    assert ProductDistribution([Poisson(1e6), Normal(1.0, 0.0)]).discrete == (True, False)


def test_a_missing_cell_is_integrated_out():
    d, x = mixed(), np.array([0.3, NAN, 1.0, NAN])
    summed = [np.exp(d.log_prob([0.3, k, 1.0, c])) for k in range(60) for c in (2, 5, 7)]
    assert np.exp(d.log_prob(x)) == pytest.approx(np.sum(summed), rel=1e-12)
    line = np.linspace(-17, 19, 401)
    rows = np.column_stack([line, np.tile([2.0, 0.0, 7.0], (401, 1))])
    integral = np.exp(d.log_prob(rows)).sum() * (line[1] - line[0])
    assert np.exp(d.log_prob([NAN, 2.0, 0.0, 7.0])) == pytest.approx(integral, rel=1e-12)
    assert d.log_prob([NAN] * 4) == 0.0
    assert d.log_prob(np.full((3, 4), NAN)).tolist() == [0.0] * 3


def test_missing_cells_differ_from_row_to_row():
    d = mixed()
    x = d.sample(40, rng=1)
    x[np.random.default_rng(2).random(x.shape) < 0.4] = NAN
    each = []
    for row in x:
        seen = np.flatnonzero(~np.isnan(row))
        each.append(d.marginal(seen).log_prob(row[seen]) if len(seen) else 0.0)
    np.testing.assert_allclose(d.log_prob(x), each, rtol=1e-13, atol=1e-15)


def test_an_impossible_cell_outweighs_an_infinite_density():
    d = ProductDistribution([Normal(1.0, 0.0), Uniform(0.0, 1.0)])
    assert d.log_prob([[1.0, 0.5], [1.0, 2.0], [NAN, 2.0], [NAN, 0.5]]).tolist() == [
        np.inf,
        -np.inf,
        -np.inf,
        0.0,
    ]


def test_a_batch_is_a_loop():
    d = batch()
    parts = [ProductDistribution([Normal(m, 2.0), Poisson(3.0), Bernoulli(p)]) for m, p in zip(
        [0.0, 1.0, 2.0], [0.2, 0.5, 0.9], strict=True
    )]  # fmt: skip
    assert list(d) == parts
    assert Distribution.concatenate([d[:1], d[1:]]) == d
    x = np.array([[0.5, 2.0, 1.0], [NAN, 2.0, 0.0], [0.5, NAN, NAN]])
    np.testing.assert_allclose(d.log_prob(x), [e.log_prob(r) for e, r in zip(parts, x, strict=True)])
    np.testing.assert_allclose(
        d.log_prob(x[:, None]), [[e.log_prob(r) for e in parts] for r in x], rtol=1e-14
    )
    for name in ("mean", "var", "std", "mode", "cov"):
        np.testing.assert_allclose(getattr(d, name), [getattr(e, name) for e in parts], rtol=1e-14)
    assert d.sample(5, rng=0).shape == (5, 3, 3)
    for got, want in zip(d.interval(0.8), zip(*(e.interval(0.8) for e in parts), strict=True), strict=True):
        np.testing.assert_array_equal(got, want)


def test_covariance_of_columns_without_a_variance():
    d = ProductDistribution([StudentT(1.5), Normal(0.0, 2.0)])
    assert d.cov.tolist() == [[np.inf, 0.0], [0.0, 4.0]]


def test_marginals():
    d = mixed()
    assert d.marginal(1) == Poisson(3.0)
    assert d.marginal(-1) == d.columns[3]
    assert d.marginal([2, 0]) == ProductDistribution([Bernoulli(0.2), Normal(1.0, 2.0)])
    assert d.marginal(np.array([False, True, False, False])) == ProductDistribution([Poisson(3.0)])
    with pytest.raises(ValueError, match=r"distinct columns, or they are not independent; got \[0, 0\]"):
        d.marginal([0, 0])
    with pytest.raises(ValueError, match="idx must pick among 4 coordinates; got 9"):
        d.marginal(9)


def test_what_is_known_does_not_change_the_rest():
    d = mixed()
    assert d.condition([1, 3], [4.0, 7.0]) == d.marginal([0, 2])
    assert d.condition([1, 3], [4.0, NAN]) == d.marginal([0, 2, 3])
    assert d.condition(0, NAN) == d
    rows = d.condition([0, 1], [[0.0, 1.0], [2.0, 3.0]])
    assert rows.batch_shape == (2,)
    assert list(rows) == [d.marginal([2, 3])] * 2
    assert batch().condition(0, [1.0, 2.0, 3.0]) == batch().marginal([1, 2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mixed().condition(1, 2.5), r"column 1 cannot be 2\.5 under Poisson\(rate=3\)"),
        (lambda: mixed().condition([0, 2], [[0, 1], [0, 3]]), "column 2 cannot be 3 under Bernoulli"),
        (lambda: mixed().condition(3, 4.0), r"Unknown label 4\.0; the classes are \[7, 2, 5\]"),
        (lambda: mixed().condition([0, 1, 2, 3], [0, 1, 1, 7]), "leave at least one coordinate free"),
        (
            lambda: mixed().log_prob([1.0, 2.0]),
            r"x must have 4 coordinates in its last axis; got shape \(2,\)",
        ),
        (
            lambda: ProductDistribution([]),
            r"columns must be a sequence of distributions, one or more; got \[\]",
        ),
        (lambda: ProductDistribution(Normal(0, 1)), "columns must be a sequence of distributions"),
        (lambda: ProductDistribution([Normal(0, 1), 3.0]), r"columns\[1\] must be a univariate .*; got 3\.0"),
        (
            lambda: ProductDistribution([Categorical([0.5, 0.5], classes=["a", "b"])]),
            r"columns\[0\] must be a univariate distribution of numbers; .* Code labels as numbers",
        ),
        (
            lambda: ProductDistribution([MultivariateNormal([0.0], [[1.0]])]),
            r"columns\[0\] must be a univariate distribution of numbers",
        ),
        (
            lambda: ProductDistribution([MixtureDistribution([1.0], [MultivariateNormal([0.0], [[1.0]])])]),
            r"columns\[0\] must be a univariate distribution of numbers",
        ),
        (
            lambda: ProductDistribution([Normal([0.0, 1.0], 1.0), Poisson([1.0, 2.0, 3.0])]),
            r"columns\[0\] and columns\[1\] must have batch shapes that broadcast; got \(2,\) and \(3,\)",
        ),
    ],
)
def test_domains(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_each_column_is_fitted_from_the_cells_that_are_there():
    x = np.array([[1.0, 2.0], [NAN, 5.0], [3.0, NAN], [4.0, 0.0]])
    w = np.array([1.0, 2.0, 0.5, 1.0])
    d = ProductDistribution.fit(x, w, families=[Normal, Poisson])
    assert d.columns == (
        Normal.fit([1.0, 3.0, 4.0], [1.0, 0.5, 1.0]),
        Poisson.fit([2.0, 5.0, 0.0], [1.0, 2.0, 1.0]),
    )
    with pytest.raises(ValueError, match="column 1 is all NaN"):
        ProductDistribution.fit([[1.0, NAN], [2.0, NAN]], families=[Normal, Normal])
    with pytest.raises(ValueError, match=r"x must be a table \(N, 2\); got shape \(2,\)"):
        ProductDistribution.fit([1.0, 2.0], families=[Normal, Normal])
    with pytest.raises(Unsupported, match="one family per column"):
        ProductDistribution.fit(x)
    with pytest.raises(Unsupported, match="no statistics of its own"):
        ProductDistribution.statistics(x)
