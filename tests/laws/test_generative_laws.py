"""Laws of every generative classifier of the registry: Bayes' rule, statistics that add, sources, missing cells."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import clone

import suffice
from suffice import engine
from suffice.evaluation import cross_validate
from suffice.evaluation.protocols import SumsUp

from .settings_generative import CODES, LABELS, NAMES, SETTINGS, WEIGHTS, D, N, built, cases, prior_name, same

pytestmark = pytest.mark.filterwarnings("ignore::suffice._core.errors.NoInformation")


# -- Bayes' rule ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", cases())
def test_bayes_rule(name):
    model, X, new = built(name)
    model.fit(X, LABELS)
    new = new[
        np.isfinite(model.score_samples(new))
    ]  # a joint table without smoothing knows only what it has seen
    joint, marginal = model.predict_joint_log_proba(new), model.score_samples(new)
    common = model._log_common(new)  # the factor that Bayes' rule does without
    logs, shares = model.predict_log_proba(new), model.predict_proba(new)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(
        joint + np.reshape(common, (-1, 1)) - marginal[:, None], logs, rtol=1e-9, atol=1e-9
    )
    assert len(new) > 60
    np.testing.assert_allclose(marginal, logsumexp(joint, axis=1) + common, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(new), NAMES[np.argmax(logs, axis=1)])
    np.testing.assert_allclose(model.predict_dist(new).probabilities, shares, rtol=1e-12)
    assert 0.4 < np.mean(model.predict(X) == LABELS) <= 1.0


@pytest.mark.parametrize("name", cases())
def test_priors_multiply_the_odds(name):
    """log odds move by the log of the prior ratio, for every row alike; densities stay."""
    model, X, new = built(name)
    if getattr(model, "solver", "svd") != "svd":
        pytest.skip("Priors also weigh the covariances of the classes there, as in scikit-learn.")
    given = np.array([0.2, 0.5, 0.3])
    model.fit(X, LABELS)
    new = new[np.isfinite(model.predict_joint_log_proba(new)).all(axis=1)]
    assert len(new) > 5
    even = clone(model).set_params(**{prior_name(model): np.full(3, 1 / 3)}).fit(X, LABELS)
    other = clone(model).set_params(**{prior_name(model): given}).fit(X, LABELS)
    moved = other.predict_log_proba(new) - even.predict_log_proba(new)
    np.testing.assert_allclose(
        moved - moved[:, :1], np.tile(np.log(given / given[0]), (len(new), 1)), rtol=1e-8, atol=1e-8
    )


@pytest.mark.parametrize("name", cases())
def test_names_of_classes_do_not_matter(name):
    model, X, new = built(name)
    plain = clone(model).fit(X, LABELS)
    backwards = np.array(["z ash", "y birch", "x cedar"])
    renamed = clone(model).fit(X, backwards[CODES])
    np.testing.assert_allclose(
        renamed.predict_joint_log_proba(new)[:, ::-1],
        plain.predict_joint_log_proba(new),
        rtol=1e-9,
        atol=1e-9,
    )
    whole, best = clone(model).fit(X, 7 - 2 * CODES), np.sort(plain.predict_proba(new), axis=1)
    clear = new[
        best[:, -1] - best[:, -2] > 1e-9
    ]  # of several equal classes the first in sorted order is taken
    np.testing.assert_array_equal(whole.predict(clear), 7 - 2 * np.searchsorted(NAMES, plain.predict(clear)))


# -- statistics ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", cases())
def test_a_weight_is_a_number_of_copies(name):
    model, X, new = built(name)
    repeated = np.repeat(np.arange(N), WEIGHTS.astype(int))
    weighed = clone(model).fit(X, LABELS, sample_weight=WEIGHTS)
    same(weighed, clone(model).fit(X[repeated], LABELS[repeated]), new)


@pytest.mark.parametrize("name", cases(lambda e: e.capabilities.statistics))
def test_parts_make_a_whole_and_can_be_taken_out(name):
    model, X, new = built(name)
    parts = [np.arange(30), np.arange(30, 70), np.arange(70, N)]
    whole = clone(model).fit(X, LABELS)
    same(suffice.merge([clone(model).fit(X[p], LABELS[p]) for p in parts]), whole, new)
    streamed = clone(model)
    for p in parts:
        streamed.partial_fit(X[p], LABELS[p], classes=NAMES)
    same(streamed, whole, new)
    same(
        suffice.forget(whole, X[parts[1]], LABELS[parts[1]]),
        clone(model).fit(np.delete(X, parts[1], 0), np.delete(LABELS, parts[1])),
        new,
    )


@pytest.mark.parametrize("name", cases(lambda e: e.capabilities.statistics))
def test_a_class_may_come_late(name):
    """Rows sorted by class: the first part knows one class, and the union knows all."""
    model, X, new = built(name)
    order = np.argsort(CODES, kind="stable")
    pieces = [order[:15], order[15:40], order[40:]]
    statistics = [model.collect(X[p], LABELS[p]) for p in pieces]
    same(clone(model).solve(statistics[0] + statistics[1] + statistics[2]), clone(model).fit(X, LABELS), new)


@pytest.mark.parametrize("name", cases(lambda e: e.capabilities.statistics))
def test_folds_from_statistics_are_refits(name):
    model, X, _ = built(name)
    fold = np.arange(N) % 5
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(5)]
    found = cross_validate(model, X, LABELS, cv=splits, loss="log")
    if not isinstance(model, SumsUp) or model.why_not_summed(X) is None:
        assert found.how == "statistics", found.notes
    brute = np.empty(N)
    for train, test in splits:
        d = clone(model).fit(X[train], LABELS[train]).predict_dist(X[test])
        brute[test] = -d.log_prob(LABELS[test])
    np.testing.assert_allclose(found.losses, brute, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", cases(lambda e: e.capabilities.sparse))
def test_sparse_tables_are_tables(name):
    model, X, new = built(name)
    dense, thin = clone(model).fit(X, LABELS), clone(model).fit(sparse.csr_array(X), LABELS)
    same(thin, dense, new)
    np.testing.assert_allclose(
        dense.predict_joint_log_proba(sparse.csr_array(new)),
        dense.predict_joint_log_proba(new),
        rtol=1e-9,
        atol=1e-9,
    )


@pytest.mark.parametrize("name", cases())
def test_a_saved_model_is_the_model(name, tmp_path):
    model, X, new = built(name)
    model.fit(X, LABELS)
    suffice.save(model, tmp_path / "model.suffice")
    loaded = suffice.load(tmp_path / "model.suffice")
    np.testing.assert_array_equal(loaded.predict_joint_log_proba(new), model.predict_joint_log_proba(new))
    np.testing.assert_array_equal(loaded.sample("birch", 5, 3), model.sample("birch", 5, 3))


def frame(X):
    import polars as pl

    return pl.DataFrame({f"x{j}": X[:, j] for j in range(D)} | {"kind": LABELS})


@pytest.mark.parametrize("name", cases(lambda e: e.capabilities.statistics))
def test_files_are_tables(name, tmp_path):
    """Three Parquet files, the classes unevenly among them, read in one pass."""
    model, X, new = built(name)
    order = np.argsort(CODES, kind="stable")
    for i, rows in enumerate(np.array_split(order, 3)):
        frame(X)[rows.tolist()].write_parquet(tmp_path / f"{i}.parquet")
    read = engine.fit(clone(model), str(tmp_path), "kind")
    whole = clone(model).fit(X, LABELS)
    np.testing.assert_allclose(
        read.predict_joint_log_proba(frame(new).drop("kind")),
        whole.predict_joint_log_proba(new),
        rtol=1e-9,
        atol=1e-9,
    )


@pytest.mark.long
@pytest.mark.slow
def test_two_workers_elsewhere_count_the_same(tmp_path):
    distributed = pytest.importorskip("distributed")
    options = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": ":0",
        "silence_logs": 50,
    }
    with (
        distributed.LocalCluster(**options) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        for name in SETTINGS:
            model, X, new = built(name)
            if not (name.endswith(": default") and SETTINGS[name][0].capabilities.statistics):
                continue
            for i, rows in enumerate(np.array_split(np.argsort(CODES, kind="stable"), 3)):
                frame(X)[rows.tolist()].write_parquet(tmp_path / f"{i}.parquet")
            columns = frame(new).drop("kind")
            far = engine.fit(clone(model), str(tmp_path), "kind", executor=client)
            near = engine.fit(clone(model), str(tmp_path), "kind", executor="serial")
            np.testing.assert_array_equal(
                far.predict_joint_log_proba(columns), near.predict_joint_log_proba(columns), err_msg=name
            )


# -- missing cells ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", cases(lambda e: e.capabilities.nan))
def test_a_row_of_gaps_says_nothing(name):
    model, X, _ = built(name)
    model.fit(X, LABELS)
    nothing = np.full((2, D), np.nan)
    np.testing.assert_allclose(
        model.predict_log_proba(nothing), np.tile(model.class_log_prior_, (2, 1)), rtol=1e-9
    )
    np.testing.assert_allclose(model.score_samples(nothing), 0.0, atol=1e-12)


@pytest.mark.parametrize("name", cases(lambda e: e.capabilities.nan))
def test_gaps_hide_a_column_whatever_is_in_it(name):
    """Log odds of two observed columns are the same whether the third is cut out of one row or of all."""
    model, X, new = built(name)
    model.fit(X, LABELS)
    hidden = new.copy()
    hidden[:, 1] = np.nan
    together, alone = (
        model.predict_proba(hidden),
        np.vstack([model.predict_proba(row[None]) for row in hidden]),
    )
    np.testing.assert_allclose(together, alone, rtol=1e-9, atol=1e-12)
    mixed = np.where(np.arange(N)[:, None] % 2, hidden, new)
    np.testing.assert_allclose(model.predict_proba(mixed)[1::2], together[1::2], rtol=1e-9, atol=1e-12)
