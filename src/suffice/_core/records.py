"""Records: small immutable values, and the list of them that a model file may contain.

`@record` makes a frozen dataclass that compares and hashes by content (arrays included) and
remembers its public name. `estimator` classes register with `@storable`. Only what is
registered here is ever constructed by `suffice.load`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast, dataclass_transform

import numpy as np

from suffice._core.showing import InWords, Shown
from suffice._core.stored_names import STORED_AS

T = TypeVar("T", bound=type)
S = TypeVar("S")
R = TypeVar("R")
_STORABLE: dict[str, type] = {}


def public_name(cls: type) -> str:
    """`room.Class`: the name a model file uses, stable when a file inside a room moves or a class is renamed."""
    name = f"{cls.__module__.split('.')[1]}.{cls.__qualname__}"
    return STORED_AS.get(name, name)


def storable(cls: T) -> T:
    """Allow model files to contain this class."""
    _STORABLE[public_name(cls)] = cls
    return cls


def storable_class(name: str) -> type | None:
    """The registered class of that name, as it stands in files or in the code, if any."""
    return _STORABLE.get(STORED_AS.get(name, name))


@dataclass_transform(eq_default=False, field_specifiers=(dataclasses.field,))
def estimator(cls: T) -> T:
    """A dataclass that is compared by identity, shown as scikit-learn shows estimators, and may be saved."""
    made: Any = dataclasses.dataclass(eq=False, repr=False)(cls)
    return storable(made)


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type | None = None, *, repr: bool = False) -> Any:
    """A frozen dataclass that compares and hashes by content and may be saved.

    `repr=True` keeps the dataclass's own repr; otherwise the class may define one, or gets a short one.
    """

    def build(cls: type) -> type:
        own_repr = "__repr__" in cls.__dict__ or issubclass(cls, Shown | InWords)
        made: Any = dataclasses.dataclass(frozen=True, eq=False, repr=repr and not own_repr)(cls)
        if not repr and not own_repr:
            made.__repr__ = _short_repr
        for name, method in (("__eq__", _equal), ("__hash__", _hash)):
            if name not in cls.__dict__ or cls.__dict__[name] is None:
                setattr(made, name, method)
        return storable(made)

    return build if cls is None else build(cls)


def fields(value: Any) -> dict[str, Any]:
    """Init fields of a record, by name."""
    return {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}


def same_kind(operate: Callable[[S, S], R]) -> Callable[[S, S], R]:
    """An operation of two values of one kind; with anything else it is not implemented."""

    @wraps(operate)
    def checked(self: S, other: S) -> R:
        return operate(self, other) if isinstance(other, type(self)) else cast(R, NotImplemented)

    return checked


def same_columns(operate: Callable[[S, S], R]) -> Callable[[S, S], R]:
    """An operation of two statistics of one kind, whose headers must agree."""

    @same_kind
    @wraps(operate)
    def checked(self: S, other: S) -> R:
        cast(Any, self).header.check(cast(Any, other).header)
        return operate(self, other)

    return checked


def _equal(self: Any, other: object) -> bool:
    if self is other:
        return True
    if type(self) is not type(other):
        return NotImplemented
    mine, theirs = fields(self), fields(other)
    return all(same(mine[k], theirs[k]) for k in mine)


def _hash(self: Any) -> int:
    return hash((type(self).__qualname__, *(_key(v) for v in fields(self).values())))


def same(a: Any, b: Any) -> bool:
    """Equality by content, also for arrays and containers of them."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return (
            isinstance(a, np.ndarray)
            and isinstance(b, np.ndarray)
            and a.shape == b.shape
            and a.dtype == b.dtype
            and bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
        )
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if a is b or type(a) is not type(b):
        return a is b
    if hasattr(a, "equals"):  # frames and Arrow tables compare cell by cell
        return bool(a.equals(b))
    return bool(a == b) or (a != a and b != b)


def _key(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, tuple | list):
        return tuple(_key(v) for v in value)
    return value


def frozen_array(value: Any, dtype: Any = float) -> np.ndarray:
    """A read-only copy, so that a record cannot be changed through an alias."""
    out = np.array(value, dtype=dtype)
    out.setflags(write=False)
    return out


def _short_repr(self: Any) -> str:
    parts = ", ".join(f"{k}={short(v)}" for k, v in fields(self).items())
    return f"{type(self).__name__}({parts})"


def short(value: Any) -> str:
    """A repr of one value that never floods the screen."""
    if isinstance(value, np.ndarray):
        if value.ndim == 0:
            return f"{value[()]:.6g}" if value.dtype.kind == "f" else repr(value[()])
        if value.size <= 6 and value.ndim == 1:
            return np.array2string(value, precision=6, separator=", ")
        return f"<array {'×'.join(map(str, value.shape))}>"
    if isinstance(value, float):
        return f"{value:.6g}"
    return repr(value)
