"""The driver of EM: when it stops, what it returns, and how it is taken up again."""

from __future__ import annotations

import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from suffice._core.errors import HeaderMismatch, InvalidParameter, NotConverged, NumericalError
from suffice.inference import em

HEADS, TOSSES = np.array([5, 9, 8, 4, 7]), 10


def expect(p):
    joint = 0.5 * p ** HEADS[:, None] * (1 - p) ** (TOSSES - HEADS[:, None])
    share = joint / joint.sum(axis=1, keepdims=True)
    return SimpleNamespace(share=share, objective=np.log(joint.sum(axis=1)).sum(), n=len(HEADS))


def maximize(s):
    return (HEADS @ s.share) / (TOSSES * s.share.sum(axis=0))


START = np.array([0.6, 0.5])


def test_the_objective_never_falls_and_the_last_belongs_to_the_parameters():
    result = em(START, expect, maximize, tol=1e-12, max_iter=1000)
    objective = result.trace.objective
    assert result.trace.converged
    assert np.all(np.diff(objective) >= 0)
    assert objective[-1] == expect(result.params).objective == result.statistics.objective
    assert np.array_equal(result.statistics.share, expect(result.params).share)


@pytest.mark.slow
def test_the_end_is_a_stationary_point():
    """The gradient of the likelihood by central differences."""
    p = em(START, expect, maximize, tol=1e-15, max_iter=10_000).params
    h = 1e-5
    for step in np.eye(2) * h:
        slope = (expect(p + step).objective - expect(p - step).objective) / (2 * h)
        assert slope == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-8])
def test_it_stops_a_step_after_the_first_change_within_tol_per_row(tol):
    objective = em(START, expect, maximize, tol=tol, max_iter=1000).trace.objective
    changes = np.diff(objective) / len(HEADS)
    assert np.all(changes[-2:] <= tol)
    assert np.all(changes[:-2] > tol)


@pytest.mark.parametrize("max_iter", [1, 2, 5])
def test_the_limit_counts_steps_and_warns(max_iter):
    passes = []
    with pytest.warns(
        NotConverged, match=f"after {max_iter} iterations; raise max_iter={max_iter}, or tol=0"
    ):
        result = em(START, lambda p: passes.append(p) or expect(p), maximize, tol=0, max_iter=max_iter)
    assert len(passes) == len(result.trace) == max_iter + 1
    assert not result.trace.converged
    assert np.array_equal(result.params, passes[-1])


def test_a_fixed_point_is_found_at_once():
    end = em(START, expect, maximize, tol=0, max_iter=10_000).params
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(em(end, expect, maximize, tol=1e-9, max_iter=2).trace) == 3


@pytest.mark.parametrize("after", [1, 2, 7])
def test_from_every_state_the_end_is_the_same(after):
    kept = []
    whole = em(START, expect, maximize, tol=1e-10, keep=kept.append)
    state = kept[after - 1]
    assert len(state.objective) == after
    again = em("not used", expect, maximize, tol=1e-10, state=state)
    assert again.params.tobytes() == whole.params.tobytes()
    assert again.trace == whole.trace


def test_a_longer_limit_goes_on_where_the_shorter_one_stopped():
    kept = []
    with pytest.warns(NotConverged, match="after 4 iterations"):
        em(START, expect, maximize, tol=1e-10, max_iter=4, keep=kept.append)
    again = em(START, expect, maximize, tol=1e-10, state=kept[-1])
    whole = em(START, expect, maximize, tol=1e-10)
    assert again.trace == whole.trace
    assert len(kept) == 4  # the last pass changed nothing that would have to be kept


