"""Cross-validation of models that pass over a source many times: the same as refitting in memory."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import PredefinedSplit

from suffice import engine
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.bases import GaussianBasis
from suffice.engine import folding
from suffice.engine.hashing import folds_of_groups, folds_of_rows
from suffice.evaluation import cross_validate
from suffice.glm import LogisticRegression, PoissonRegression, SoftmaxRegression

rng = np.random.default_rng(2)
N = 400
X = rng.standard_normal((N, 2)) * [1.0, 50.0] + [0.0, 1000.0]
ETA = X[:, 0] - (X[:, 1] - 1000) / 50
KIND = np.array(["a", "b", "c"])[np.digitize(ETA + rng.logistic(size=N), [-1, 1])]
COUNT = rng.poisson(np.exp(0.4 * ETA))
MODELS = {
    "logistic": (LogisticRegression(), KIND),
    "logistic, standardized": (LogisticRegression(prior_precision=5.0, standardize=True), KIND),
    "balanced": (LogisticRegression(class_weight="balanced"), KIND),
    "softmax": (SoftmaxRegression(parametrization="reduced", prior_precision=0.1), KIND),
    "poisson": (PoissonRegression(), COUNT),
}


def by_folds(model, y, fold, **options):
    return cross_validate(model, X, y, cv=PredefinedSplit(fold), **options)


@pytest.mark.parametrize("loss", [None, "log"])
@pytest.mark.parametrize("name", MODELS)
def test_losses_are_those_of_refitting(name, loss):
    model, y = MODELS[name]
    found = engine.cross_validate(model, (X, y), folds=4, seed=3, loss=loss)
    brute = by_folds(model, y, folds_of_rows(0, 0, N, 4, 3), loss=loss)
    np.testing.assert_allclose(found.fold_losses, brute.fold_losses, rtol=1e-7)
    np.testing.assert_allclose(found.interval, brute.interval, rtol=1e-7)
    assert found.statistics is None
    assert found.how == "refit"
    assert not hasattr(model, "coef_")  # the model itself is left alone


def test_folds_begin_where_the_fit_to_all_rows_ended(monkeypatch):
    """Fewer steps than that fit; but where a fold has all rows of a class, it is another problem."""
    fitted, cold = [], folding.fitted_by_passes

    def watched(*arguments):
        fitted.append(cold(*arguments))
        return fitted[-1]

    monkeypatch.setattr(folding, "fitted_by_passes", watched)
    engine.cross_validate(LogisticRegression(prior_precision=0.1), (X, KIND), folds=4)
    whole, *rest = (model.n_iter_ for model in fitted)
    assert len(rest) == 4
    assert max(rest) < whole
    lonely = np.where(folds_of_rows(0, 0, N, 4, 0) == 2, "z", KIND)
    engine.cross_validate(LogisticRegression(prior_precision=0.1), (X, lonely), folds=4)
    assert fitted[5 + 3].classes_.tolist() == ["a", "b", "c"]
    assert fitted[5].classes_.tolist() == ["a", "b", "c", "z"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three files, the rows of each in several batches, with groups, weights and a condition."""
    folder = tmp_path_factory.mktemp("rows")
    table = pl.DataFrame(
        {"a": X[:, 0], "b": X[:, 1], "g": np.arange(N) % 23, "w": np.arange(N) % 3, "y": COUNT}
    )
    for i in range(3):
        table[i * 150 : (i + 1) * 150].write_parquet(folder / f"{i}.parquet", row_group_size=40)
    return table, folder


@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_files_with_weights_and_conditions(files, executor):
    table, folder = files
    named = {"weight": "w", "where": [("b", "<", 1050.0)], "executor": executor}
    found = engine.cross_validate(PoissonRegression(), folder, "y", ["a", "b"], folds=3, **named)
    fold = np.concatenate([folds_of_rows(i, 0, min(150, N - 150 * i), 3, 0) for i in range(3)])
    kept, w = X[:, 1] < 1050.0, table["w"].to_numpy().astype(float)
    losses = []
    for k in range(3):
        train, test = kept & (fold != k), kept & (fold == k)
        model = PoissonRegression().fit(X[train], COUNT[train], w[train])
        losses.append(np.average((COUNT[test] - model.predict(X[test])) ** 2, weights=w[test]))
    np.testing.assert_allclose(found.fold_losses, losses, rtol=1e-7)
    np.testing.assert_allclose(found.fold_sizes, [w[kept & (fold == k)].sum() for k in range(3)], rtol=1e-12)


def test_groups_stay_together(files):
    table, folder = files
    found = engine.cross_validate(PoissonRegression(), folder, "y", ["a", "b"], folds=3, groups="g")
    brute = by_folds(PoissonRegression(), COUNT, folds_of_groups(table["g"].to_numpy(), 3, 0))
    np.testing.assert_allclose(found.fold_losses, brute.fold_losses, rtol=1e-7)


@pytest.mark.slow
def test_processes_agree(files):
    _, folder = files
    options = {"folds": 2, "executor": engine.Processes(2)}
    found = engine.cross_validate(PoissonRegression(), folder, "y", ["a", "b"], **options)
    serial = engine.cross_validate(
        PoissonRegression(), folder, "y", ["a", "b"], **options | {"executor": "serial"}
    )
    np.testing.assert_allclose(found.fold_losses, serial.fold_losses, rtol=1e-9)


def test_a_source_that_can_be_read_once_is_refused():
    with pytest.raises(InvalidParameter, match="passes over the rows many times"):
        engine.cross_validate(PoissonRegression(), iter([(X, COUNT)]), folds=3)


def test_a_basis_that_needs_rows_is_refused():
    model = PoissonRegression(basis=GaussianBasis(5))
    with pytest.raises(Unsupported, match="each fold must do itself"):
        engine.cross_validate(model, (X, COUNT), folds=3)


def test_a_fold_without_rows_is_refused():
    few = X[:4], COUNT[:4] + 1
    empty = next(s for s in range(50) if len(np.unique(folds_of_rows(0, 0, 4, 3, s))) < 3)
    with pytest.raises(InvalidInput, match=r"Fold \d of 3 has no rows that count"):
        engine.cross_validate(PoissonRegression(prior_precision=1.0), few, folds=3, seed=empty)


def test_a_fold_that_has_all_of_a_class_leaves_one_class():
    fold = folds_of_rows(0, 0, 60, 3, 0)
    y = np.where(fold == 1, "here", "there")
    with pytest.raises(InvalidInput, match="needs at least 2 classes"):
        engine.cross_validate(LogisticRegression(), (X[:60], y), folds=3)


@pytest.mark.filterwarnings("ignore::suffice._core.errors.Separated")
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_climb_without_end_does_not_begin_at_the_test_rows(seed):
    """All rows are separated, test rows among them: a fold that began there would know its answers."""
    draw = np.random.default_rng(seed)
    A = draw.standard_normal((20, 4))
    y = np.where(A[:, 0] + 0.3 * draw.standard_normal(20) > 0, "yes", "no")
    model, fold = LogisticRegression(prior_precision=0), folds_of_rows(0, 0, 20, 3, 0)
    found = engine.cross_validate(model, (A, y), folds=3, loss="log")
    for i in range(3):
        alone = clone(model).fit(A[fold != i], y[fold != i])
        loss = -alone.predict_dist(A[fold == i]).log_prob(y[fold == i])
        np.testing.assert_allclose(found.fold_losses[i], loss.mean(), rtol=1e-6, atol=1e-9)
