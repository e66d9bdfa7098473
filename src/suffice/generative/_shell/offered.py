"""Methods that an instance has for some of its parameters only: `hasattr` tells, and a call says why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from suffice._core.errors import Unsupported

C = TypeVar("C")


class NotOffered(Unsupported, AttributeError):
    """A method that this instance lacks, so that `hasattr` is False."""


class OfferedWhere:
    """A method of instances for which `why_not` is None; others raise with its words."""

    def __init__(self, method: Callable[..., Any], why_not: Callable[[Any], str | None]) -> None:
        self.method, self.why_not = method, why_not
        self.__doc__ = method.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        reason = None if instance is None else self.why_not(instance)
        if reason is not None:
            raise NotOffered(reason)
        return self.method.__get__(instance, owner)


def offered_where(why_not: Callable[[Any], str | None], *names: str) -> Callable[[type[C]], type[C]]:
    """A decorator of classes; the methods are found as scikit-learn left them, wrapped for `set_output`."""

    def decorated(cls: type[C]) -> type[C]:
        for name in names:
            setattr(cls, name, OfferedWhere(getattr(cls, name), why_not))
        return cls

    return decorated
