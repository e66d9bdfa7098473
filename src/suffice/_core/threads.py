"""BLAS on one thread, cheaply.

BLAS threads slow down the small factorizations this library is made of, so public functions run
under `one_blas_thread()` and spread blocks, folds or restarts over Python threads instead.
The controller is found once (milliseconds); entering costs microseconds, re-entering nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_depth = 0
_lock = threading.Lock()


@cache
def _controller():
    import scipy.linalg  # noqa: F401  both BLAS libraries must be loaded before they are counted
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


_limit: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit every BLAS in the process to one thread while any caller is inside."""
    global _depth, _limit
    with _lock:
        _depth += 1
        if _depth == 1:
            _limit = _controller().limit(limits=1)
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                _limit.restore_original_limits()
                _limit = None
