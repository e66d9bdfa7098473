"""Fit a model to any source: one pass for models with statistics, several for models that iterate."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.losses import is_density
from suffice._core.records import record
from suffice.engine.checkpoints import Checkpoint, Kept
from suffice.engine.opening import Entering, Gathering, Opened, Planning, open_source
from suffice.engine.protocols import FitsByPasses, FromStatistics, Iterates, ShowsProgress
from suffice.engine.same_rows import PassResult, RowsFingerprint, SameRows
from suffice.engine.sampling import ENOUGH, Sampling
from suffice.inference import Iteration, em
from suffice.statistics import Frame

NEAR = 10.0  # units of a frame

M = TypeVar("M")


def fit(
    model: M,
    source: Any,
    target: Any = None,
    columns: Any = None,
    *,
    weight: str | None = None,
    categories: Any = None,
    where: Any = None,
    executor: Any = None,
    corrupt: str = "raise",
    resume: Any = None,
) -> M:
    """Fit to arrays, tables, files, streams or a cluster, batch by batch; returns the model.

    Batches are read and forgotten, so the source may be larger than memory, and the result does not depend on the
    number of workers. What must be known before the first row is counted (columns, classes) is taken from the first
    batch; later batches must agree with it. A basis that takes centers or knots from the rows must be fixed before.

    Parameters
    ----------
    model
        A model fitted from statistics, or one that iterates over the rows.
    source
        A pair (X, y) or triple (X, y, weight) of arrays or Dask arrays; a table; a path, pattern or list of files
        (CSV, Parquet, Arrow, JSON lines, Excel, SQLite, DuckDB; `file.db::table`); an Arrow dataset,
        LazyFrame, DuckDB relation, Dask dataframe; an iterator of pairs or tables.
    target
        The column to predict, or several; for sources with column names.
    columns
        Input columns; all others by default. Or `Columns`, which says everything below as well.
    weight
        The column that says how often a row counts.
    categories
        Columns of categories: a mapping from their names to the categories, or names alone, which takes one more
        pass. A column becomes 0/1 columns for all categories but the first.
    where
        Conditions that rows must fulfil, as (column, operator, value).
    executor
        "threads", "serial", "processes", `Processes(n)`, or a Dask client. By default threads, and the cluster of
        the current client for Dask collections.
    corrupt
        "raise", or "skip" to leave out files that cannot be read, with a warning that counts them.
    resume
        For models that iterate: a file for checkpoints. If it exists, the fit goes on from there.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import engine
    >>> from suffice.linear import LinearRegression
    >>> rng = np.random.default_rng(0)
    >>> def batches():
    ...     for _ in range(100):
    ...         X = rng.standard_normal((1000, 2))
    ...         yield X, X @ [1.0, 2.0] + 3.0
    >>> engine.fit(LinearRegression(), batches()).coef_.round(6)
    array([1., 2.])
    """
    named = {"weight": weight, "categories": categories, "where": where}
    by_passes = isinstance(model, FitsByPasses)
    iterative = by_passes or isinstance(model, Iterates)
    if not iterative and not isinstance(model, FromStatistics):
        raise Unsupported(
            f"{type(model).__name__} is fitted neither from statistics nor by passes over rows; call its fit."
        )
    if target is not None and is_density(model):
        raise InvalidParameter(
            f"{type(model).__name__} is a density of rows and predicts no target; got target={target!r}. Leave it out; "
            "columns= says which columns count."
        )
    if resume is not None and (by_passes or not iterative):
        why = "needs a handful of passes" if by_passes else "reads the source once"
        raise InvalidParameter(f"resume is for models that iterate long; {type(model).__name__} {why}.")
    asked = (target, columns, executor, *named.values())
    if _in_memory(source) and not iterative and all(value is None for value in asked):
        return reported(model, lambda tick: model.solve(model.collect(*source)), 0)  # type: ignore[attr-defined]
    if getattr(model, "state_needs_data", False):
        raise Unsupported(
            f"{type(model).__name__} takes centers or knots from the rows, and of this source it would see the first "
            "batch alone. Fix them: basis=basis.resolve(X) with a sample X of the rows."
        )
    opened = open_source(source, target, columns, **named, executor=executor, corrupt=corrupt)
    if by_passes:
        return _fitted_by_passes(model, opened)
    if iterative:
        return _iterated(model, opened, resume)
    solve: Any = model.solve  # type: ignore[attr-defined]
    return reported(model, lambda tick: solve(gathered(model, opened, tick)), opened.source.n_parts)


def _in_memory(source: Any) -> bool:
    if not isinstance(source, tuple):
        return False
    elsewhere = (type(a).__module__.startswith("dask") or isinstance(a, str | os.PathLike) for a in source)
    return not any(elsewhere)


def gathered(model: Any, opened: Opened, tick: Callable[[], None]) -> Any:
    """The statistics of a source."""
    with opened.executor:
        plan, opened = opened.first(Planning(Entering.of(model, opened.columns)))
        return opened.sum(Gathering(Entering.of(model, opened.columns, plan)), tick)


def reported(model: Any, work: Callable[[Callable[[], None]], Any], steps: int | None) -> Any:
    """Tells the model's callbacks about every part that is done."""
    return model.reported(work, steps) if isinstance(model, ShowsProgress) else work(lambda: None)


