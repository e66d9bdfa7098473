"""The last value: exact predictions, errors measured as a naive sum does, statistics that add."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import KFold

import suffice
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter
from suffice.baselines.last_value import LastValue
from suffice.engine import fit
from suffice.engine.protocols import FromStatistics
from suffice.evaluation import cross_validate
from suffice.evaluation.series import Rolling
from suffice.prepare.sequences.embedding import embed

pytestmark = pytest.mark.sampled(6)

rng = np.random.default_rng(11)
N = 50
X = rng.standard_normal((N, 3)) + [0.0, 5.0, -3.0]
y = X[:, 2] + 0.4 + 0.3 * rng.standard_normal(N)
Y = np.column_stack([y, 2 * y])
COUNTS = rng.integers(0, 4, N).astype(float)


def naive_variance(values, target, weight=None):
    total, count = 0.0, 0.0
    for i in range(len(target)):
        w = 1.0 if weight is None else weight[i]
        total += w * (target[i] - values[i]) ** 2
        count += w
    return total / count


@pytest.mark.parametrize("column", [-1, -3, 0, 1, 2])
def test_predicts_the_column_to_the_bit(column):
    model = LastValue(column).fit(X, y)
    wild = np.array([[1e300, -1e-300, 0.1], [np.pi, 1e15 + 0.5, -0.0]])
    np.testing.assert_array_equal(model.predict(wild), wild[:, column])
    np.testing.assert_array_equal(model.predict_dist(wild).mean, wild[:, column])
    assert model.column_ == column % 3


@given(st.integers(0, 10**6), st.sampled_from([0.0, 1e8, -1e10]), st.sampled_from([1e-6, 1.0, 1e6]))
def test_variance_is_the_mean_square_of_the_errors(seed, offset, scale):
    random = np.random.default_rng(seed)
    lag = offset + scale * random.standard_normal(30)
    target = lag + scale * (0.5 + random.standard_normal(30))
    weight = random.integers(0, 3, 30).astype(float)
    weight[0] = 1.0
    slack = 1e-9 + 1e-14 * abs(offset) / scale  # what is left of the digits of the offset
    model = LastValue().fit(lag[:, None], target, weight)
    assert model.noise_variance_ml_ == pytest.approx(naive_variance(lag, target, weight), rel=slack, abs=0)
    np.testing.assert_allclose(model.predict_dist([[3.0]]).std, np.sqrt(model.noise_variance_ml_), rtol=1e-14)


def test_bias_counts_as_error():
    model = LastValue().fit([[1.0], [2.0], [3.0]], [3.0, 4.0, 5.0])  # always two too low
    assert model.noise_variance_ml_ == pytest.approx(4.0, rel=1e-12)


def test_a_constant_series_is_predicted_perfectly():
    model = LastValue().fit(np.full((5, 2), 7.0), np.full(5, 7.0))
    assert model.noise_variance_ml_ == 0.0
    assert model.predict_dist([[0.0, 7.0]]).std == 0.0


def test_several_targets_share_the_column():
    both = LastValue().fit(X, Y)
    np.testing.assert_array_equal(both.predict(X), X[:, [2, 2]])
    for j in range(2):
        assert both.noise_variance_ml_[j] == pytest.approx(naive_variance(X[:, 2], Y[:, j]), rel=1e-12)
    assert both.predict_dist(X).std.shape == (N, 2)
    assert LastValue().fit(X, y[:, None]).predict(X).shape == (N, 1)


def test_columns_by_name():
    import pandas

    table = pandas.DataFrame(X, columns=["a", "y[t-2]", "y[t-1]"])
    named, last = LastValue("y[t-1]").fit(table, y), LastValue().fit(table, y)
    np.testing.assert_array_equal(named.predict(table), last.predict(table))
    assert named.noise_variance_ml_ == last.noise_variance_ml_
    with pytest.raises(InvalidParameter, match=r"got 'y\[t-9\]', but X has a, y\[t-2\], y\[t-1\]"):
        LastValue("y[t-9]").fit(table, y)
    with pytest.raises(InvalidParameter, match="got 'a', but X has no column names"):
        LastValue("a").fit(X, y)


@pytest.mark.parametrize("column", [3, -4, 1.0, True, None, [0], np.nan])
def test_bad_columns(column):
    with pytest.raises(InvalidParameter, match="^column must (lie between -3 and 2|be a position)"):
        LastValue(column).fit(X, y)


def test_bad_tables():
    holes = X.copy()
    holes[4, 0] = np.nan
    with pytest.raises(InvalidInput, match=r"X contains NaN at row 4, column 'x0'"):
        LastValue().fit(holes, y)
    with pytest.raises(InvalidInput, match="y contains inf"):
        LastValue().fit(X, np.where(np.arange(N) == 1, np.inf, y))
    with pytest.raises(InvalidInput, match="whose squares overflow; rescale it"):
        LastValue().fit(X, y * 1e200)
    with pytest.raises(InvalidInput, match="sample_weight is zero for all"):
        LastValue().fit(X, y, np.zeros(N))
    with pytest.raises(InvalidInput, match="holds text"):
        LastValue().fit([["a"]] * N, y)
    with pytest.raises(ValueError, match="2 features, but LastValue is expecting 3"):
        LastValue().fit(X, y).predict(X[:, :2])


# -- statistics ---------------------------------------------------------------------------------------
def assert_same(a, b, rtol=1e-10):
    assert type(a) is type(b)
    np.testing.assert_allclose(a.noise_variance_ml_, b.noise_variance_ml_, rtol=rtol)
    assert a.statistics_.n == pytest.approx(b.statistics_.n, rel=1e-14)
    assert a.column_ == b.column_


def test_is_fitted_from_statistics():
    model = LastValue(1)
    assert isinstance(model, FromStatistics)
    assert (model.state_needs_data, model.statistics_key) == (False, 1)
    stats = model.collect(X, y)
    assert not hasattr(model, "statistics_")
    assert stats.factor.shape == (3, 3)  # the constant, the column and the target, however wide the table
    assert_same(clone(model).solve(stats), model.fit(X, y), rtol=0)


def test_pieces_are_the_whole():
    whole, pieces = LastValue().fit(X, y, COUNTS), LastValue()
    for part in np.array_split(np.arange(N), 4):
        pieces.partial_fit(X[part], y[part], COUNTS[part])
    assert_same(pieces, whole)
    assert_same(
        suffice.merge([LastValue().fit(X[:20], y[:20]), LastValue().fit(X[20:], y[20:])]),
        LastValue().fit(X, y),
    )
    assert_same(
        suffice.forget(LastValue().fit(X, y), X[30:], y[30:]), LastValue().fit(X[:30], y[:30]), rtol=1e-9
    )
    assert_same(fit(LastValue(), iter([(X[:7], y[:7]), (X[7:], y[7:])])), LastValue().fit(X, y))


def test_other_columns_do_not_mix():
    with pytest.raises(HeaderMismatch, match="different column: -1 and 0"):
        suffice.merge([LastValue().fit(X, y), LastValue(0).fit(X, y)])
    with pytest.raises(InvalidInput, match="bases"):
        LastValue().fit(X, y).set_params(column=0).partial_fit(X, y)
    with pytest.raises(InvalidInput, match="shapes of y"):
        LastValue().fit(X, y).partial_fit(X, Y)


def test_weights_count_rows():
    rows = np.repeat(np.arange(N), COUNTS.astype(int))
    assert_same(LastValue().fit(X, y, COUNTS), LastValue().fit(X[rows], y[rows]))
    wild = np.vstack([X, [[1e9, 1e9, -1e9]]]), np.append(y, 1e12), np.append(np.ones(N), 0.0)
    assert_same(LastValue().fit(*wild), LastValue().fit(X, y))


def test_sparse_is_dense():
    holes = np.where(np.abs(X) < 0.5, 0.0, X)
    assert_same(LastValue().fit(sparse.csr_array(holes), y), LastValue().fit(holes, y))
    np.testing.assert_array_equal(LastValue().fit(holes, y).predict(sparse.csc_matrix(holes)), holes[:, 2])


def test_squared_error_from_statistics():
    model = LastValue().fit(X[:30], y[:30])
    direct = np.sum((y[30:] - X[30:, 2]) ** 2)
    assert model.squared_error(model.collect(X[30:], y[30:])) == pytest.approx(direct, rel=1e-12)


@pytest.mark.parametrize("cv", [KFold(5), Rolling(4, padding=2)])
def test_validation_is_the_error_of_the_column(cv):
    result = cross_validate(LastValue(), X, y, cv=cv)
    tests = [test for _, test in cv.split(X)]
    assert result.how == "statistics"
    np.testing.assert_allclose(
        result.fold_losses, [np.mean((y[t] - X[t, 2]) ** 2) for t in tests], rtol=1e-10
    )
    logs = cross_validate(LastValue(), X, y, cv=cv, loss="log").fold_losses
    by_hand = [
        -np.mean(clone(LastValue()).fit(X[a], y[a]).predict_dist(X[b]).log_prob(y[b])) for a, b in cv.split(X)
    ]
    np.testing.assert_allclose(logs, by_hand, rtol=1e-9)


def test_saved_and_loaded(tmp_path):
    import pandas

    table = pandas.DataFrame(X, columns=["a", "b", "c"])
    model = LastValue("b").fit(table, y)
    suffice.save(model, tmp_path / "last.suffice")
    again = suffice.load(tmp_path / "last.suffice")
    assert again.get_params() == model.get_params()
    assert again.statistics_ == model.statistics_
    np.testing.assert_array_equal(again.predict_dist(table).std, model.predict_dist(table).std)
    assert_same(again.partial_fit(table, y), LastValue(1).fit(np.vstack([X, X]), np.r_[y, y]))


def test_of_an_embedding_is_yesterday():
    series = np.cumsum(rng.standard_normal(40))
    hours = np.arange(40.0)[:, None] % 24
    table = embed(series, p=3, h=2, instantaneous=hours)
    model = LastValue(table.newest).fit(table.X, table.y)
    np.testing.assert_array_equal(model.predict(table.X), series[table.rows - 2])
