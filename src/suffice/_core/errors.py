"""The one exception tree. Each error also inherits the builtin that callers expect.

SufficeError
├── InvalidInput          (ValueError)   data that cannot be used: shape, NaN, weights, names
│   ├── TooFewRows                       fewer rows, groups or rows of a class than a split needs
│   ├── NotFinite                        NaN, infinity or overflow showed up in a statistic
│   ├── HeaderMismatch                   two statistics, or a model and a table, do not belong together
│   └── UnreadableSource                 a file that is missing, corrupt, or unlike the others
├── InvalidParameter      (ValueError)   a hyper-parameter or argument outside its domain
├── Unsupported           (TypeError, NotImplementedError)  the thing exists, but not for this kind of object
├── NumericalError        (ArithmeticError)  a matrix is singular, a downdate impossible
├── NotPositiveDefinite   (NumericalError)   carries the smallest eigenvalue
├── TooLarge              (MemoryError)  what would not fit into memory, said before it starts
├── WorkerDied            (RuntimeError) worker processes died again and again
├── MissingExtra          (ImportError)  an optional dependency is not installed
└── UnsafeFile            (ValueError)   a model file that is broken, foreign or malicious

SufficeWarning            (UserWarning)
├── RankDeficient         columns that are constant or combinations of others
├── IllConditioned        the answer has lost digits
├── NotConverged          an iteration stopped at its limit
├── InaccurateIntegral    an integral whose estimated error is large, or that may not exist
├── Separated             a likelihood that has no maximum, for the targets are told apart without error
├── NotCounts             numbers that are not whole where counts are modelled
├── AtBound               an estimate lies on the edge of its allowed range
├── NoInformation         rows, cells or values that a model can say nothing about
├── Ignored               a parameter that another one leaves without effect
├── PartsSkipped          files that could not be read were left out, as asked
└── FitFailed             a fold or a candidate of a search could not be fitted; the others are kept
"""

import contextlib
import os
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np


class SufficeError(Exception):
    """Root of every error raised on purpose by this library."""


class InvalidInput(SufficeError, ValueError):
    """Data that cannot be used as given."""


class TooFewRows(InvalidInput):
    """Fewer rows, groups or rows of a class than a split needs."""


class NotFinite(InvalidInput):
    """NaN, infinity or overflow, seen in a statistic rather than in the rows."""


class HeaderMismatch(InvalidInput):
    """Statistics of different columns, bases or targets."""


class UnreadableSource(InvalidInput):
    """A file that is missing, corrupt, or unlike the others."""


class InvalidParameter(SufficeError, ValueError):
    """A parameter outside its domain."""


class Unsupported(SufficeError, TypeError, NotImplementedError):
    """Not defined for this kind of object."""


class NumericalError(SufficeError, ArithmeticError):
    """A computation that cannot give a trustworthy number."""


class NotPositiveDefinite(NumericalError, ValueError):
    """A matrix that should be positive definite and is not."""


class TooLarge(SufficeError, MemoryError):
    """A computation that needs more memory than there is."""


class WorkerDied(SufficeError, RuntimeError):
    """Worker processes died more often than they are replaced."""


class MissingExtra(SufficeError, ImportError):
    """An optional dependency is missing."""


class UnsafeFile(SufficeError, ValueError):
    """A model file that must not be loaded."""


class SufficeWarning(UserWarning):
    """Root of every warning of this library."""


class RankDeficient(SufficeWarning):
    """Some columns carry no information of their own."""


class IllConditioned(SufficeWarning):
    """Digits have been lost."""


class NotConverged(SufficeWarning):
    """An iteration reached its limit."""


class InaccurateIntegral(SufficeWarning):
    """An integral that may be off, or may not exist."""


class Separated(SufficeWarning):
    """The likelihood grows without end."""


class NotCounts(SufficeWarning):
    """Fractions in place of counts."""


class AtBound(SufficeWarning):
    """An estimate lies on the edge of its range."""


class NoInformation(SufficeWarning):
    """Something in the data that a model can say nothing about."""


class Ignored(SufficeWarning):
    """A parameter was given that another one leaves without effect."""