def test_other_rows_are_refused():
    kept = []
    em(START, expect, maximize, keep=kept.append)

    def fewer(p):
        return SimpleNamespace(**{**vars(expect(p)), "n": 4})

    with pytest.raises(HeaderMismatch, match="counted 5 rows; here are 4"):
        em(START, fewer, maximize, state=kept[0])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_an_objective_that_is_not_finite_stops_at_once(bad):
    passes = []

    def broken(p):
        passes.append(p)
        s = expect(p)
        return s if len(passes) < 3 else SimpleNamespace(share=s.share, objective=bad, n=s.n)

    with pytest.raises(NumericalError, match=f"objective is {bad:g} in iteration 2"):
        em(START, broken, maximize, tol=0)
    assert len(passes) == 3


@pytest.mark.parametrize("bad", [-1, 1.5, True, "10", np.nan])
def test_bad_limits(bad):
    with pytest.raises(InvalidParameter, match="max_iter must be an integer >= 0"):
        em(START, expect, maximize, max_iter=bad)


@pytest.mark.parametrize("bad", [-1e-9, np.nan, np.inf, "small", None])
def test_bad_tolerances(bad):
    with pytest.raises(InvalidParameter, match="tol must be a number >= 0"):
        em(START, expect, maximize, tol=bad)


def test_numpy_integers_are_integers():
    with pytest.warns(NotConverged, match="after 2 iterations"):
        em(START, expect, maximize, max_iter=np.int64(2), tol=0)


def test_without_steps_the_start_is_judged():
    result = em(START, expect, maximize, max_iter=0)
    assert result.params is START
    assert result.trace.objective.tolist() == [expect(START).objective]
    assert not result.trace.converged


def test_what_is_noted_stands_beside_the_objective_also_after_a_break():
    kept = []

    def noted(s):
        return {"first share": s.share[0, 0]}

    whole = em(START, expect, maximize, tol=1e-10, noted=noted, keep=kept.append)
    assert whole.trace.columns["first share"][-1] == expect(whole.params).share[0, 0]
    again = em(None, expect, maximize, tol=1e-10, noted=noted, state=kept[3])
    assert again.trace == whole.trace
    assert list(whole.trace.frame().columns) == ["iteration", "objective", "first share"]


@pytest.mark.parametrize("fall", [1e-3, 1e-6])
def test_a_fall_is_recorded_and_is_no_end(fall):
    """An objective that goes down by less than tol, later up: the steps before count on."""
    heights = [0.0, 10.0, 10.0 - fall, 10.5, 10.5, 10.5]

    def seen(step):
        return SimpleNamespace(objective=heights[step], n=1, step=step)

    result = em(0, seen, lambda s: s.step + 1, tol=0.01)
    assert result.trace.objective.tolist() == heights
    assert result.trace.converged
    assert result.trace.falls().tolist() == [2]


def test_a_fall_in_the_last_step_is_no_end():
    heights = [0.0, 10.0, 10.001, 9.9, 10.0, 10.001, 10.002]

    def seen(step):
        return SimpleNamespace(objective=heights[step], n=1, step=step)

    assert em(0, seen, lambda s: s.step + 1, tol=0.01).trace.objective.tolist() == heights


def test_an_iteration_in_several_runs_ends_like_one():
    """One step per run; each is told what the step before began with."""
    whole = em(START, expect, maximize, tol=1e-4, max_iter=1000).trace
    params, before, runs = START, -np.inf, []
    while True:
        run = em(params, expect, maximize, tol=1e-4, max_iter=1, before=before, quiet=True)
        runs.append(run.trace.objective[0])
        params, before = run.params, run.trace.objective[0] / len(HEADS)
        if run.trace.converged:
            break
    np.testing.assert_allclose([*runs, run.trace.objective[-1]], whole.objective, rtol=1e-12)


def test_rounding_is_no_fall():
    heights = [0.0, 10.0, 10.0 - 1e-10, 10.0 - 2e-10]
    result = em(
        0,
        lambda i: SimpleNamespace(objective=heights[i], n=1, step=i),
        lambda s: s.step + 1,
        tol=0.01,
    )
    assert result.trace.converged
    assert not len(result.trace.falls())


def test_a_quiet_end_is_told_by_the_trace():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not em(START, expect, maximize, tol=0, max_iter=2, quiet=True).trace.converged
