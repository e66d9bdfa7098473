"""What would not fit into memory is refused before it starts, with what it needs, what there is, and the way out."""

import numpy as np
import pytest
from scipy import sparse

from suffice._core import memory
from suffice._core.errors import SufficeError, TooLarge, Unsupported
from suffice.evaluation import cross_validate
from suffice.generative import LinearDiscriminantAnalysis
from suffice.glm import LogisticRegression, SoftmaxRegression
from suffice.glm._fit import quasi_newton
from suffice.linear import ARDRegression, BayesianLinearRegression, LinearRegression, Ridge

pytestmark = pytest.mark.slow

FEW, MANY = 100_000, 1 << 60


@pytest.fixture
def tight(monkeypatch):
    """A machine on which next to nothing is free."""
    monkeypatch.setattr(memory, "SMALL", FEW)
    monkeypatch.setattr(memory, "free_memory", lambda: FEW)


def test_what_is_needed_what_there_is_and_the_way_out(tight):
    with pytest.raises(
        TooLarge, match=r"A table needs 0\.2 GB of memory, and 0\.0 GB are free\. Read less\."
    ):
        memory.need_memory(2e8, "A table", "Read less.")
    memory.need_memory(FEW, "A table", "Read less.")
    assert issubclass(TooLarge, SufficeError)
    assert issubclass(TooLarge, MemoryError)


def test_a_machine_that_says_nothing_is_trusted(monkeypatch):
    monkeypatch.setattr(memory, "_limits", lambda: iter(()))
    memory.need_memory(MANY, "A table", "Read less.")


def test_the_smallest_limit_counts(monkeypatch, tmp_path):
    (tmp_path / "memory.max").write_text("5000\n")
    (tmp_path / "memory.current").write_text("3000\n")
    monkeypatch.setattr(memory, "GROUP", tmp_path)
    assert memory.free_memory() == 2000
    (tmp_path / "memory.max").write_text("max\n")
    free = memory.free_memory()
    assert free is None or free > 1 << 20


def test_squares_of_columns_are_refused_where_they_are_asked_for(tight):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((10, 150))
    y = X[:, 0] + 0.1 * rng.standard_normal(10)
    model = BayesianLinearRegression(1.0, noise_precision=1.0).fit(X, y)
    assert model.predict_dist(X).mean.shape == (10,)
    with pytest.raises(TooLarge, match="covariance of 151 weights needs .* predict_dist needs none"):
        model.posterior_  # noqa: B018
    with pytest.raises(TooLarge, match="search over the precisions of 150 weights"):
        ARDRegression().fit(X, y)
    labels = np.resize([0, 1], 10)
    classes = LinearDiscriminantAnalysis(shrinkage="auto", store_covariance=True).fit(X, labels)
    assert classes.predict(X).shape == (10,)
    with pytest.raises(TooLarge, match="covariance of 150 columns"):
        classes.covariance_  # noqa: B018
    with pytest.raises(TooLarge, match="triangle of 200 rows and 152 columns|triangle of 152 rows"):
        Ridge().fit(rng.standard_normal((200, 150)), rng.standard_normal(200))


def test_covariances_of_least_squares_are_refused(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 100))
    model = LinearRegression().fit(X, rng.standard_normal(200))
    monkeypatch.setattr(memory, "SMALL", FEW)
    monkeypatch.setattr(memory, "free_memory", lambda: FEW)
    for name in ("cov_params_", "fisher_information_"):
        with pytest.raises(TooLarge, match="of 101 weights needs"):
            getattr(model, name)


@pytest.fixture(scope="module")
def clusters():
    rng = np.random.default_rng(0)
    labels = np.resize(np.arange(12), 240)
    return rng.standard_normal((12, 8))[labels] + rng.standard_normal((240, 8)), labels


@pytest.mark.parametrize(
    "model", [LogisticRegression, lambda **k: SoftmaxRegression(prior_precision=1.0, **k)]
)
def test_many_classes_are_climbed_without_their_curvature(model, clusters, monkeypatch):
    X, labels = clusters
    known = model().fit(X, labels)
    monkeypatch.setattr(quasi_newton, "LARGEST", 50)
    mode_at = model(max_iter=500).fit(X, labels)
    np.testing.assert_allclose(mode_at.predict_proba(X), known.predict_proba(X), rtol=0, atol=1e-5)
    assert mode_at.log_likelihood_ == pytest.approx(known.log_likelihood_, rel=1e-7)
    with pytest.raises(Unsupported, match="covariance of 99 weights was not computed"):
        mode_at.cov_params_  # noqa: B018
    asked = model(covariance=True).fit(X, labels)
    np.testing.assert_allclose(asked.cov_params_, known.cov_params_, rtol=0, atol=1e-5)


def test_folds_of_many_classes_do_without_it_too(clusters, monkeypatch):
    X, labels = clusters
    usual = cross_validate(LogisticRegression(), X, labels, cv=3)
    monkeypatch.setattr(quasi_newton, "LARGEST", 50)
    assert cross_validate(LogisticRegression(max_iter=500), X, labels, cv=3).estimate == usual.estimate


def test_a_curvature_that_does_not_fit_says_so(clusters, tight, monkeypatch):
    monkeypatch.setattr(quasi_newton, "LARGEST", 50)
    with pytest.raises(TooLarge, match=r"curvature in 99 weights .*covariance=False"):
        LogisticRegression(covariance=True).fit(*clusters)


@pytest.mark.parametrize(
    "model", [LogisticRegression(), SoftmaxRegression(), LogisticRegression(l1_ratio=1.0)], ids=repr
)
def test_a_fit_of_hashed_words_says_what_it_needs(model, monkeypatch):
    """A square of a million columns is 9 TB, on any machine."""
    monkeypatch.setattr(memory, "free_memory", lambda: MANY >> 24)
    X = sparse.csr_array(sparse.random(40, 1 << 20, density=1e-5, format="csr", random_state=0))
    with pytest.raises(TooLarge, match=r"1048576 columns.* GB of memory.*Leave columns out"):
        model.fit(X, np.arange(40) % 2)