class PartsSkipped(SufficeWarning):
    """Unreadable files were left out, as asked."""


class FitFailed(SufficeWarning):
    """One fit among several did not work."""


_INSIDE = (os.path.dirname(os.path.dirname(__file__)) + os.sep, contextlib.__file__)


class _Held(threading.local):
    """Warnings of a worker thread, kept until the thread that called can show them."""

    messages: list[tuple[str, type[SufficeWarning]]] | None = None


_held = _Held()


@contextlib.contextmanager
def hold_warnings() -> Iterator[list[tuple[str, type[SufficeWarning]]]]:
    """Collect this thread's warnings instead of showing them where nobody called."""
    before, _held.messages = _held.messages, []
    try:
        yield _held.messages
    finally:
        _held.messages = before


def endless(warned: Iterable[tuple[str, type[SufficeWarning]]]) -> bool:
    """Whether warnings that were held tell of a fit that did not converge.

    Where such a fit stops depends on where it began: one that begins at the fit to all rows has seen the test rows.
    """
    return any(issubclass(category, Separated | NotConverged) for _, category in warned)


def warn(message: str, category: type[SufficeWarning]) -> None:
    """Warn at the caller's line: the first frame outside this package."""
    if _held.messages is not None:
        _held.messages.append((message, category))
        return
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        frame = frame.f_back
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    module = frame.f_globals.get("__name__", "suffice")
    warnings.warn_explicit(message, category, frame.f_code.co_filename, frame.f_lineno, module, registry)


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """The known names nearest to one that is not known; all of them if none is near."""
    lower = {k.lower(): k for k in known}
    near = [lower[n] for n in get_close_matches(name.lower(), lower, n=3, cutoff=0.5)]
    if near:
        return f" Did you mean {' or '.join(map(repr, near))}?"
    more = f" and {len(known) - 12} more" if len(known) > 12 else ""
    return f" There are: {', '.join(map(repr, known[:12]))}{more}."


def check_choice(name: str, value: object, choices: tuple) -> None:
    """Raise the library's one sentence for a value that is not among `choices`."""
    if value not in choices:
        options = ", ".join(repr(c) for c in choices)
        raise InvalidParameter(f"{name} must be one of {options}; got {value!r}.")


def check_number(name: str, value: object, *, low: float = -float("inf"), strict: bool = False) -> float:
    """`value` as a float, or the library's one sentence for a number outside its domain."""
    import numbers

    domain = "a finite number" if low == -float("inf") else f"a number {'>' if strict else '>='} {low:g}"
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InvalidParameter(f"{name} must be {domain}; got {value!r}.")
    number = float(value)
    if not (low < number < float("inf")) and not (number == low and not strict):
        raise InvalidParameter(f"{name} must be {domain}; got {value!r}.")
    return number


def check_integer(name: str, value: object, low: int) -> int:
    """`value` as an integer, or the library's one sentence for one outside its domain."""
    import numbers

    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral) or value < low:
        raise InvalidParameter(f"{name} must be an integer >= {low}; got {value!r}.")
    return int(value)


def check_function(name: str, value: object) -> None:
    """Raise unless the value can be called."""
    if not callable(value):
        raise InvalidParameter(f"{name} must be a function; got {value!r:.80}.")


def check_flags(owner: Any, *names: str) -> None:
    """Raise unless these attributes are booleans: the string "no" must not mean yes."""
    for name in names:
        check_flag(name, getattr(owner, name))


def check_flag(name: str, value: object) -> None:
    """Raise unless the value is a boolean."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidParameter(f"{name} must be True or False; got {value!r}.")


def check_fraction(name: str, value: object) -> float:
    """`value` as a float strictly between 0 and 1."""
    number = check_number(name, value, low=0, strict=True)
    if number >= 1:
        raise InvalidParameter(f"{name} must lie between 0 and 1; got {value!r}.")
    return number


def as_numbers(name: str, value: Any) -> np.ndarray:
    """`value` as a float64 array, or an error that names the parameter."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iuf" and not (array.dtype == object and array.size):
            raise TypeError
        return array.astype(float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"{name} must be made of numbers; got {value!r}.") from None
