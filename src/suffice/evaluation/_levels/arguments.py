"""Further arguments of `fit` that belong to rows: what `predict` takes too, such as an offset, reaches it.

A wrapper that hands arguments on (a Pipeline, a search) takes what its innermost estimator takes. Weights say how much
a row counts, so they are none of a prediction's business.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import Any

from sklearn import get_config

from suffice._core.errors import Unsupported
from suffice.evaluation._levels.pipelines import steps_of

Arguments = Mapping[str, Any]
# where wrappers keep theirs
WRAPPED = (
    "best_estimator_",
    "estimator_",
    "regressor_",
    "estimator",
    "regressor",
)
ANSWERS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_dist",
    "decision_function",
    "score_samples",
)
OF_ROWS = ("sample_weight", "groups")  # count rows or sort them


def arguments_for(fitted: Any, method: str, given: Arguments) -> dict[str, Any]:
    """The arguments of `fit` that a method of the fitted model takes too, under its names."""
    if not given or not hasattr(fitted, method):
        return {}
    names, open_end = _signature(getattr(fitted, method))
    mine = {k: v for k, v in given.items() if k in names}
    inner, theirs = wrapped_estimator(fitted, given)
    if inner is None:
        return mine | (_arguments_handed_on(fitted, given) if open_end else {})
    below = arguments_for(inner, method, theirs)
    if not open_end and (lost := below.keys() - mine.keys()):
        name = type(fitted).__name__
        raise Unsupported(
            f"{name} hands {', '.join(sorted(lost))} to fit and not to {method}, so its predictions would be those of "
            f"other rows. Use a wrapper whose {method} takes it, such as suffice.evaluation.SearchCV."
        )
    return mine | (below if open_end else {})


def arguments_of_fit(model: Any, given: Arguments) -> dict[str, Any]:
    """Those that the `fit` of a model takes: a baseline beside models with arguments of their own."""
    names, open_end = _signature(model.fit)
    return {k: v for k, v in given.items() if open_end or k in names}


def _signature(method: Any) -> tuple[set[str], bool]:
    """Names of the arguments, and whether any other is taken as well."""
    parameters = inspect.signature(method).parameters.values()
    named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    return named, any(p.kind is p.VAR_KEYWORD for p in parameters)


def wrapped_estimator(model: Any, given: Arguments) -> tuple[Any, dict[str, Any]]:
    """The estimator in a wrapper, or None, and the arguments that are meant for it, under its names."""
    steps = steps_of(model)
    if steps is not None:
        (name, inner), routed = steps[-1], get_config()["enable_metadata_routing"]
        prefix = "" if routed else f"{name}__"
    else:
        inner, prefix = next((getattr(model, name) for name in WRAPPED if hasattr(model, name)), None), ""
    if not hasattr(inner, "fit"):
        return None, {}
    return inner, {k.removeprefix(prefix): v for k, v in given.items() if k.startswith(prefix)}


def _arguments_handed_on(fitted: Any, given: Arguments) -> dict[str, Any]:
    """What a stranger's wrapper hands on to an estimator that cannot be seen."""
    names, open_end = _signature(fitted.fit)
    if not open_end:
        return {}
    return {k: v for k, v in given.items() if k not in names and not k.endswith(OF_ROWS)}


def note_fit_weights(given: Arguments) -> tuple[str, ...]:
    """A note on weights that count in the fit and not in the average."""
    names = [k for k in given if k.endswith("sample_weight")]
    return tuple(
        f'params={{"{name}": w}} weights the fit alone, and every test row counts once; sample_weight=w counts in both'
        for name in names
    )


class BoundModel:
    """A fitted model that answers with the arguments of some rows, for scorers that know of none."""

    def __init__(self, fitted: Any, given: Arguments):
        self._fitted, self._given = fitted, given

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._fitted, name)
        if name == "score" and (lost := arguments_for(self._fitted, "predict", self._given)):
            raise Unsupported(
                f"score of {type(self._fitted).__name__} takes no {', '.join(lost)}; give a loss, or a scorer that "
                "calls predict."
            )
        return partial(value, **arguments_for(self._fitted, name, self._given)) if name in ANSWERS else value


def bind_arguments(fitted: Any, given: Arguments) -> Any:
    """The model as scorers ask it; itself where no argument matters to its answers."""
    matters = any(arguments_for(fitted, method, given) for method in ANSWERS)
    return BoundModel(fitted, given) if matters else fitted
