"""Laws of every likelihood: derivatives, normalization, extreme arguments, and what it refuses."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.likelihoods import (
    BernoulliLogit,
    BernoulliProbit,
    CustomLikelihood,
    GaussianIdentity,
    PoissonLog,
    Softmax,
)

A = np.array([-30.0, -3.2, -0.5, 0.0, 0.7, 2.9, 30.0])
SCALAR = {
    "logit": (BernoulliLogit(), np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0])),
    "probit": (BernoulliProbit(), np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0])),
    "poisson": (PoissonLog(), np.array([0.0, 1.0, 4.0, 0.0, 2.0, 30.0, 3.0])),
    "gaussian": (GaussianIdentity(2.5), np.array([0.0, -1.0, 4.0, 0.3, 2.0, 30.0, 3.0])),
}
CLASSES = np.array([0, 2, 1, 2])
SCORES = np.array([[0.3, -2.0, 1.0], [5.0, 0.0, -1.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])


def difference(f, a, h):
    return (f(a + h) - f(a - h)) / (2 * h)


@pytest.mark.parametrize("name", SCALAR)
def test_gradient_and_curvature_are_derivatives(name):
    likelihood, y = SCALAR[name]
    inside = np.abs(A) < 10
    a, y, h = A[inside], y[inside], 1e-5
    slope = difference(lambda t: likelihood.log_prob(y, t), a, h)
    bend = -difference(lambda t: likelihood.gradient(y, t), a, h)
    np.testing.assert_allclose(likelihood.gradient(y, a), slope, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(likelihood.curvature(y, a), bend, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("reduced", [False, True])
def test_derivatives_of_softmax(reduced):
    likelihood = Softmax(3, reduced=reduced)
    a, h = SCORES[:, : likelihood.n_functions], 1e-5
    gradient, curvature = likelihood.gradient(CLASSES, a), likelihood.curvature(CLASSES, a)
    for j in range(likelihood.n_functions):
        e = h * np.eye(likelihood.n_functions)[j]
        slope = (likelihood.log_prob(CLASSES, a + e) - likelihood.log_prob(CLASSES, a - e)) / (2 * h)
        bend = -(likelihood.gradient(CLASSES, a + e) - likelihood.gradient(CLASSES, a - e)) / (2 * h)
        np.testing.assert_allclose(gradient[:, j], slope, rtol=0, atol=1e-8)
        np.testing.assert_allclose(curvature[:, j], bend, rtol=0, atol=1e-8)


def test_probabilities_sum_to_one():
    for likelihood in (BernoulliLogit(), BernoulliProbit()):
        both = [np.exp(likelihood.log_prob(np.full(len(A), v), A)) for v in (0.0, 1.0)]
        np.testing.assert_allclose(sum(both), 1.0, rtol=1e-14)
        np.testing.assert_allclose(both[1], likelihood.mean(A), rtol=1e-13)
    counts = np.arange(200.0)
    total = np.exp(PoissonLog().log_prob(counts, np.full(200, 2.0))).sum()
    assert total == pytest.approx(1.0, rel=1e-13)
    for reduced in (False, True):
        s = Softmax(3, reduced=reduced)
        a = SCORES[:, : s.n_functions]
        three = [np.exp(s.log_prob(np.full(4, k), a)) for k in range(3)]
        np.testing.assert_allclose(sum(three), 1.0, rtol=1e-14)
        np.testing.assert_allclose(np.column_stack(three), s.mean(a), rtol=1e-13)


@pytest.mark.parametrize("name", SCALAR)
def test_the_distribution_is_the_likelihood(name):
    likelihood, y = SCALAR[name]
    near = np.abs(A) < 10
    a, y = A[near], y[near]
    d = likelihood.distribution(a)
    np.testing.assert_allclose(d.log_prob(y), likelihood.log_prob(y, a), rtol=1e-12)
    np.testing.assert_allclose(d.mean, likelihood.mean(a), rtol=1e-13)


def test_the_distribution_of_softmax_keeps_small_logarithms():
    d = Softmax(2).distribution(np.array([[0.0, 2000.0]]))
    assert d.log_prob(np.array([0]))[0] == pytest.approx(-2000.0, rel=1e-15)


@pytest.mark.parametrize("a", [-700.0, -40.0, 40.0, 700.0])
def test_far_arguments_against_exact_arithmetic(a):
    with mpmath.workdps(700):
        x = mpmath.mpf(a)
        logit = {1: -mpmath.log(1 + mpmath.exp(-x)), 0: -mpmath.log(1 + mpmath.exp(x))}
        probit = {1: mpmath.log(mpmath.ncdf(x)), 0: mpmath.log(mpmath.ncdf(-x))}
        ratio = {s: mpmath.npdf(x) / mpmath.ncdf(s * x) for s in (1, -1)}
        bend = {s: ratio[s] * (ratio[s] + s * x) for s in (1, -1)}
    at = np.array([a])
    for y in (0, 1):
        s = 1 if y else -1
        target = np.array([float(y)])
        assert BernoulliLogit().log_prob(target, at)[0] == pytest.approx(
            float(logit[y]), rel=1e-13, abs=1e-300
        )
        assert BernoulliProbit().log_prob(target, at)[0] == pytest.approx(
            float(probit[y]), rel=1e-10, abs=1e-300
        )
        slope = BernoulliProbit().gradient(target, at)[0]
        assert slope == pytest.approx(float(s * ratio[s]), rel=1e-9, abs=1e-300)
        assert BernoulliProbit().curvature(target, at)[0] == pytest.approx(
            float(bend[s]), rel=1e-6, abs=1e-300
        )
    assert PoissonLog().log_prob(np.array([2.0]), np.array([-700.0]))[0] == pytest.approx(-1400 - np.log(2))


def test_curvature_of_the_probit_stays_between_zero_and_one():
    a = np.concatenate([-np.logspace(-3, 8, 200), np.logspace(-3, 8, 200)])
    for y in (0.0, 1.0):
        v = BernoulliProbit().curvature(np.full(len(a), y), a)
        assert np.all((v >= 0) & (v <= 1 + 1e-12))


def test_information_is_the_expected_curvature():
    a = np.linspace(-4, 4, 9)
    for likelihood in (BernoulliLogit(), BernoulliProbit()):
        p = likelihood.mean(a)
        both = [likelihood.curvature(np.full(9, v), a) for v in (0.0, 1.0)]
        np.testing.assert_allclose(
            likelihood.expected_curvature(a), (1 - p) * both[0] + p * both[1], rtol=1e-10
        )


def test_deviance_against_its_textbook_forms():
    y, a = np.array([0.0, 3.0, 7.0]), np.array([0.2, 1.0, 2.0])
    rate = np.exp(a)
    expected = 2 * (np.where(y > 0, y * np.log(np.where(y > 0, y, 1.0) / rate), 0.0) - (y - rate))
    np.testing.assert_allclose(PoissonLog().deviance(y, a), expected, rtol=1e-13)
    np.testing.assert_allclose(GaussianIdentity(3.0).deviance(y, a), 3.0 * (y - a) ** 2, rtol=1e-13)
    t = np.array([0.0, 1.0, 1.0])
    np.testing.assert_allclose(
        BernoulliLogit().deviance(t, a), -2 * BernoulliLogit().log_prob(t, a), rtol=1e-15
    )


def test_two_classes_of_the_reduced_softmax_are_the_logistic_model_of_the_first():
    a, y = A[:, None], np.array([0, 1, 1, 0, 1, 0, 1])
    s, b = Softmax(2, reduced=True), BernoulliLogit()
    first = (y == 0).astype(float)
    np.testing.assert_allclose(s.log_prob(y, a), b.log_prob(first, A), rtol=1e-13)
    np.testing.assert_allclose(s.gradient(y, a)[:, 0], b.gradient(first, A), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(s.curvature(y, a)[:, 0, 0], b.curvature(first, A), rtol=1e-2, atol=1e-12)


def test_the_full_softmax_does_not_feel_a_common_constant():
    s = Softmax(3)
    np.testing.assert_allclose(s.log_prob(CLASSES, SCORES + 7.0), s.log_prob(CLASSES, SCORES), rtol=1e-13)
    np.testing.assert_allclose(s.curvature(CLASSES, SCORES).sum(axis=2), 0.0, rtol=0, atol=1e-15)


def test_a_pair_of_functions_is_a_likelihood():
    squares = CustomLikelihood(lambda a: a, lambda y, m: 0.5 * (y - m) ** 2)
    exact = GaussianIdentity()
    y = SCALAR["gaussian"][1]
    np.testing.assert_allclose(squares.gradient(y, A), exact.gradient(y, A), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(squares.curvature(y, A), exact.curvature(y, A), rtol=1e-5)
    given = CustomLikelihood(
        squares.inverse_link, squares.cost, lambda y, a: a - y, lambda y, a: np.ones_like(a)
    )
    np.testing.assert_array_equal(given.gradient(y, A), exact.gradient(y, A))
    np.testing.assert_array_equal(given.curvature(y, A), 1.0)
    with pytest.raises(Unsupported, match="does not say how targets are distributed"):
        squares.distribution(A)
    with pytest.raises(InvalidParameter, match="cost must be a function; got 3"):
        CustomLikelihood(np.exp, 3)


REFUSED = {
    "logit": (BernoulliLogit(), [0.0, 2.0], "takes 0 and 1; got .*2.0.* at row 1"),
    "probit": (BernoulliProbit(), [-1.0, 1.0], "takes 0 and 1; got .*-1.0.* at row 0"),
    "negative": (PoissonLog(), [3.0, -1.0], "takes counts 0, 1, 2, …; got .*-1.0.* at row 1"),
    "fraction": (PoissonLog(), [0.5], "takes counts"),
    "class": (Softmax(3), [0, 3], r"takes classes 0 … 2; got .*3.0.* at row 1"),
    "text": (GaussianIdentity(), ["a"], "Targets must be numbers; got .*'a'"),
    "gap": (PoissonLog(), [1.0, np.nan], "Targets contain nan at row 1"),
    "matrix": (BernoulliLogit(), [[0.0], [1.0]], "must be a vector"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_targets_outside_the_domain_are_named(name):
    likelihood, y, message = REFUSED[name]
    with pytest.raises(InvalidInput, match=message):
        likelihood.check(y)


def test_parameters_outside_their_domain():
    with pytest.raises(InvalidParameter, match="precision must be a number > 0; got -1"):
        GaussianIdentity(-1)
    with pytest.raises(InvalidParameter, match="n_classes must be an integer >= 2; got 1"):
        Softmax(1)
    with pytest.raises(InvalidParameter, match="reduced must be True or False"):
        Softmax(3, reduced="yes")


def test_probit_mean_against_scipy():
    np.testing.assert_allclose(BernoulliProbit().mean(A), stats.norm.cdf(A), rtol=1e-14)


def test_values_compare_replace_and_save(tmp_path):
    import suffice

    assert GaussianIdentity(2.0) == GaussianIdentity(2.0) != GaussianIdentity(3.0)
    assert GaussianIdentity(2.0).replaced(precision=5.0) == GaussianIdentity(5.0)
    suffice.save(Softmax(4, reduced=True), tmp_path / "s.suffice")
    assert suffice.load(tmp_path / "s.suffice") == Softmax(4, reduced=True)
