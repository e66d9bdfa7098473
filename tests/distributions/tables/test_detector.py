"""Tests for a rare condition: posteriors, repetition, and the error rates that a target needs."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.distributions import Detector, detector, required_error_rate

SIGNATURES = detector(0.96, 0.96, 0.0004)


def test_sequential_is_batch():
    now = SIGNATURES
    for k in range(1, 8):
        now = now.updated(positive=True)
        assert now.base_rate == pytest.approx(SIGNATURES.after(k), rel=1e-13)
    mixed = SIGNATURES.updated(True).updated(False).updated(True)
    assert mixed.base_rate == pytest.approx(SIGNATURES.after(2, 1), rel=1e-13)


def test_it_is_the_joint_table():
    d = detector(0.8, 0.9, 0.15)
    assert d.joint.P({"positive": True}) == pytest.approx(d.evidence, rel=1e-14)
    for positive, posterior in ((True, d.posterior_positive), (False, d.posterior_negative)):
        given = d.joint.P({"condition": True}, given={"positive": positive})
        assert given == pytest.approx(posterior, rel=1e-13)


def test_even_odds_give_back_the_accuracy():
    assert detector(0.96, 0.96, 0.5).posterior_positive == pytest.approx(0.96, rel=1e-14)


def test_batches():
    d = detector([0.9, 0.99], 0.95, [[0.01], [0.1], [0.5]])
    assert d.after(2).shape == (3, 2)
    assert d.after(2)[1, 0] == pytest.approx(detector(0.9, 0.95, 0.1).after(2), rel=1e-14)
    assert detector(0.9, 0.9, 0.1).after([0, 1, 2])[0] == pytest.approx(0.1, rel=1e-14)
    with pytest.raises(InvalidInput, match="no single joint table"):
        _ = d.joint


def test_many_tests_do_not_underflow():
    assert SIGNATURES.after(0, 300) == pytest.approx(0.0004 / 0.9996 * (0.04 / 0.96) ** 300, rel=1e-10)
    assert SIGNATURES.after(1000) == 1.0


def test_certainty():
    assert detector(1.0, 0.9, 0.1).posterior_negative == 0
    assert detector(0.9, 1.0, 0.1).posterior_positive == 1
    assert detector(0.9, 0.9, 0.0).after(5) == 0
    with pytest.raises(InvalidInput, match="impossible"):
        detector(1.0, 1.0, 0.1).after(1, 1)
    with pytest.raises(InvalidInput, match="impossible"):
        detector(0.0, 1.0, 0.5).after(1)


@pytest.mark.parametrize("tests", [1, 2, 5])
@pytest.mark.parametrize("target", [0.01, 0.5, 0.999])
def test_the_inverse_reaches_its_target(tests, target):
    e = required_error_rate(0.0004, target, tests)
    assert detector(1 - e, 1 - e, 0.0004).after(tests) == pytest.approx(target, rel=1e-9)


def test_number_of_tests():
    k = SIGNATURES.required_tests(0.5)
    assert SIGNATURES.after(k) >= 0.5 > SIGNATURES.after(k - 1)
    assert detector(0.9, 0.9, 0.6).required_tests(0.5) == 0
    assert SIGNATURES.required_tests(SIGNATURES.after(2)) == 2
    with pytest.raises(InvalidInput, match="sensitivity must exceed 1 − specificity"):
        detector(0.5, 0.5, 0.1).required_tests(0.9)
    with pytest.raises(InvalidInput, match=r"base_rate must lie inside \(0, 1\)"):
        detector(0.9, 0.9, 0.0).required_tests(0.9)


@pytest.mark.parametrize("name", ["sensitivity", "specificity", "base_rate"])
@pytest.mark.parametrize("value", [-0.1, 1.1])
def test_rates_outside_the_unit_interval(name, value):
    with pytest.raises(InvalidParameter, match=rf"{name} must be in \[0, 1\]; got {value}"):
        Detector(**{"sensitivity": 0.9, "specificity": 0.9, "base_rate": 0.1, name: value})


def test_other_bad_input():
    with pytest.raises(InvalidParameter, match=r"base_rate must be in \(0, 1\); got 0"):
        required_error_rate(0.0)
    with pytest.raises(InvalidParameter, match=r"target must be in \(0, 1\); got 1"):
        required_error_rate(0.1, target=1.0)
    with pytest.raises(InvalidParameter, match="tests must be > 0; got 0"):
        required_error_rate(0.1, tests=0)
    with pytest.raises(InvalidParameter, match=r"positives must be a whole number >= 0; got 1.5"):
        SIGNATURES.after(1.5)
    with pytest.raises(InvalidParameter, match="negatives must be >= 0; got -1"):
        SIGNATURES.after(1, -1)
    with pytest.raises(InvalidParameter, match="batch shapes that broadcast"):
        detector([0.9, 0.8], [0.9, 0.8, 0.7], 0.1)
    assert np.isscalar(SIGNATURES.after(2))
    assert "posterior_positive" in SIGNATURES._repr_html_()