# -- passes again and again -----------------------------------------------------------------------------------
@record
class Beginning:
    """The plan of the first batch, and the parameters to begin with."""

    enter: Entering

    def __call__(self, batch: Any, file: int, start: int) -> Any:
        opened = self.enter(batch, self.enter.rows(batch, file, start), start=start)
        return None if opened is None else (opened[1], self.enter.model.begin(opened[0][:ENOUGH], opened[1]))


@record
class Expecting:
    """Statistics of a batch under some parameters, and which rows they are of."""

    enter: Entering
    params: Any

    def __call__(self, batch: Any, file: int, start: int) -> Any:
        opened = self.enter(batch, self.enter.rows(batch, file, start), start=start)
        if opened is None:
            return None
        return PassResult(self.enter.model.expect(*opened, self.params), RowsFingerprint.of(opened[0]))


@record
class Surveying:
    """What a batch says about all rows, seen by itself."""

    enter: Entering

    def __call__(self, batch: Any, file: int, start: int) -> Any:
        opened = self.enter(batch, self.enter.rows(batch, file, start), start=start)
        return None if opened is None else self.enter.model.survey(*opened)


def need_again(model: Any, opened: Opened) -> None:
    if not opened.source.again:
        raise InvalidParameter(
            f"{type(model).__name__} passes over the rows many times, and this source can be read once; give a list "
            "of batches, an object that can be iterated again, or files."
        )


def _fitted_by_passes(model: Any, opened: Opened) -> Any:
    need_again(model, opened)
    with opened.executor:  # workers stay for all passes
        return reported(model, lambda tick: fitted_by_passes(model, opened, tick), None)


def fitted_by_passes(
    model: Any, opened: Opened, tick: Callable[[], None], leave: Any = None, near: Any = None
) -> Any:
    """The model fitted by passes over a source, without the rows that are left out.

    `near`, a model fitted to all of them, has the plan, and the search begins where it ended.
    """
    if near is None or near.plan_.layout.frame is not None:
        plan, opened = opened.first(Planning(Entering.of(model, opened.columns, leave=leave)))
        near = None if near is None or _apart(near.plan_.layout.frame, plan.layout.frame) else near
    plan = plan if near is None else near.plan_
    if model.needs_survey:
        survey = opened.sum(Surveying(Entering.of(model, opened.columns, leave=leave)))
        plan = model.with_survey(plan, survey)
    enter = Entering.of(model, opened.columns, plan, leave)
    start = None if near is None else near.start_for(plan)
    if start is None:
        (_, start), opened = opened.first(Beginning(enter))
    same = SameRows()
    return model.fit_by_passes(plan, start, lambda at: same.of(opened.sum(Expecting(enter, at))), tick)


def _apart(a: Frame, b: Frame) -> bool:
    """Whether powers about one origin, in one unit, lose digits where rows suit another: a wild row was left out."""
    return bool(np.any(np.abs(a.center - b.center) > NEAR * b.scale) or np.any(a.scale > NEAR * b.scale))


def _iterated(model: Any, opened: Opened, resume: Any) -> Any:
    need_again(model, opened)
    checkpoint = None if resume is None else Checkpoint.of(resume, model, opened)
    kept = None if checkpoint is None else checkpoint.read()
    with opened.executor:  # workers stay for all passes
        return reported(
            model,
            lambda tick: iterated(model, opened, tick, kept=kept, checkpoint=checkpoint),
            model.max_iter,
        )


def iterated(
    model: Any,
    opened: Opened,
    tick: Callable[[], None],
    leave: Any = None,
    kept: Kept | None = None,
    checkpoint: Checkpoint | None = None,
) -> Any:
    """The model fitted by expectation–maximization over a source, without the rows that are left out."""
    plan, opened = opened.first(Planning(Entering.of(model, opened.columns, leave=leave)))
    enter = Entering.of(model, opened.columns, plan, leave)
    start, same = None, SameRows()
    if kept is None:
        sample = opened.sum(Sampling(enter))
        start = model.begin(sample.rows, plan, sample.whole)

    def expect(params: Any) -> Any:
        seen = opened.sum(Expecting(enter, params))
        if kept is not None:
            kept.check(seen.rows)
        tick()
        return model.completed(same.of(seen), params)

    def keep(state: Iteration) -> None:
        if checkpoint is not None:
            checkpoint.write(state, same.known)

    result = em(
        start,
        expect,
        model.maximize,
        tol=model.tol,
        max_iter=model.max_iter,
        state=None if kept is None else kept.state,
        keep=keep,
        noted=model.noted,
        before=model.before,
        quiet=True,
    )
    return model.conclude(result.params, result.statistics, result.trace)
