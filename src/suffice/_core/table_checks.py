"""scikit-learn's checks of tables, from any thread.

They change the process's warning filters while they convert, so they take turns (`filters.py`). A plain array of finite
numbers, which they would hand back as it is, does not come that way: nothing global is touched for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array as _check_array
from sklearn.utils import column_or_1d as _column_or_1d
from sklearn.utils.multiclass import check_classification_targets as _check_classification_targets
from sklearn.utils.validation import validate_data as _validate_data

from suffice._core.filters import in_turn

check_array = in_turn(_check_array)
column_or_1d = in_turn(_column_or_1d)
check_classification_targets = in_turn(_check_classification_targets)
_checked = in_turn(_validate_data)
_NONE = "no_validation"  # what scikit-learn takes for nothing to check
_FLOATS = [np.float64, np.float32]


def validate_data(
    estimator: Any, X: Any = _NONE, y: Any = _NONE, *, reset: bool = True, **options: Any
) -> Any:
    """As scikit-learn's."""
    if options.get("dtype") == _FLOATS and _is_plain(X) and (y is _NONE or _is_target(y, len(X))):
        return _validate_data(estimator, X, y, reset=reset, skip_check_array=True)
    return _checked(estimator, X, y, reset=reset, **options)


def _is_plain(X: Any) -> bool:
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype in _FLOATS and X.shape[0] > 0 < X.shape[1]


def _is_target(y: Any, n: int) -> bool:
    if type(y) is not np.ndarray or y.ndim not in (1, 2) or len(y) != n or y.dtype.kind not in "fiub":
        return False
    return y.dtype.kind != "f" or bool(np.isfinite(y).all())
