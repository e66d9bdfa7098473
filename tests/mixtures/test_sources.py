"""The same mixture from an array, batches, files and a cluster."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from suffice import engine
from suffice.engine import Serial
from suffice.mixtures import GaussianMixture

pytestmark = pytest.mark.sampled(6)

rng = np.random.default_rng(9)
N, D = 300, 3
X = rng.standard_normal((N, D)) @ (np.eye(D) + 0.4) + 4 * rng.integers(0, 2, (N, 1))
X[rng.random(X.shape) < 0.15] = np.nan
NAMES = ["a", "b", "c"]
PARTS = [slice(i, i + 60) for i in range(0, N, 60)]
UNITS = {
    "full": np.array([np.eye(D)] * 2),
    "tied": np.eye(D),
    "diag": np.ones((2, D)),
    "spherical": np.ones(2),
}


def mixture(shape="full", **options):
    start = {
        "means_init": [[0.0] * D, [4.0] * D],
        "weights_init": [0.5, 0.5],
        "precisions_init": UNITS[shape],
    }
    return GaussianMixture(2, covariance_type=shape, **({"tol": 1e-5, "max_iter": 500} | start | options))


def assert_same_fit(a, b):
    assert a.converged_
    assert b.converged_
    np.testing.assert_allclose(a.trace_.objective, b.trace_.objective, rtol=1e-10)
    for name in ("weights_", "means_", "covariances_", "lower_bound_"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=1e-9, atol=1e-10)


@pytest.fixture
def files(tmp_path):
    for i, part in enumerate(PARTS):
        pq.write_table(pa.table(dict(zip(NAMES, X[part].T, strict=True))), tmp_path / f"{i}.parquet")
    return str(tmp_path / "*.parquet")


@pytest.mark.parametrize("shape", UNITS)
def test_batches_are_the_array(shape):
    assert_same_fit(engine.fit(mixture(shape), [(X[p],) for p in PARTS]), mixture(shape).fit(X))


def test_weights_come_along():
    weight = np.random.default_rng(1).choice([0.0, 1.0, 2.5], N)
    batches = [(X[p], None, weight[p]) for p in PARTS]
    assert_same_fit(engine.fit(mixture(), batches), mixture().fit(X, sample_weight=weight))


def test_a_prior_counts_once():
    options = {"weights_prior": 30.0, "hard": True}
    assert_same_fit(engine.fit(mixture(**options), [(X[p],) for p in PARTS]), mixture(**options).fit(X))


def test_files_are_the_array(files):
    model = engine.fit(mixture(), files, executor=Serial())
    assert list(model.feature_names_in_) == NAMES
    named = mixture().fit(pa.table(dict(zip(NAMES, X.T, strict=True))))
    np.testing.assert_allclose(model.means_, named.means_, rtol=1e-10)
    np.testing.assert_allclose(model.trace_.objective, named.trace_.objective, rtol=1e-10)


def test_a_batch_without_rows_of_one_component_is_no_exception():
    order = np.argsort(np.nansum(X, axis=1))
    parts = [(X[order[p]],) for p in PARTS]
    assert_same_fit(engine.fit(mixture(), parts), mixture().fit(X))


@pytest.mark.slow
def test_dask_arrays_are_the_array():
    da = pytest.importorskip("dask.array")
    model = engine.fit(mixture(), (da.from_array(X, chunks=(60, D)),))
    assert_same_fit(model, mixture().fit(X))


@pytest.mark.long
def test_a_cluster_is_the_array():
    da, distributed = pytest.importorskip("dask.array"), pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with (
        distributed.LocalCluster(processes=True, **options) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        model = engine.fit(mixture(), (da.from_array(X, chunks=(60, D)),), executor=client)
    assert_same_fit(model, mixture().fit(X))
