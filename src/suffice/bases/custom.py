"""Any functions of the inputs (FCML §1.4, DTU eq. 8.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.records import record
from suffice.bases._base import Frameless


@record
class CustomBasis(Frameless):
    """One or more columns per function.

    Parameters
    ----------
    functions
        Each is called with the table (N, D) and returns one column (N,) or several (N, m). It must
        treat rows independently. Models with a custom basis cannot be saved: functions are code.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.bases import CustomBasis
    >>> CustomBasis([lambda X: X[:, 0], np.sin])([[0.0], [np.pi / 2]]).round(4)
    array([[0.    , 0.    ],
           [1.5708, 1.    ]])
    """

    functions: Sequence[Callable[[np.ndarray], np.ndarray]]
    widths: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        listed = isinstance(self.functions, Sequence)
        functions = tuple(self.functions) if listed else (self.functions,)
        if not functions or not all(callable(f) for f in functions):
            raise InvalidParameter(f"functions must be callables; got {self.functions!r}.")
        object.__setattr__(self, "functions", functions)

    @property
    def needs_data(self) -> bool:
        return False

    def resolve(self, X: np.ndarray) -> CustomBasis:
        return CustomBasis(self.functions, tuple(c.shape[1] for c in self._columns(X[:2])))

    def design(self, X: np.ndarray, frame: object) -> np.ndarray:
        return np.hstack(self._columns(X))

    def _columns(self, X: np.ndarray) -> list[np.ndarray]:
        out = []
        for f in self.functions:
            with np.errstate(all="ignore"):  # a non-finite value is reported by the model, by column
                values = np.asarray(f(X), dtype=float)
            if values.shape[:1] != X.shape[:1] or values.ndim not in (1, 2):
                raise InvalidInput(
                    f"Basis function {_name(f)} returned shape {values.shape} for {X.shape[0]} rows."
                )
            out.append(values[:, None] if values.ndim == 1 else values)
        return out

    def names(self, features: tuple[str, ...]) -> tuple[str, ...]:
        widths = self.widths or (1,) * len(self.functions)
        words = [_name(f) for f in self.functions]
        words = [f"f{i}" if w == "<lambda>" else w for i, w in enumerate(words)]
        return tuple(
            w if m == 1 else f"{w}[{i}]" for w, m in zip(words, widths, strict=True) for i in range(m)
        )

    def size(self, n_features: int) -> int:
        return sum(self.widths or (1,) * len(self.functions))

    def owners(self, n_features: int) -> tuple[tuple[int, ...], ...]:
        return (tuple(range(n_features)),) * self.size(n_features)

    def __repr__(self) -> str:
        return f"CustomBasis([{', '.join(map(_name, self.functions))}])"


def _name(f: Callable) -> str:
    return getattr(f, "__name__", type(f).__name__)
