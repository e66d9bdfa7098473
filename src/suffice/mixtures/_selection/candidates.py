"""What is compared: numbers of components, each with every shape of covariance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import clone

from suffice._core.errors import InvalidParameter, Unsupported
from suffice._core.random import generator
from suffice._core.records import record
from suffice.mixtures._shell.model import MixtureShell
from suffice.mixtures.gibbs_gaussian_mixture import GibbsGaussianMixture


@record
class MixtureCandidate:
    """How many components, of which covariance_type (None where the model has no such parameter)."""

    n_components: int
    covariance_type: str | None = None

    def made(self, model: Any, n_init: int, seed: int) -> Any:
        """The model with these, not fitted."""
        shape = {} if self.covariance_type is None else {"covariance_type": self.covariance_type}
        return clone(model).set_params(
            n_components=self.n_components, n_init=n_init, random_state=seed, **shape
        )

    def __str__(self) -> str:
        return f"K={self.n_components}" + (
            "" if self.covariance_type is None else f" ({self.covariance_type})"
        )

    def __repr__(self) -> str:
        return f"Candidate({self.n_components}, {self.covariance_type!r})"


def candidates_of(model: Any, components: Any, covariance_types: Any) -> tuple[MixtureCandidate, ...]:
    """Every number of components with every shape."""
    _check_compared(model)
    own = model.get_params(deep=False)
    if covariance_types is not None and "covariance_type" not in own:
        raise Unsupported(f"{type(model).__name__} has no covariance_type; leave covariance_types out.")
    if isinstance(components, str) or not isinstance(components, Iterable):
        raise InvalidParameter(f"components must be a list of numbers of components; got {components!r}.")
    counts = list(dict.fromkeys(count_of("components", k) for k in components))
    shapes = [own.get("covariance_type")] if covariance_types is None else _names(covariance_types)
    if not counts or not shapes:
        raise InvalidParameter("components and covariance_types must have at least one entry each; got none.")
    given = [name for name, value in own.items() if name.endswith("s_init") and value is not None]
    if given and len(counts) * len(shapes) > 1:
        raise InvalidParameter(
            f"{given[0]} is a start of one candidate alone; set it to None to compare several."
        )
    return tuple(MixtureCandidate(k, shape) for shape in shapes for k in counts)


def _check_compared(model: Any) -> None:
    """Raise for what is no mixture fitted by expectation–maximization."""
    if isinstance(model, MixtureShell):
        return
    kind = type(model)
    way = "Give a mixture of suffice.mixtures alone; prepare the table before."
    if isinstance(model, GibbsGaussianMixture):
        way = "It finds the number itself: fit it once, and read n_components_distribution_."
    raise Unsupported(
        "select_components compares mixtures of suffice.mixtures that are fitted by expectation–maximization; got "
        f"{kind.__module__}.{kind.__qualname__}. {way}"
    )


def _names(covariance_types: Any) -> list[str]:
    listed = [covariance_types] if isinstance(covariance_types, str) else list(covariance_types)
    return list(dict.fromkeys(listed))


def count_of(name: str, value: Any) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < 1:
        raise InvalidParameter(f"{name} must be integers >= 1; got {value!r}.")
    return int(value)


def seed_of(random_state: Any) -> int:
    """One integer for folds and every fit, so that each can be repeated alone."""
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool):
        return int(random_state)
    return int(generator(random_state).integers(2**32))
