"""What a loaded file is asked, and what came of it: an answer, a refusal in our words, or a finding."""

from __future__ import annotations

import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

import suffice
from suffice._core.errors import SufficeError

SECONDS, MEMORY = 2.0, 64 << 20
FINDINGS = ("crash", "NaN", "slow", "large")


@dataclass(frozen=True)
class Outcome:
    """`refused`, `answered`, or one of FINDINGS, with words."""

    kind: str
    words: str = ""


def outcome_of(path: Path, rows: Any, good: Any) -> Outcome:
    """Load a file and ask it everything that its kind of object can be asked."""
    begun = time.process_time()
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            size, (value, refusal) = _measured(lambda: _loaded(path))
            answers = {} if refusal else dict(_answers(value, rows, good))
    except Exception as error:
        return Outcome("crash", f"{type(error).__name__}: {error!s:.160} at {_where(error)}")
    if size > MEMORY + path.stat().st_size:
        return Outcome("large", f"{size >> 20} MB")
    if time.process_time() - begun > SECONDS:
        return Outcome("slow", f"{time.process_time() - begun:.1f} s")
    if refusal:
        return Outcome("refused", refusal)
    silent = [] if said else [q for q, a in answers.items() if _has_nan(a)]
    return Outcome("NaN", ", ".join(silent)) if silent else Outcome("answered")


def _measured(action: Callable[[], Any]) -> tuple[int, Any]:
    """What an action takes at most, and what it gives."""
    tracemalloc.start()
    try:
        given = action()
        return tracemalloc.get_traced_memory()[1], given
    finally:
        tracemalloc.stop()


def _loaded(path: Path) -> tuple[Any, str]:
    try:
        return suffice.load(path), ""
    except SufficeError as error:
        return None, f"{error!s:.200}"


def _answers(value: Any, rows: Any, good: Any) -> Iterator[tuple[str, Any]]:
    for name, ask in _questions(value, rows, good):
        try:
            yield name, ask()
        except (SufficeError, NotFittedError):
            continue
        except ValueError as error:  # scikit-learn's words for a table of other columns
            if not any(words in str(error) for words in ("features", "feature names", "convert string")):
                raise


def _questions(value: Any, rows: Any, good: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "repr", lambda: repr(value)
    yield "merge", lambda: _numbers_of(suffice.merge([value, good]))
    yield "merge alone", lambda: _predictions(suffice.merge([value]), rows)
    for name in ("predict", "predict_proba", "decision_function", "transform", "score_samples"):
        if rows is not None and hasattr(value, name) and (name != "predict_proba" or _has_classes(value)):
            yield name, lambda name=name: _dense(getattr(value, name)(rows))
    if rows is not None and hasattr(value, "predict_dist"):
        yield "predict_dist", lambda: _moments(value.predict_dist(rows))
    for one in value if isinstance(value, list | tuple) else [value]:
        if hasattr(one, "log_prob") and hasattr(one, "entropy"):
            yield "density", lambda one=one: _moments(one)


def _predictions(model: Any, rows: Any) -> Any:
    return (
        _dense(model.predict(rows)) if rows is not None and hasattr(model, "predict") else _numbers_of(model)
    )


def _numbers_of(value: Any) -> np.ndarray:
    return np.atleast_1d(np.asarray(getattr(value, "coef_", 0.0), dtype=float))


def _dense(a: Any) -> np.ndarray:
    return np.asarray(a.toarray() if hasattr(a, "toarray") else a)


def _moments(d: Any) -> np.ndarray:
    if hasattr(d, "probabilities"):
        return np.asarray(d.probabilities)
    if hasattr(d, "quantile"):
        return np.ravel(d.quantile(0.3))  # moments of heavy tails may not exist
    return np.ravel(d.mean)


def _has_classes(value: Any) -> bool:
    return getattr(value, "classes_", getattr(value, "classes", None)) is not None


def _has_nan(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.dtype.kind == "f" and bool(np.isnan(a).any())


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    inside = ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "suffice" in name and "tests" not in name:
            inside = f"{name.rpartition('suffice/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return inside
