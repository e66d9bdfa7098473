"""Newton's method over statistics is Newton's method: same place, monotone, one pass per step."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from suffice._core.errors import NotConverged, NumericalError
from suffice.inference import newton, newton_on_sums
from suffice.likelihoods import BernoulliLogit, PoissonLog

rng = np.random.default_rng(3)
X = np.column_stack([np.ones(80), rng.standard_normal((80, 2)) * [1.0, 20.0]])
CASES = {
    "logit": (BernoulliLogit(), (X @ [0.2, 1.0, -0.05] + rng.logistic(size=80) > 0).astype(float)),
    "poisson": (PoissonLog(), rng.poisson(np.exp(X @ [0.2, 0.5, -0.03])).astype(float)),
}


class Counted:
    """Sums over the rows, and how often they were taken."""

    def __init__(self, name, precision=0.3):
        self.likelihood, self.y = CASES[name]
        self.precision, self.passes = precision, 0

    def __call__(self, w):
        self.passes += 1
        a = X @ w
        return SimpleNamespace(
            objective=float(self.likelihood.log_prob(self.y, a).sum() - 0.5 * self.precision * w @ w),
            gradient=X.T @ self.likelihood.gradient(self.y, a) - self.precision * w,
            hessian=-(X.T * self.likelihood.curvature(self.y, a)) @ X - self.precision * np.eye(3),
        )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("start", [[0.0, 0.0, 0.0], [3.0, -2.0, 0.3]])
def test_the_same_place_as_newton(name, start):
    sums = Counted(name)
    found = newton_on_sums(start, sums)
    by_hand = newton(
        lambda w: sums(w).objective,
        [0.0] * 3,
        lambda w: sums(w).gradient,
        lambda w: sums(w).hessian,
        maximize=True,
    )
    np.testing.assert_allclose(found.params, by_hand.at, rtol=1e-6)
    assert found.trace.converged
    assert np.all(np.diff(found.trace.objective) >= 0)
    assert np.abs(found.statistics.gradient).max() < 1e-4


def test_every_pass_is_counted_and_the_last_belongs_to_the_answer():
    sums, ticks = Counted("logit"), []
    found = newton_on_sums([0.0] * 3, sums, tick=lambda: ticks.append(1))
    assert sums.passes == len(ticks) == found.trace.columns["pass"][-1]
    assert sums(found.params).objective == found.trace.objective[-1] == found.statistics.objective


def test_against_scikit_learn():
    sums = Counted("logit", precision=1e-12)
    found = newton_on_sums([0.0] * 3, sums)
    peer = LogisticRegression(C=np.inf, tol=1e-12, max_iter=2000).fit(X[:, 1:], CASES["logit"][1])
    np.testing.assert_allclose(found.params, [*peer.intercept_, *peer.coef_[0]], rtol=1e-4)


def test_steps_are_halved_where_a_whole_one_overshoots():
    found = newton_on_sums([-4.0, 0.0, 0.0], Counted("poisson", precision=1e-3))
    assert found.trace.converged
    assert found.trace.columns["step"].min() < 1 or np.all(np.diff(found.trace.objective) >= 0)


def test_limits_and_impossible_starts():
    with pytest.warns(NotConverged, match="stopped after 2 steps"):
        newton_on_sums([0.0] * 3, Counted("logit"), max_iter=2)
    nothing = SimpleNamespace(objective=-np.inf, gradient=np.zeros(1), hessian=-np.eye(1))
    with pytest.raises(NumericalError, match="The objective is -inf at the start"):
        newton_on_sums([0.0], lambda w: nothing)
