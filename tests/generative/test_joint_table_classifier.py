"""The full joint table: shares by hand, refits, the rules for what was never seen."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict

import suffice
from suffice import engine
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, NoInformation
from suffice.evaluation import cross_validate
from suffice.generative import JointTableClassifier

rng = np.random.default_rng(6)
N = 150
X = rng.integers(0, [2, 3, 2], (N, 3))
y = np.array(["no", "yes"])[(rng.random(N) < 0.2 + 0.5 * (X[:, 0] == X[:, 2])).astype(int)]
WEIGHT = rng.integers(0, 3, N).astype(float)
WORDS = np.array(["a", "b", "c"], dtype=object)


def test_posterior_is_the_share_among_equal_rows():
    model = JointTableClassifier().fit(X, y, WEIGHT)
    for row in np.unique(X, axis=0):
        same = np.all(row == X, axis=1)
        share = WEIGHT[same & (y == "yes")].sum() / WEIGHT[same].sum()
        assert model.predict_proba([row])[0, 1] == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.4])
def test_density_of_every_cell(alpha):
    model = JointTableClassifier(alpha, priors="uniform").fit(X, y)
    cells = np.stack(np.meshgrid([0, 1], [0, 1, 2], [0, 1], indexing="ij"), -1).reshape(-1, 3)
    density = np.exp(model.predict_joint_log_proba(cells)) / 0.5
    for c, label in enumerate(("no", "yes")):
        mine = X[y == label]
        n = np.array([np.sum(np.all(mine == cell, axis=1)) for cell in cells])
        np.testing.assert_allclose(density[:, c], (n + alpha) / (len(mine) + 12 * alpha), rtol=1e-12)
    np.testing.assert_allclose(density.sum(axis=0), 1.0, rtol=1e-12)
    assert model.n_cells_ == 12
    assert model.n_parameters_ == 2 * 11


class TestUnseen:
    table, labels = np.array([[0, 0], [0, 0], [1, 1]]), ["a", "a", "b"]

    def test_prior(self):
        with pytest.warns(NoInformation, match="Row 1 was never seen in any class, nor were 0 others"):
            proba = JointTableClassifier().fit(self.table, self.labels).predict_proba([[0, 0], [0, 1]])
        np.testing.assert_allclose(proba, [[1, 0], [2 / 3, 1 / 3]], rtol=1e-12)

    def test_nan(self):
        model = JointTableClassifier(unseen="nan").fit(self.table, self.labels)
        proba = model.predict_proba([[0, 0], [0, 1]])
        assert np.isnan(proba[1]).all()
        assert proba[0].tolist() == [1.0, 0.0]

    def test_raise(self):
        with pytest.raises(InvalidInput, match="Row 0 was never seen in any class"):
            JointTableClassifier(unseen="raise").fit(self.table, self.labels).predict([[0, 1]])

    def test_smoothed(self):
        proba = JointTableClassifier(1.0).fit(self.table, self.labels).predict_proba([[0, 1]])
        expected = np.array([2 / 3 / 6, 1 / 3 / 5])
        np.testing.assert_allclose(proba[0], expected / expected.sum(), rtol=1e-12)

    def test_text_where_numbers_were(self):
        with pytest.warns(NoInformation, match="never seen"):
            JointTableClassifier().fit(self.table, self.labels).predict([["u", "v"]])


class TestStatistics:
    def test_pieces_merge_forget_and_batches(self):
        order = np.lexsort(X.T)
        table, labels, weight = X[order], y[order], WEIGHT[order] + 1
        whole = JointTableClassifier().fit(table, labels, weight)
        batches = [(table[i], labels[i], weight[i]) for i in np.array_split(np.arange(N), 4)]
        merged = suffice.merge([JointTableClassifier().fit(*b) for b in batches])
        assert merged.statistics_.parts == whole.statistics_.parts
        fitted = engine.fit(JointTableClassifier(), batches)
        np.testing.assert_allclose(fitted.predict_proba(X), whole.predict_proba(X), rtol=1e-12)
        rest = suffice.forget(whole, table[100:], labels[100:], weight[100:])
        direct = JointTableClassifier().fit(table[:100], labels[:100], weight[:100])
        np.testing.assert_allclose(
            rest.predict_proba(table[:100]), direct.predict_proba(table[:100]), rtol=1e-9
        )
        with pytest.raises(ArithmeticError, match="Cannot take"):
            suffice.forget(direct, table, labels, 5 * weight)

    @pytest.mark.parametrize("weight", [None, WEIGHT + 1], ids=["plain", "weighted"])
    def test_leave_one_out(self, weight):
        model = JointTableClassifier()
        logs, alone = model.left_out_labels(*model.door(X, y, weight))
        for i in np.flatnonzero(~alone)[::7]:
            rest = np.arange(N) != i
            fitted = clone(model).fit(X[rest], y[rest], None if weight is None else weight[rest])
            np.testing.assert_allclose(
                np.exp(logs[i]), fitted.predict_proba(X[i : i + 1])[0], rtol=1e-9, atol=1e-15
            )

    def test_validation(self):
        assert cross_validate(JointTableClassifier(), X, y, cv=LeaveOneOut()).how == "closed form"
        smoothed = cross_validate(JointTableClassifier(0.5), X, y, cv=KFold(5))
        assert smoothed.how == "statistics"
        assert np.array_equal(
            smoothed.predictions, cross_val_predict(JointTableClassifier(0.5), X, y, cv=KFold(5))
        )

    def test_saved_with_text(self, tmp_path):
        table = pl.DataFrame({"u": WORDS[X[:, 0]].tolist(), "v": X[:, 1]})
        model = JointTableClassifier().fit(table, y)
        suffice.save(model, tmp_path / "m.suffice")
        again = suffice.load(tmp_path / "m.suffice")
        assert np.array_equal(again.predict_proba(table), model.predict_proba(table))
        with pytest.raises(HeaderMismatch, match="'w' is unknown"):
            again.predict(table.rename({"v": "w"}))
        assert set(map(tuple, again.sample("yes", 20, 0).tolist())) <= set(table.rows())


class TestBadInput:
    def test_gaps_and_infinity(self):
        with pytest.raises(
            InvalidInput, match="X contains NaN at row 3, column 'x1'. A row with a gap belongs"
        ):
            JointTableClassifier().fit(
                np.where(np.arange(N)[:, None] * [1, 1, 1] == [[-1, 3, -1]], np.nan, X), y
            )
        with pytest.raises(InvalidInput, match="X contains inf at row 0, column 'x0'"):
            JointTableClassifier().fit(np.full((3, 1), np.inf), [0, 1, 1])

    @pytest.mark.parametrize(
        ("options", "words"),
        [({"alpha": -1.0}, "alpha must be"), ({"unseen": "zero"}, "unseen must be one of")],
    )
    def test_parameters(self, options, words):
        with pytest.raises(InvalidParameter, match=words):
            JointTableClassifier(**options).fit(X, y)
