"""Progress through scikit-learn's callback protocol (1.9 and later; quiet before).

`model.set_callbacks(sklearn.callback.ProgressBar())` shows the passes and parts of a fit as they are done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from suffice._core.errors import hold_warnings, warn

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to call back."""

    def with_callbacks(method: Any) -> Any:
        return method


T = TypeVar("T")


class ReportsProgress(CallbackSupportMixin):
    """A fit that tells its callbacks where it stands."""

    def reported(self, work: Callable[[Callable[[], None]], T], steps: int | None = 0) -> T:
        """`work(tick)` as one task of `steps` subtasks (None: unknown), each announced by `tick()`."""
        if not getattr(self, "_skl_callbacks", None):
            return work(_quiet)
        with hold_warnings() as held:  # shown below, or they would point at scikit-learn's line
            result = self._told(work, steps)
        for message in held:
            warn(*message)
        return result

    @with_callbacks
    def _told(self, work: Callable[[Callable[[], None]], T], steps: int | None) -> T:
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
