"""Shares of losses add up, and the toy set of the text's point."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.distributions import Normal
from suffice.evaluation import LOSSES, loss_shares
from suffice.linear import LeastAbsoluteDeviations, LinearRegression


def test_shares_are_losses_over_their_sum_in_any_units():
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=(2, 20))
    for unit in (1.0, 1e150, 1e-150):
        found = loss_shares(y * unit, p * unit)
        np.testing.assert_allclose(found.shares, (y - p) ** 2 / np.sum((y - p) ** 2), rtol=1e-12)
    np.testing.assert_allclose(loss_shares(y, p, "absolute").losses, np.abs(y - p))
    assert loss_shares(y, p, LOSSES["absolute"]) == loss_shares(y, p, "absolute")
    assert loss_shares(y, y + 1).effective_rows == pytest.approx(20)
    frame = found.frame()
    assert list(frame.row) == list(found.order)
    assert np.all(np.diff(frame.share) <= 0)


def test_one_far_row_has_most_of_the_squared_loss_and_turns_the_line():
    """DTU Fig. 7.9 on its toy set: y = 1 − 0.1 x on x = 0 … 9 with the last one moved to 6."""
    x = np.arange(10.0)[:, None]
    y = 1 - 0.1 * x[:, 0]
    y[9] = 6
    squares, deviations = LinearRegression().fit(x, y), LeastAbsoluteDeviations().fit(x, y)
    np.testing.assert_allclose(squares.coef_, 0.2218, atol=5e-5)
    np.testing.assert_allclose(deviations.coef_, -0.1, atol=1e-8)
    by_squares = loss_shares(y, squares.predict(x))
    by_deviations = loss_shares(y, deviations.predict(x), "absolute")
    assert by_squares.order[0] == by_deviations.order[0] == 9
    assert by_squares.shares[9] > 0.6
    np.testing.assert_allclose(by_deviations.shares[9], 1, atol=1e-6)


def test_distributions_are_judged_by_their_logs():
    y = np.array([0.0, 1.0, 3.0])
    found = loss_shares(y, Normal(np.zeros(3), np.ones(3)), "log")
    losses = y**2 / 2 + 0.5 * np.log(2 * np.pi)
    np.testing.assert_allclose(found.shares, losses / losses.sum(), rtol=1e-12)


def test_what_has_no_shares_is_refused():
    with pytest.raises(
        InvalidParameter, match="loss must be one of 'squared', 'absolute', .*; got 'log density'"
    ):
        loss_shares([1.0], [1.0], "log density")
    with pytest.raises(InvalidParameter, match="prediction must be made of numbers"):
        loss_shares([1.0, 2.0], ["a", "b"])
    with pytest.raises(InvalidInput, match="got 2 and 1"):
        loss_shares([1.0, 2.0], [1.0])
    with pytest.raises(InvalidInput, match="The loss of row 1 is nan"):
        loss_shares([1.0, np.nan], [1.0, 1.0])
    with pytest.raises(InvalidInput, match="All losses are zero"):
        loss_shares([1.0, 2.0], [1.0, 2.0])
    with pytest.raises(InvalidInput, match="shares need losses that are not negative"):
        loss_shares(np.zeros(2), Normal(np.zeros(2), np.full(2, 1e-3)), "log")
