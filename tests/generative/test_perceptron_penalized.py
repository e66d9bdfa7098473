"""Penalties, weights of classes, starts and rows held out: against scikit-learn, and loops against their twins."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.datasets import load_iris

from suffice._core.errors import InvalidInput, InvalidParameter, NotConverged, Unsupported
from suffice.generative import Perceptron
from suffice.generative import _perceptron_rule as rule

A, LABELS = load_iris(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(150)
A, LABELS = A[ORDER], LABELS[ORDER]
TWO = LABELS > 0
pytestmark = pytest.mark.filterwarnings("ignore::suffice._core.errors.NotConverged")


@pytest.mark.parametrize(
    "options",
    [
        {"penalty": "l2", "alpha": 0.01},
        {"penalty": "l1", "alpha": 0.003, "tol": None, "max_iter": 25},
        {"penalty": "elasticnet", "alpha": 0.02, "l1_ratio": 0.4, "eta0": 0.3, "tol": None, "max_iter": 30},
        {"penalty": "l2", "alpha": 5.0},
        {"class_weight": {0: 3.0, 2: 0.5}},
        {"class_weight": "balanced", "penalty": "l1", "tol": None, "max_iter": 8},
        {"class_weight": "balanced", "fit_intercept": False, "tol": None, "max_iter": 9},
    ],
    ids=str,
)
@pytest.mark.parametrize("y", [LABELS, TWO], ids=["three", "two"])
@pytest.mark.filterwarnings("ignore:Maximum number of iteration reached")
def test_weights_are_scikit_learns(options, y):
    if isinstance(options.get("class_weight"), dict) and y is TWO:
        options = options | {"class_weight": {True: 3.0}}
    mine = Perceptron(shuffle=False, **options).fit(A, y)
    other = theirs.Perceptron(shuffle=False, **options).fit(A, y)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine.intercept_, other.intercept_, rtol=1e-9)
    if "penalty" in options:  # without one a pass free of mistakes is the last
        assert (mine.n_iter_, mine.t_) == (other.n_iter_, other.t_)
    assert np.isnan(mine.bound_).all()


@pytest.mark.parametrize("pull", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_compiled_loops_do_what_their_twins_do(kind, pull):
    table = kind(np.where(np.abs(A) < 1.5, 0.0, A))
    signs, weight = np.where(TWO, 1.0, -1.0), np.random.default_rng(1).uniform(0.5, 2, 150)
    results = []
    for fast in (True, False):
        w, state, b = np.linspace(-1, 1, 4), rule.Pulled(4), 0.3
        r = rule.PerceptronRule(0.7, True, 1, 0.0, 5, 0.02, pull)
        for _ in range(3):
            b, mistakes, loss = rule.pulled_epoch(table, signs, np.arange(150), weight, w, b, r, state, fast)
        results.append((*w, *state.pulled, state.total, b, mistakes, loss))
    np.testing.assert_allclose(results[0], results[1], rtol=1e-9, atol=1e-12)


def test_starts():
    first = Perceptron(shuffle=False, max_iter=3, tol=None).fit(A, LABELS)
    given = {"coef_init": first.coef_, "intercept_init": first.intercept_}
    mine = Perceptron(shuffle=False).fit(A, LABELS, **given)
    other = theirs.Perceptron(shuffle=False).fit(A, LABELS, **{k: v.copy() for k, v in given.items()})
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-12)
    assert np.isnan(mine.bound_).all()
    first.set_params(warm_start=True).fit(A, LABELS)
    twice = Perceptron(shuffle=False, max_iter=3, tol=None).fit(A, LABELS, **given)
    np.testing.assert_array_equal(first.coef_, twice.coef_)
    with pytest.raises(InvalidInput, match="warm_start=True needs the classes"):
        first.fit(A, TWO)
    with pytest.raises(
        InvalidInput, match=r"coef_init must hold finite numbers of shape \(3, 4\); got shape \(2,\)"
    ):
        Perceptron().fit(A, LABELS, coef_init=[1.0, 2.0])


def test_held_out_rows_stop_the_passes():
    model = Perceptron(early_stopping=True, validation_fraction=0.2, n_iter_no_change=3, tol=0.0).fit(
        A, LABELS
    )
    assert model.t_ == 1 + 120 * model.n_iter_
    assert model.score(A, LABELS) > 0.6
    again = Perceptron(early_stopping=True, validation_fraction=0.2, n_iter_no_change=3, tol=0.0).fit(
        A, LABELS
    )
    np.testing.assert_array_equal(model.coef_, again.coef_)
    for share in (0.05, 0.5):  # rows that are never seen cannot change the weights
        held = Perceptron(early_stopping=True, validation_fraction=share, shuffle=False, tol=None, max_iter=4)
        mask = held._held(LABELS, np.unique(LABELS))
        expected = held.fit(A, LABELS).coef_
        np.testing.assert_array_equal(held.fit(np.where(mask[:, None], 100 * A, A), LABELS).coef_, expected)
    with pytest.raises(InvalidInput, match="cannot hold out validation_fraction=0.9 of 6 rows"):
        Perceptron(early_stopping=True, validation_fraction=0.9).fit(A[:6], [0, 0, 0, 1, 1, 1])


def test_pieces():
    for options in ({"early_stopping": True}, {"class_weight": "balanced"}):
        with pytest.raises(Unsupported, match="need all rows at once"):
            Perceptron(**options).partial_fit(A, LABELS)
    mine = Perceptron(penalty="l2", alpha=0.1, shuffle=False, class_weight={0: 2.0})
    other = theirs.Perceptron(penalty="l2", alpha=0.1, shuffle=False, class_weight={0: 2.0})
    for part in (slice(0, 70), slice(70, 150)):
        mine.partial_fit(A[part], LABELS[part], [0, 1, 2])
        other.partial_fit(A[part], LABELS[part], [0, 1, 2])
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-10)
    assert mine.t_ == other.t_


def test_labels_that_do_not_exist():
    with pytest.raises(InvalidParameter, match="class_weight names 7; the classes are"):
        Perceptron(class_weight={7: 1.0}).fit(A, LABELS)
    with pytest.warns(NotConverged, match="The last of 2 passes"):
        Perceptron(max_iter=2, penalty="l1").fit(A, LABELS)
