"""Coins per column and class: scikit-learn's numbers, DTU §13.2, missing cells, any threshold, rows left out."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn import naive_bayes
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut

import suffice
from suffice import engine
from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, NoInformation
from suffice.distributions import Beta
from suffice.evaluation import cross_validate
from suffice.generative import BernoulliNB

rng = np.random.default_rng(8)
N, M = 80, 9
LABELS = np.array(["ham", "spam"])[rng.integers(0, 2, N)]
RATES = np.where(LABELS[:, None] == "spam", np.linspace(0.05, 0.9, M), 0.4)
ON = (rng.random((N, M)) < RATES).astype(float)
X = ON * rng.integers(1, 5, (N, M)) - 0.5 * (rng.random((N, M)) < 0.2)
HOLES = np.where(rng.random((N, M)) < 0.15, np.nan, X)
WEIGHT = rng.integers(0, 3, N).astype(float)
NEW = rng.integers(-1, 3, (12, M)).astype(float)
GAPPY = np.where(rng.random(NEW.shape) < 0.3, np.nan, NEW)

SETTINGS = {
    "default": {},
    "threshold": {"binarize": 1.5, "alpha": 0.2},
    "below zero": {"binarize": -0.25, "fit_prior": False},
    "raw frequencies": {"alpha": 0.0},
    "per column": {"alpha": np.linspace(0.1, 2.0, M), "class_prior": [0.3, 0.7]},
    "a prior": {"prior": Beta(0.7, 3.0)},
    "a prior per column": {"prior": Beta(np.linspace(0.5, 2.0, M), 1.0), "binarize": -0.25},
}
TABLES = {"dense": np.asarray, "sparse": sparse.csr_array}
every_setting = pytest.mark.parametrize("setting", SETTINGS)
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
gaps_or_not = pytest.mark.parametrize("data", [X, HOLES], ids=["whole", "gaps"])
pytestmark = pytest.mark.filterwarnings("ignore::suffice._core.errors.NoInformation")


def made(setting):
    return BernoulliNB(**SETTINGS[setting])


def assert_same(a, b, rtol=1e-9):
    assert np.array_equal(a.classes_, b.classes_)
    for table in (NEW, GAPPY):
        np.testing.assert_allclose(
            a.predict_joint_log_proba(table), b.predict_joint_log_proba(table), rtol=rtol
        )


def by_hand(model, table, y, row, weight=None):
    """log P(c) p(x | c) by looping over cells."""
    w = np.ones(len(y)) if weight is None else weight
    a, b = (model.prior.a, model.prior.b) if model.prior is not None else (model.alpha, model.alpha)
    a, b = np.broadcast_to(a, M), np.broadcast_to(b, M)
    cut, out = model.binarize, []
    for c, label in enumerate(model.classes_):
        total = model.class_log_prior_[c]
        for j in range(M):
            if np.isnan(row[j]):
                continue
            mine = (y == label) & ~np.isnan(table[:, j])
            on = np.sum(w[mine & (table[:, j] > cut)])
            share = (on + a[j]) / (np.sum(w[mine]) + a[j] + b[j])
            with np.errstate(divide="ignore"):
                total = total + np.log(share if row[j] > cut else 1 - share)
        out.append(total)
    return out


# -- against others ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("options", [{}, {"alpha": 0.01}, {"fit_prior": False}, {"binarize": 1.5}])
@every_table
def test_scikit_learn(options, table):
    mine = BernoulliNB(**options).fit(table(X), LABELS, WEIGHT)
    theirs = naive_bayes.BernoulliNB(**options).fit(table(X), LABELS, WEIGHT)
    for name in ("class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_"):
        np.testing.assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=1e-12)
    for call in ("predict_joint_log_proba", "predict_log_proba"):
        expected = getattr(theirs, call)(table(NEW))
        np.testing.assert_allclose(getattr(mine, call)(table(NEW)), expected, rtol=1e-10, atol=1e-13)
    assert np.array_equal(mine.predict(table(NEW)), theirs.predict(table(NEW)))


@every_setting
@every_table
@gaps_or_not
def test_cell_by_cell(setting, table, data):
    model = made(setting).fit(table(data), LABELS, WEIGHT)
    for rows in (NEW, GAPPY):
        expected = [by_hand(model, data, LABELS, row, WEIGHT) for row in rows]
        np.testing.assert_allclose(model.predict_joint_log_proba(table(rows)), expected, rtol=1e-10)


def test_densities_sum_to_one():
    """Over all rows of nine coins."""
    every = np.array(list(itertools.product([0.0, 1.0], repeat=M)))
    for setting in ("default", "a prior", "below zero"):
        model = made(setting).fit(X, LABELS)
        shift = -1.0 if setting == "below zero" else 0.0  # so that 0 lies below the threshold
        logs = model.predict_joint_log_proba(every + shift) - model.class_log_prior_
        np.testing.assert_allclose(np.exp(logs).sum(axis=0), 1.0, rtol=1e-11)


# -- DTU §13.2 ----------------------------------------------------------------------------------------------
def test_prior_is_the_mean_of_a_posterior():
    """Technical note 13.2.1: Beta(α, α) is α pseudo-counts."""
    assert_same(
        BernoulliNB(prior=Beta(0.4, 0.4)).fit(HOLES, LABELS), BernoulliNB(alpha=0.4).fit(HOLES, LABELS)
    )
    model = BernoulliNB(prior=Beta(0.7, 3.0)).fit(ON, LABELS)
    for c, label in enumerate(model.classes_):
        column = ON[label == LABELS][:, 4]
        assert np.exp(model.feature_log_prob_[c, 4]) == pytest.approx(
            Beta(0.7, 3.0).posterior(column).mean, rel=1e-12
        )


def test_strong_smoothing_knows_nothing():
    model = BernoulliNB(alpha=1e12).fit(X, LABELS)
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), 0.5, rtol=1e-9)
    expected = np.tile([np.mean(LABELS == "ham"), np.mean(LABELS == "spam")], (len(NEW), 1))
    np.testing.assert_allclose(model.predict_proba(NEW), expected, rtol=1e-9)


@every_table
def test_raw_frequencies_exclude(table):
    docs = table(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 1.0]]))
    model = BernoulliNB(alpha=0.0).fit(docs, ["a", "a", "b"])
    assert np.array_equal(model.predict_proba(table(np.array([[1.0, 1.0], [1.0, 0.0]]))), [[0, 1], [1, 0]])
    with pytest.warns(NoInformation, match="Row 0 has probability zero in every class"):
        shares = model.predict_proba(table(np.array([[0.0, 0.0]])))
    np.testing.assert_allclose(shares, [[2 / 3, 1 / 3]], rtol=1e-12)
    with pytest.warns(AtBound, match=r"setting alpha = 1.0e-10"):
        smoothed = BernoulliNB(alpha=0.0, force_alpha=False).fit(docs, ["a", "a", "b"])
    assert np.isfinite(smoothed.predict_log_proba([[0.0, 0.0]])).all()


# -- cells ----------------------------------------------------------------------------------------------------
@every_setting
@gaps_or_not
def test_sparse_is_dense_at_any_threshold(setting, data):
    assert_same(made(setting).fit(sparse.csr_array(data), LABELS), made(setting).fit(data, LABELS))
    model = made(setting).fit(data, LABELS)
    for rows in (NEW, GAPPY):
        expected = model.predict_joint_log_proba(rows)
        np.testing.assert_allclose(
            model.predict_joint_log_proba(sparse.csr_array(rows)), expected, rtol=1e-11
        )


def test_stored_zeros_are_zeros():
    zeros = sparse.csr_array(
        (np.array([0.0, 1.0, 0.0]), np.array([0, 1, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    for cut in (0.0, -0.5):
        a = BernoulliNB(binarize=cut).fit(zeros, [0, 1])
        b = BernoulliNB(binarize=cut).fit(zeros.toarray(), [0, 1])
        np.testing.assert_allclose(a.feature_log_prob_, b.feature_log_prob_, rtol=1e-12)


def test_a_column_without_cells_says_nothing():
    blank = np.column_stack([ON, np.full(N, np.nan)])
    blank[LABELS == "spam", 0] = np.nan  # known in one class alone
    for alpha in (0.0, 1.0):
        model = BernoulliNB(alpha=alpha).fit(blank, LABELS)
        np.testing.assert_allclose(np.exp(model.feature_log_prob_[:, -1]), 0.5, rtol=1e-12)
        assert np.exp(model.feature_log_prob_[1, 0]) == pytest.approx(0.5)
    assert model.cell_count_[1, 0] == 0


@every_table
def test_only_zeros_and_ones_without_a_threshold(table):
    whole = BernoulliNB(binarize=None).fit(table(ON), LABELS)
    np.testing.assert_allclose(
        whole.feature_log_prob_, BernoulliNB().fit(ON, LABELS).feature_log_prob_, rtol=1e-12
    )
    gappy = np.where(np.isnan(HOLES), np.nan, ON)
    assert_same_on(
        BernoulliNB(binarize=None).fit(table(gappy), LABELS), BernoulliNB().fit(gappy, LABELS), ON[:5]
    )
    bad = ON.copy()
    bad[6, 3] = 2.0
    for call in (lambda t: BernoulliNB(binarize=None).fit(t, LABELS), whole.predict):
        with pytest.raises(InvalidInput, match=r"takes cells that are 0 or 1.*; got 2 at row 6, column 'x3'"):
            call(table(bad))


def assert_same_on(a, b, table):
    np.testing.assert_allclose(a.predict_joint_log_proba(table), b.predict_joint_log_proba(table), rtol=1e-12)


@every_table
def test_infinity_is_named(table):
    bad = X.copy()
    bad[6, 3] = np.inf
    with pytest.raises(InvalidInput, match=r"X contains inf at row 6, column 'x3'"):
        BernoulliNB().fit(table(bad), LABELS)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_units_do_not_matter(scale):
    assert_same_on(BernoulliNB().fit(X * scale, LABELS), BernoulliNB().fit(X, LABELS), NEW)


def test_constant_and_repeated_columns():
    table = np.column_stack([ON, np.ones(N), np.zeros(N), ON[:, 0]])
    assert np.isfinite(BernoulliNB().fit(table, LABELS).predict_log_proba(table)).all()
    wide = np.random.default_rng(0).integers(0, 2, (3, 500))
    assert np.isfinite(BernoulliNB().fit(wide, [0, 1, 1]).predict_log_proba(wide)).all()


def test_ten_thousand_columns_do_not_underflow():
    wide = np.random.default_rng(0).integers(0, 2, (6, 10_000)).astype(float)
    model = BernoulliNB().fit(wide, list("abcabc"))
    logs = model.predict_log_proba(wide)
    assert np.isfinite(logs).all()
    assert logs.min() < -745
    assert np.isfinite(cross_validate(model, wide, list("abcabc"), cv=KFold(2), loss="log").estimate)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": [1.0, 2.0]}, r"alpha must be one number or one for each of the 9 columns; got shape \(2,\)"),
        ({"alpha": [-1.0] * 9}, r"alpha must be a finite number >= 0"),
        ({"prior": Beta([1.0, 2.0], 1.0)}, r"a of prior must be one number or one for each of the 9 columns"),
        ({"class_prior": [0.5, 0.6]}, r"sum of the priors should be 1"),
    ],
)  # fmt: skip
def test_wrong_parameters(options, words):
    with pytest.raises(InvalidParameter, match=words):
        BernoulliNB(**options).fit(X, LABELS)


# -- statistics that add ------------------------------------------------------------------------------------------
@every_setting
@every_table
@gaps_or_not
def test_pieces_merging_and_forgetting(setting, table, data):
    whole = made(setting).fit(table(data), LABELS)
    pieces = made(setting)
    for part in np.array_split(np.arange(N), 4):
        pieces.partial_fit(table(data[part]), LABELS[part])
    assert_same(pieces, whole)
    parts = [made(setting).fit(table(data[i]), LABELS[i]) for i in np.array_split(np.arange(N), 3)]
    assert_same(suffice.merge(parts), whole)
    rest = suffice.forget(whole, table(data[60:]), LABELS[60:])
    assert_same(rest, made(setting).fit(data[:60], LABELS[:60]), 1e-8)
    again = np.repeat(np.arange(N), WEIGHT.astype(int))
    assert_same(made(setting).fit(data, LABELS, WEIGHT), made(setting).fit(data[again], LABELS[again]))


def test_statistics_differ_with_the_threshold():
    keys = {BernoulliNB(binarize=cut).statistics_key for cut in (None, 0.0, 1, 1.0)}
    assert len(keys) == 3
    with pytest.raises(InvalidInput, match="different binarize"):
        suffice.merge([BernoulliNB(binarize=cut).fit(X, LABELS) for cut in (0.0, 1.0)])


# -- validation ---------------------------------------------------------------------------------------------------
@every_setting
@every_table
@gaps_or_not
def test_folds_from_statistics_are_refits(setting, table, data):
    cv = KFold(4, shuffle=True, random_state=0)
    fast = cross_validate(made(setting), table(data), LABELS, cv=cv, loss="log")
    assert fast.how == "statistics"
    for train, test in cv.split(X):
        slow = made(setting).fit(data[train], LABELS[train]).predict_proba(data[test])
        np.testing.assert_allclose(fast.probabilities[test], slow, rtol=1e-9)


@every_setting
@every_table
@gaps_or_not
@pytest.mark.parametrize(
    "weight", [None, pytest.param(WEIGHT + 0.5, marks=pytest.mark.slow)], ids=["plain", "weighted"]
)
def test_leaving_one_row_out_is_refitting(setting, table, data, weight):
    model = made(setting)
    logs, alone = model.left_out_labels(*model.door(table(data), LABELS, weight))
    assert not alone.any()
    for i in range(0, N, 3):
        kept = np.arange(N) != i
        refit = made(setting).fit(data[kept], LABELS[kept], None if weight is None else weight[kept])
        np.testing.assert_allclose(logs[i], refit.predict_log_proba(data[[i]])[0], rtol=1e-9, atol=1e-12)


def test_leave_one_out_of_a_few_rows():
    """Columns with one row on, or off, or there at all: each is somebody's last."""
    few = np.array([[1, 0, np.nan], [0, 1, np.nan], [0, 1, 1], [1, 1, 0], [1, 0, 1], [0, 0, 1.0]])
    y = np.array(["a", "a", "a", "b", "b", "b"])
    for alpha, cut in itertools.product((0.0, 0.5), (0.0, -0.5)):
        model, table = BernoulliNB(alpha=alpha, binarize=cut), few - (cut < 0)
        logs, alone = model.left_out_labels(*model.door(table, y))
        for i in np.flatnonzero(~alone):
            kept = np.arange(6) != i
            refit = BernoulliNB(alpha=alpha, binarize=cut).fit(table[kept], y[kept])
            np.testing.assert_allclose(logs[i], refit.predict_log_proba(table[[i]])[0], rtol=1e-9, atol=1e-12)
        fast = cross_validate(model, table, y, cv=LeaveOneOut())
        models = [clone(model).fit(np.delete(table, i, axis=0), np.delete(y, i)) for i in range(6)]
        assert fast.predictions.tolist() == [m.predict(table[[i]])[0] for i, m in enumerate(models)]


