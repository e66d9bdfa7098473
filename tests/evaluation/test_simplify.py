"""Training in trouble is told from a model that is too flexible, and chance from both."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LogisticRegression as PeersLogistic
from sklearn.neural_network import MLPRegressor

from suffice._core.errors import InvalidParameter
from suffice.bases import Polynomial
from suffice.evaluation import simplify_to_debug
from suffice.linear import LinearRegression


def line(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    return X, X @ [1.0, -2.0, 0.5] + 0.3 * rng.normal(size=n)


def test_a_network_that_hardly_steps_is_training_trouble():
    X, y = line()
    stuck = MLPRegressor(hidden_layer_sizes=(20,), learning_rate_init=1e-6, max_iter=20, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = simplify_to_debug(stuck, LinearRegression(), X, y, cv=5)
    assert found.trouble == "training"
    assert found.smaller_on_seen.interval[1] < 0
    assert str(found).startswith("The smaller model fits even the rows seen better (")
    assert list(found.frame()["trained"]) == ["the model", "a smaller model", "the model on 24 of 96 rows"]


class Forgetful(RegressorMixin, BaseEstimator):
    """A mistake in the code: of more than fifty rows it uses the targets in the wrong order."""

    def fit(self, X, y):
        order = np.arange(len(y)) if len(y) <= 50 else np.roll(np.arange(len(y)), 1)
        self.model_ = LinearRegression().fit(X, y[order])
        return self

    def predict(self, X):
        return self.model_.predict(X)


def test_more_rows_that_make_it_worse_are_training_trouble():
    X, y = line()
    found = simplify_to_debug(Forgetful(), LinearRegression(), X[:, :3], y, cv=5)
    assert found.trouble == "training"
    assert found.fewer_rows_on_new.interval[1] < 0
    assert "Trained on fewer rows the model predicts new ones better" in found.sentence


def test_only_what_counted_is_said():
    """A model beside itself: what differs by rounding alone is no reason, whatever its interval."""
    X, y = line()
    found = simplify_to_debug(Forgetful(), Forgetful(), X, y, cv=5)
    assert found.trouble == "training"
    assert "The smaller model" not in found.sentence


def test_a_polynomial_of_too_high_an_order_is_too_flexible():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (120, 4))
    y = X[:, 0] + rng.normal(size=120)
    cubic = LinearRegression(basis=Polynomial(3, interactions=True))
    found = simplify_to_debug(cubic, LinearRegression(), X, y, share=0.5)
    assert found.trouble == "too flexible"
    assert found.smaller_on_new.interval[1] < 0 <= found.smaller_on_seen.interval[1]
    assert "too flexible for so few rows" in str(found)


def test_chance_alone_is_seldom_called_trouble():
    """Of equal models on a line with noise: only the interval of fewer rows can be on the wrong side."""
    called = 0
    for seed in range(40):
        X, y = line(80, seed)
        found = simplify_to_debug(LinearRegression(), LinearRegression(), X, y, cv=5, random_state=seed)
        assert abs(found.smaller_on_seen.estimate) < 1e-12
        called += found.trouble != "none found"
    assert called <= 4  # 2.5 % of 40 expected for fewer rows, which in truth is worse; P(5 or more) < 0.004


def test_models_of_other_targets_are_refused():
    X, y = line()
    with pytest.raises(InvalidParameter, match="got LinearRegression and LogisticRegression"):
        simplify_to_debug(LinearRegression(), PeersLogistic(), X, y)
    with pytest.raises(InvalidParameter, match="share"):
        simplify_to_debug(LinearRegression(), LinearRegression(), X, y, share=1.5)
