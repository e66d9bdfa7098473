"""Numbers as the report prints them."""

import pytest

from suffice.study.numbers import number, percent, span


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (0.0, "0"),
        (1896.0, "1896"),
        (1952.4321, "1952"),
        (-0.013334, "−0.01333"),
        (1234567.0, "1\u202f234\u202f567"),
        (7.4424e-16, "7.442 × 10⁻¹⁶"),
        (-2.5e9, "−2.500 × 10⁹"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


def test_intervals_and_shares():
    assert span((0.04121, 0.08361)) == "0.0412 to 0.0836"
    assert span(None) == "–"
    assert percent(0.957, 1) == "95.7\u202f%"
    assert percent(None) == "–"
