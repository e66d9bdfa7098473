"""Numbers as the report prints them."""

import pytest

from suffice.study.numbers import code, number, percent, span


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (0.0, "0"),
        (1896.0, "1896"),
        (1952.4321, "1952"),
        (-0.013334, "−0.01333"),
        (2760.0, "2760"),
        (20190.0, "20,190"),
        (-20190.4, "−20,190"),
        (9999.7, "10,000"),
        (9.99996, "10.00"),
        (1234567.0, "1,234,567"),
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


def test_identifiers_have_no_commas():
    assert code(90210.0) == "90210"
    assert code(-90210.0) == "−90210"
    assert code(0.25) == "0.2500"
    assert code(None) == "–"
