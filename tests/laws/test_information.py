"""Laws of probability tables, information and decisions, on random tables with zeros and tiny entries.

Claims of the texts: chain rules, I ≥ 0 and zero for independence, data processing, Gibbs' inequality; sum rule,
product rule, Bayes; De Morgan and inclusion–exclusion; risk with 0/1 loss is error.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from suffice.distributions import (
    Event,
    JointTable,
    Normal,
    decision,
    detector,
    inclusion_exclusion,
    information,
    inverse_cdf_sample,
    required_error_rate,
)
from suffice.distributions.tables.joint_table import ConditionalTable

cell = st.one_of(st.just(0.0), st.floats(0.01, 1.0), st.floats(-12, 0).map(lambda e: 10.0**e))
base = st.sampled_from([2, np.e, 10, 1.5])


@st.composite
def tables(draw, ndim=2, most=4):
    """Probabilities with some zeros and some tiny ones."""
    shape = draw(st.tuples(*[st.integers(1, most)] * ndim))
    size = math.prod(shape)
    values = np.array(draw(st.lists(cell, min_size=size, max_size=size))).reshape(shape)
    assume(values.sum() > 0)
    return values / values.sum()


@st.composite
def channels(draw, inputs):
    """Distributions of some outputs for every input."""
    outputs = draw(st.integers(1, 4))
    return np.stack([draw(vectors(outputs)) for _ in range(inputs)])


@st.composite
def vectors(draw, k=None):
    size = draw(st.integers(1, 5)) if k is None else k
    values = np.array(draw(st.lists(cell, min_size=size, max_size=size)))
    assume(values.sum() > 0)
    return values / values.sum()


def close(a, b):
    return a == pytest.approx(b, rel=1e-10, abs=1e-12)


# -- information -----------------------------------------------------------------------------------


@given(tables())
def test_chain_rules(p):
    joint, x, y = information.joint_entropy(p), information.entropy(p.sum(1)), information.entropy(p.sum(0))
    assert close(joint, x + information.conditional_entropy(p, given=0))
    assert close(joint, y + information.conditional_entropy(p, given=1))
    assert close(information.mutual_information(p), x + y - joint)
    assert close(information.mutual_information(p), y - information.conditional_entropy(p, given=0))


@given(tables(ndim=3, most=3))
def test_chain_rule_of_three(p):
    table = JointTable(p, ["x", "y", "z"])
    pair = table.marginal("x", "y")
    rest = information.joint_entropy(table) - information.joint_entropy(pair)
    flat = p.reshape(-1, p.shape[2])
    assert close(information.conditional_entropy(flat, given=0), rest)
    assert rest <= information.conditional_entropy(table.marginal("y", "z"), given="y") + 1e-12


@given(tables())
def test_bounds(p):
    joint, x, y = information.joint_entropy(p), information.entropy(p.sum(1)), information.entropy(p.sum(0))
    mutual = information.mutual_information(p)
    assert mutual >= 0
    assert close(mutual, information.mutual_information(p.T))
    assert mutual <= min(x, y) + 1e-12
    assert max(x, y) - 1e-12 <= joint <= x + y + 1e-12
    assert 0 <= x <= np.log(p.shape[0]) + 1e-12
    if x > 1e-4 and y > 1e-4:
        assert 0 <= information.normalized_mutual_information(p) <= 1


@given(vectors(), vectors())
def test_independence_means_no_information(a, b):
    assert information.mutual_information(np.outer(a, b)) == pytest.approx(0, abs=1e-14)


@given(vectors(), st.randoms(use_true_random=False))
def test_a_one_to_one_map_tells_everything(p, random):
    order = list(range(len(p)))
    random.shuffle(order)
    table = np.diag(p)[:, order]
    assert close(information.mutual_information(table), information.entropy(p))
    if information.entropy(p) > 1e-4:
        assert close(information.normalized_mutual_information(table), 1)


@given(tables(), st.data())
def test_data_processing(p, data):
    further = data.draw(channels(p.shape[1]))
    processed = p @ further  # x → y → z
    assert information.mutual_information(processed) <= information.mutual_information(p) + 1e-12


@given(tables(), base)
def test_the_base_is_a_unit(p, b):
    for measure in (information.entropy, information.mutual_information, information.conditional_entropy):
        assert close(measure(p, base=b), measure(p) / np.log(b))


@given(st.integers(1, 5).flatmap(lambda k: st.tuples(vectors(k), vectors(k))), base)
def test_gibbs(pair, b):
    p, q = pair
    divergence = information.kl_divergence(p, q)
    assert divergence >= 0
    assert information.kl_divergence(p, p) == 0
    assert divergence >= 0.5 * np.abs(p - q).sum() ** 2 - 1e-12  # Pinsker
    if np.isfinite(divergence):
        assert close(information.kl_divergence(p, q, base=b), divergence / np.log(b))
    assert np.isinf(divergence) == bool(np.any((p > 0) & (q == 0)))


@given(st.floats(1e-6, 1), st.floats(1e-6, 1))
def test_surprise_adds_for_independent_events(p, q):
    assert close(
        information.self_information(p * q), information.self_information(p) + information.self_information(q)
    )


@given(vectors())
def test_entropy_is_expected_surprise(p):
    seen = p[p > 0]
    assert close(information.entropy(p), seen @ information.self_information(seen))


@given(st.floats(0.01, 100), st.floats(0.1, 5))
def test_the_normal_has_the_largest_entropy_for_its_variance(std, ratio):
    d = Normal(0, std)
    assert information.differential_entropy(d) == pytest.approx(0.5 * (1 + np.log(2 * np.pi * std**2)))
    wider = information.differential_entropy(Normal(0, std * (1 + ratio)))
    assert wider > information.differential_entropy(d)
    uniform = 0.5 * np.log(12 * std**2)  # of the same variance
    assert information.differential_entropy(d) > uniform


# -- tables -------------------------------------------------------------------------------------------


@given(tables(ndim=3, most=3))
def test_sum_and_product_rules(p):
    table = JointTable(p, ["x", "y", "z"])
    np.testing.assert_allclose(table.marginal("y").values, p.sum(axis=(0, 2)), atol=1e-15)
    possible = p.sum(axis=(1, 2)) > 0
    for x in np.flatnonzero(possible).tolist():
        rest = table.condition({"x": x})
        np.testing.assert_allclose(rest.values * p[x].sum(), p[x], rtol=1e-12)
        assert close(sum(table.P({"y": y}, given={"x": x}) for y in range(p.shape[1])), 1)
    if possible.all():
        again = table.marginal("x") * table.conditional(["y", "z"], given="x")
        np.testing.assert_allclose(again.values, p, rtol=1e-12)


@given(tables())
def test_bayes_reverses_the_conditional(p):
    table = JointTable(p, ["h", "e"])
    for e in np.flatnonzero(p.sum(0)).tolist():
        rule = table.bayes("h", {"e": e})
        np.testing.assert_allclose(rule, table.conditional("h", given={"e": e}), rtol=1e-12)
        product = np.nan_to_num(rule.prior.values * rule.likelihood)
        np.testing.assert_allclose(product / rule.evidence, rule.posterior, rtol=1e-12)
        assert close(rule.evidence, product.sum())


@pytest.mark.slow
@given(vectors(), st.data())
def test_sequential_evidence_is_evidence_at_once(prior, data):
    first, second = (data.draw(channels(len(prior))) for _ in range(2))
    h = JointTable(prior, ["h"])
    a, b = ConditionalTable(first, ["a"], ["h"]), ConditionalTable(second, ["b"], ["h"])
    joint = h * a * b
    assert joint.independent("a", "b", given="h")
    assume(joint.P({"a": 0, "b": 0}) > 1e-300)
    at_once = joint.bayes("h", {"a": 0, "b": 0}).posterior
    step = (h * a).bayes("h", {"a": 0}).posterior
    np.testing.assert_allclose((step * b).bayes("h", {"b": 0}).posterior, at_once, rtol=1e-9, atol=1e-300)


@given(tables())
def test_independent_exactly_where_the_table_is_a_product(p):
    product = np.outer(p.sum(1), p.sum(0))
    assert JointTable(product, ["x", "y"]).independent("x", "y")
    gap = np.max(np.abs(p - product))
    assume(not 1e-10 < gap < 1e-8)
    assert JointTable(p, ["x", "y"]).independent("x", "y") == (gap <= 1e-9)


@given(tables(), st.floats(-5, 5), st.floats(-5, 5))
def test_expectation_is_linear(p, a, b):
    table = JointTable(p, ["x", "y"])
    mixed = table.expectation(lambda x, y: a * x + b * y + 1)
    assert close(mixed, a * table.expectation("x") + b * table.expectation("y") + 1)
    spread = table.derived(lambda x, y: a * x + b * y, "z").covariance("z")
    parts = (
        a**2 * table.covariance("x") + b**2 * table.covariance("y") + 2 * a * b * table.covariance("x", "y")
    )
    assert spread == pytest.approx(parts, rel=1e-9, abs=1e-10)


@given(tables(ndim=1, most=5), st.integers(0, 10))
def test_stick_draws_only_what_is_possible(p, seed):
    draws = inverse_cdf_sample(p, 50, rng=seed)
    assert np.all(p[draws] > 0)


# -- propositions ----------------------------------------------------------------------------------------


@st.composite
def propositions(draw, shape):
    """A random set of cells as a proposition about x and y."""
    size = math.prod(shape)
    mask = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size))).reshape(shape)
    return Event.that(lambda x, y: bool(mask[x, y]), "random")


@given(tables(), st.data())
def test_algebra_of_propositions(p, data):
    table = JointTable(p, ["x", "y"])
    a, b, c = (data.draw(propositions(p.shape)) for _ in range(3))

    def same(left, right):
        return np.array_equal(left.holds(table), right.holds(table))

    assert same(~(a | b), ~a & ~b)
    assert same(~(a & b), ~a | ~b)
    assert same(a & (b | c), (a & b) | (a & c))
    assert same(~~a, a)
    assert close(table.P(a) + table.P(~a), 1)
    assert close(table.P(a | b), table.P(a) + table.P(b) - table.P(a & b))
    assert close(inclusion_exclusion(table, a, b, c), table.P(a | b | c))
    if table.P(c) > 0:
        assert close(table.P(a & b, given=c) * table.P(c), table.P(a & b & c))
        assert close(table.P(a, given=c) + table.P(~a, given=c), 1)


@given(tables(), st.data())
def test_total_probability(p, data):
    table, b = JointTable(p, ["x", "y"]), data.draw(propositions(p.shape))
    causes = [Event.where(x=k) for k in range(p.shape[0]) if p[k].sum() > 0]
    assert close(table.P(b), sum(table.P(b, given=a) * table.P(a) for a in causes))


# -- detectors and decisions -------------------------------------------------------------------------------

inside = st.floats(0.001, 0.999)


@given(inside, inside, inside, st.lists(st.booleans(), max_size=8))
def test_results_one_by_one_or_all_at_once(s, c, p, results):
    now = detector(s, c, p)
    for positive in results:
        now = now.updated(positive)
        assume(1e-9 < now.base_rate < 1 - 1e-9)  # 1 − p keeps its digits
    at_once = detector(s, c, p).after(sum(results), len(results) - sum(results))
    assert now.base_rate == pytest.approx(at_once, rel=1e-6)


@given(st.floats(1e-9, 0.5), st.floats(0.001, 0.999), st.integers(1, 5))
def test_required_error_rate_is_an_inverse(p, q, k):
    e = required_error_rate(p, q, k)
    assume(e > 1e-6)
    assert detector(1 - e, 1 - e, p).after(k) == pytest.approx(q, rel=1e-8)


@given(st.integers(1, 5).flatmap(lambda k: st.lists(vectors(k), min_size=1, max_size=4)))
def test_risk_with_zero_one_loss_is_error(rows):
    p = np.array(rows)
    k = p.shape[1]
    risks = decision.risk(p, 1 - np.eye(k))
    chosen = decision.minimum_risk(p, 1 - np.eye(k))
    best = np.take_along_axis(p, decision.minimum_error(p)[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(np.take_along_axis(p, chosen[:, None], axis=1)[:, 0], best, atol=1e-14)
    np.testing.assert_allclose(risks.min(axis=1), decision.error_probability(p), atol=1e-14)


@given(st.integers(2, 5).flatmap(vectors), st.floats(0, 1))
def test_rejecting_is_one_more_decision(p, threshold):
    assume(abs(p.max() - threshold) > 1e-9)
    loss = np.c_[1 - np.eye(len(p)), np.full(len(p), 1 - threshold)]
    with_it = decision.minimum_risk(p, loss)
    assert (decision.with_reject(p, threshold) == decision.REJECT) == (with_it == len(p))


@given(st.integers(2, 4).flatmap(lambda k: st.tuples(vectors(k), vectors(k), vectors(k))))
def test_combining_with_a_uniform_prior_multiplies(rows):
    p, q, r = rows
    k = len(p)
    uniform = np.full(k, 1 / k)
    assume(np.sum(p * q) > 1e-200)
    np.testing.assert_allclose(decision.combine([p, q], uniform), p * q / np.sum(p * q), rtol=1e-9)
    np.testing.assert_allclose(decision.combine([p, uniform], uniform), p, rtol=1e-9, atol=1e-15)
    assume(np.sum(p * q * r) > 1e-200)
    stepwise = decision.combine([decision.combine([p, q], uniform), r], uniform)
    np.testing.assert_allclose(stepwise, decision.combine([r, q, p], uniform), rtol=1e-9)


@pytest.mark.slow
@given(st.floats(-10, 10), st.floats(0.1, 10), st.floats(-10, 10), st.floats(0.1, 10), inside)
def test_the_boundary_of_two_normals(m, s, n, t, prior):
    assume(abs(np.log(s / t)) > 1e-3 and abs(m - n) > 1e-3)
    a, b = Normal(m, s), Normal(n, t)
    at = decision.boundary(a, b, prior)
    scale = 1 + np.abs(a.log_prob(at)) + np.abs(b.log_prob(at))
    assert np.all(np.abs(decision.log_odds(at, a, b, prior)) <= 1e-10 * scale)
    assert len(at) in (0, 2)  # unequal variances: none or two
    error = decision.overlap_error(a, b, prior)
    assert error <= min(prior, 1 - prior) + 1e-12
    assert error == pytest.approx(decision.overlap_error(b, a, 1 - prior), rel=1e-9)
