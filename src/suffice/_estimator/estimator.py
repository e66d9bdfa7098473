"""What every estimator shares: nested frozen parameters, a readable HTML repr, and the door.

The door validates once. Below it, functions get arrays of known shape and check nothing.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from suffice._core.errors import (
    InvalidInput,
    InvalidParameter,
    SufficeError,
    hold_warnings,
    warn,
)
from suffice._core.frames import Columnar, NamedArray
from suffice._core.numerics import first_nonfinite
from suffice._core.params import Parametric
from suffice._core.table_checks import validate_data
from suffice._estimator.progress import CallbackSupportMixin, with_callbacks
from suffice.engine import parallel
from suffice.engine.reduce import CHUNK
from suffice.statistics import Header
from suffice.tables.requiring import first_not_a_number, same_names

FEW_CELLS = 1 << 21
T = TypeVar("T")


@cache
def _parameter_names(cls: type[BaseEstimator]) -> tuple[str, ...]:
    return tuple(super(Estimator, cls)._get_param_names())


@dataclasses.dataclass(eq=False, repr=False)
class Estimator(CallbackSupportMixin, BaseEstimator):
    """scikit-learn's contract, with frozen values as nested parameters and callbacks."""

    n_features_in_: int = dataclasses.field(init=False)
    feature_names_in_: np.ndarray = dataclasses.field(init=False)

    _input_tags: ClassVar[tuple[str, ...]] = ()  # what X may be, in the words of scikit-learn's `InputTags`

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """scikit-learn's list, read off the signature once: every clone asks for it."""
        return list(_parameter_names(cls))  # type: ignore[arg-type]  # classes do have a hash

    def set_params(self, **params: Any) -> Self:
        """As scikit-learn's; a frozen value such as a basis is replaced, not changed."""
        nested: dict[str, dict[str, Any]] = {}
        own = self.get_params(deep=False)
        for name in list(params):
            head, _, tail = name.partition("__")
            if tail and isinstance(params.get(head, own.get(head)), Parametric):
                nested.setdefault(head, {})[tail] = params.pop(name)
            elif tail and head in own and params.get(head, own[head]) is None:
                raise InvalidParameter(
                    f"{name!r} reaches inside {head}, which is None; give {head} a value first."
                )
        super().set_params(**params)
        for head, inner in nested.items():
            setattr(self, head, getattr(self, head).replaced(**inner))
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Every fit ends with the columns that it was given."""
        return "n_features_in_" in self.__dict__

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        for name in self._input_tags:
            setattr(tags.input_tags, name, True)
        return tags

    def __dir__(self) -> list[str]:
        """What can be asked for: one that raises is left out, as scikit-learn does, whatever it raises."""
        return [name for name in object.__dir__(self) if self._answers(name)]

    def _answers(self, name: str) -> bool:
        try:
            return hasattr(self, name)
        except (SufficeError, NotFittedError):
            return False

    def fitted(self) -> dict[str, Any]:
        """Fitted attributes by name: the fields that are not parameters and have a value."""
        names = [f.name for f in dataclasses.fields(self) if not f.init]
        return {n: self.__dict__[n] for n in names if n in self.__dict__}

    # -- progress ---------------------------------------------------------------------------------
    def reported(self, work: Callable[[Callable[[], None]], T], steps: int | None = 0) -> T:
        """`work(tick)` as one task of `steps` subtasks (None: unknown), each announced by `tick()`."""
        if not getattr(self, "_skl_callbacks", None):
            return work(_quiet)
        with hold_warnings() as held:  # shown below, or they would point at scikit-learn's line
            result = self._announced(work, steps)
        for message in held:
            warn(*message)
        return result

    @with_callbacks
    def _announced(self, work: Callable[[Callable[[], None]], T], steps: int | None) -> T:
        context = self._init_callback_context(max_subtasks=steps)
        context.call_on_fit_task_begin(estimator=self)

        def tick() -> None:
            step = context.subcontext(task_name="part")
            step.call_on_fit_task_begin(estimator=self)
            step.call_on_fit_task_end(estimator=self)

        result = work(tick)
        context.call_on_fit_task_end(estimator=self)
        return result


def _quiet() -> None:
    pass


def open_table(
    estimator: Estimator,
    X: Any,
    y: Any = None,
    *,
    supervised: bool = True,
    like: Header | None = None,
    finite: bool = True,
    gaps: bool = False,
) -> tuple[Any, np.ndarray, Header]:
    """X (float32 or float64, maybe sparse), y as a matrix, and the header; the estimator is not written to.

    With `like`, the table must have the columns of an earlier one. `finite=False` leaves NaN in X to a
    statistic that would show it, and saves a pass over the rows; `gaps=True` takes NaN as a missing cell.
    """
    probe, given = copy.copy(estimator), None
    if like is not None:
        remember_columns(probe, like)
    if isinstance(X, NamedArray):
        given, X = X.names, _without_names(probe, X, None if like is None else like.features)
        if finite or like is None or y is None:
            X = np.asarray(X)
    options = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "ensure_all_finite": False}
    try:
        if isinstance(X, Columnar):  # numbers under known names; what else is wrong with them a sum will show
            y = validate_data(probe, y=y, multi_output=True, y_numeric=True)
        elif supervised:
            X, y = validate_data(
                probe, X, y, reset=like is None, multi_output=True, y_numeric=True, **options
            )
        else:
            X = validate_data(probe, X, reset=like is None, **options)
            y = np.zeros((X.shape[0], 0))
    except (TypeError, ValueError, np.exceptions.DTypePromotionError) as error:
        hint = _hint(X, y)
        if isinstance(error, TypeError) and not hint:
            raise
        if hint.startswith(" Column"):
            other = (
                ", or choose a model for mixed columns such as MixedNB" if is_classifier(estimator) else ""
            )
            raise InvalidInput(f"X must be a table of numbers.{hint[:-1]}{other}.") from error
        raise InvalidInput(f"{error}{hint}") from error
    if y.dtype.kind not in "iufb":
        raise InvalidInput(
            f"y must be numbers; got {str(y.flat[0])!r} at row 0. For labels, use a classifier."
        )
    _refuse_collapsed(y)
    names = like.features if like is not None else getattr(probe, "feature_names_in_", given)
    features = None if names is None else tuple(map(str, names))
    header = Header(X.shape[1], features, None, None if y.ndim == 1 else y.shape[1])
    if finite:
        refuse_nonfinite("X", X, lambda: header.feature_names, gaps=gaps)
    return X, np.asarray(y, dtype=float).reshape(X.shape[0], -1), header


def _hint(X: Any, y: Any) -> str:
    """Where the trouble is, if it is text or a date in X or a gap in y; empty otherwise."""
    if y is not None:
        y = np.asarray(y)
        if y.dtype.kind in "OUS":
            return " y must be numbers; for labels, use a classifier."
        if y.dtype.kind == "f" and (place := first_nonfinite(y)):
            return f" It has {place}; remove such rows."
    return "" if sparse.issparse(X) else first_not_a_number(X)


def _refuse_collapsed(y: np.ndarray) -> None:
    """Raise for whole numbers that differ, and are all one number as float64: the fit would be to a constant."""
    if y.dtype.kind in "iu" and y.size and float(y.min()) == float(y.max()) and y.min() != y.max():
        raise InvalidInput(
            f"y differs by less than float64 tells apart: it goes from {y.min()} to {y.max()}. Subtract {y.min()} "
            "first; if these are names rather than numbers, use a classifier."
        )


def remember_columns(estimator: Estimator, header: Header) -> None:
    """The attributes by which scikit-learn recognizes the columns of a fit."""
    estimator.n_features_in_ = header.n_features
    if header.features is not None:
        estimator.feature_names_in_ = np.array(header.features, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def _without_names(probe: Estimator, X: NamedArray, known: tuple[str, ...] | None) -> np.ndarray | Columnar:
    """The matrix, for an estimator that knows its columns by number; names must be those it was fitted with."""
    same_names(X.names, known)
    probe.__dict__.pop("feature_names_in_", None)
    return X.values


def open_inputs(estimator: Estimator, X: Any, *, gaps: bool = False) -> Any:
    """X for a prediction: the columns of the fit, finite; with `gaps`, NaN is a missing cell."""
    check_is_fitted(estimator)
    probe = estimator
    if isinstance(X, NamedArray):
        probe = copy.copy(estimator)
        known = getattr(estimator, "feature_names_in_", None)
        X = _without_names(probe, X, None if known is None else tuple(known))
    try:
        X = validate_data(
            probe,
            X,
            reset=False,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
        )
    except (TypeError, ValueError, np.exceptions.DTypePromotionError) as error:
        if hint := _hint(X, None):
            raise InvalidInput(f"X must be a table of numbers.{hint}") from error
        raise
    names = getattr(estimator, "feature_names_in_", None)

    def columns() -> tuple[str, ...]:
        return tuple(f"x{j}" for j in range(X.shape[1])) if names is None else tuple(map(str, names))

    refuse_nonfinite("X", X, columns, gaps=gaps)
    return X


def refuse_nonfinite(
    name: str, values: Any, columns: Sequence[str] | Callable[[], Sequence[str]] = (), *, gaps: bool = False
) -> None:
    """Raise for NaN or infinity, naming the first row and column; with `gaps`, for infinity alone.

    Names of columns may be a function: a table of words has 50,000 of them, and they are asked for only here.
    """
    data = values.data if sparse.issparse(values) else values
    few = data.size <= FEW_CELLS  # threads would take longer to start
    if (
        _all_finite(data)
        if few
        else all(parallel(lambda a: _all_finite(data[a : a + CHUNK]), range(0, len(data), CHUNK)))
    ):
        return
    if gaps and not np.isinf(data).any():
        return
    names = columns() if callable(columns) else columns
    place = first_nonfinite(_only(values, np.isinf if gaps else lambda cells: ~np.isfinite(cells)), names)
    raise InvalidInput(f"Input {name} contains {place}. Remove or impute such rows first.")


def _only(values: Any, wrong: Callable[[np.ndarray], np.ndarray]) -> Any:
    """The cells that are wrong, zeros elsewhere."""
    if not sparse.issparse(values):
        return np.where(wrong(values), values, 0.0)
    values = values.tocoo()
    keep = wrong(values.data)
    return sparse.coo_array((values.data[keep], (values.row[keep], values.col[keep])), shape=values.shape)


def _all_finite(values: np.ndarray) -> bool:
    """A finite sum has only finite terms; the converse needs a second look."""
    with np.errstate(all="ignore"):
        return bool(np.isfinite(np.sum(values)) or np.isfinite(values).all())


def check_weight(sample_weight: Any, X: Any) -> np.ndarray | None:
    """One finite, non-negative number per row, not all zero; None stays None."""
    if sample_weight is None:
        return None
    try:
        weight = np.asarray(sample_weight, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(f"sample_weight must be numbers; got {sample_weight!r:.80}.") from None
    n = X.shape[0]
    weight = np.full(n, weight) if weight.ndim == 0 else weight
    if weight.ndim != 1:
        raise InvalidInput(
            f"Sample weights must be 1D array or scalar: sample_weight must have shape ({n},); got {weight.shape}."
        )
    if weight.shape != (n,):
        raise InvalidInput(f"sample_weight must have shape ({n},), one entry per row; got {weight.shape}.")
    for bad, rule in ((~np.isfinite(weight), "finite"), (weight < 0, "zero or more")):
        if bad.any():
            row = int(np.argmax(bad))
            raise InvalidInput(f"sample_weight must be {rule}; got {weight[row]:g} at row {row}.")
    if not np.any(weight > 0):
        raise InvalidInput(f"sample_weight is zero for all {n} rows; at least one must count.")
    return weight


__all__ = [
    "Estimator",
    "check_is_fitted",
    "check_weight",
    "open_inputs",
    "open_table",
    "refuse_nonfinite",
    "remember_columns",
]
