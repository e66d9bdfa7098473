"""scikit-learn's callback protocol (1.9 and later), or what stands in for it before: nothing is called back.

`model.set_callbacks(sklearn.callback.ProgressBar())` shows the passes and parts of a fit as they are done.
"""

from __future__ import annotations

from typing import Any

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to call back."""

    def with_callbacks(method: Any) -> Any:
        return method


__all__ = ["CallbackSupportMixin", "with_callbacks"]