# -- elsewhere ----------------------------------------------------------------------------------------------------
@every_setting
def test_saved_and_loaded(setting, tmp_path):
    model = made(setting).fit(HOLES, LABELS)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.predict_log_proba(GAPPY), model.predict_log_proba(GAPPY))


def test_batches():
    order = np.array_split(np.argsort(LABELS, kind="stable"), 5)
    batches = [(sparse.csr_array(HOLES[i]), LABELS[i]) for i in order]
    assert_same(engine.fit(BernoulliNB(), iter(batches)), BernoulliNB().fit(HOLES, LABELS))


def test_samples_are_tosses():
    """Shares of 4000 rows within five standard errors."""
    model = BernoulliNB().fit(X, LABELS)
    share = np.exp(model.feature_log_prob_[1])
    draws = model.sample("spam", 4000, random_state=0)
    assert set(np.unique(draws)) == {0.0, 1.0}
    assert np.all(np.abs(draws.mean(axis=0) - share) < 5 * np.sqrt(share * (1 - share) / 4000))
    assert model.n_parameters_ == 2 * M


@pytest.mark.parametrize("cut", [0.0, -0.5])
def test_memory_is_that_of_the_words_used(cut):
    """1000 × 50,000 would be 400 MB; leaving rows out takes no more."""
    draws = np.random.default_rng(0)
    words = (50_000 * draws.random(50_000) ** 3).astype(np.int32)
    table = sparse.csr_array((np.ones(50_000), (np.repeat(np.arange(1000), 50), words)), shape=(1000, 50_000))
    y = draws.integers(0, 4, 1000)
    tracemalloc.start()
    BernoulliNB(binarize=cut).fit(table, y).predict(table)
    assert cross_validate(BernoulliNB(binarize=cut), table, y, cv=LeaveOneOut()).how == "closed form"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 80e6
