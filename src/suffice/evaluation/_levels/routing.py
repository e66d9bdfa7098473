"""Who is given weights when scikit-learn's metadata routing is switched on: what `set_fit_request` says is obeyed.

Weights count rows, so whatever takes them and has no request is given them, as without routing; a request of False (or
of another name) keeps them from that model or step. They count in the average of the losses in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from joblib import delayed
from sklearn import config_context, get_config
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from suffice._core.errors import InvalidInput, Unsupported
from suffice.evaluation._levels.pipelines import steps_of

WEIGHT = "sample_weight"


def is_routed() -> bool:
    """Whether metadata routing is switched on."""
    return bool(get_config()["enable_metadata_routing"])


def under_config(function: Callable) -> Callable:
    """A function for joblib that works under the configuration of here: other processes have their own."""
    return delayed(partial(_configured, get_config(), function))


def _configured(config: dict[str, Any], function: Callable, *given: Any, **named: Any) -> Any:
    with config_context(**config):
        return function(*given, **named)


def keeps_weights_out(model: Any) -> str | None:
    """Why a fast road, which counts rows alike in every step, is not the model's own; None where it is."""
    if not is_routed():
        return None
    steps = steps_of(model)
    if steps is None:
        return _name_refusal("it", model) if _refuses(model, WEIGHT) else None
    return next(
        (_name_refusal(f"its step {name!r}", step) for name, step in steps if _refuses(step, WEIGHT)), None
    )


def _name_refusal(who: str, step: Any) -> str:
    return f"{who} ({type(step).__name__}) does not request sample_weight"


def with_weights(model: Any, weight: Any) -> tuple[Any, dict[str, Any]]:
    """An unfitted copy, and the arguments of its `fit` through which weights reach all that are to have them."""
    new, steps = clone(model), steps_of(model)
    if steps is None:
        return new, {} if is_routed() and _refuses(model, WEIGHT) else {WEIGHT: weight}
    taking = [name for name, step in steps if hasattr(step, "fit") and has_fit_parameter(step, WEIGHT)]
    if not is_routed():
        if not taking:
            raise Unsupported("No step of this Pipeline takes sample_weight; leave the weights out.")
        return new, {f"{name}__{WEIGHT}": weight for name in taking}
    _request_where_open(new, taking)
    wanted = new.get_metadata_routing().consumes("fit", {WEIGHT})
    return new, {WEIGHT: weight} if wanted else {}


def _request_where_open(pipeline: Pipeline, names: Iterable[str]) -> None:
    for name in names:
        step = pipeline.named_steps[name]
        if _request(step, WEIGHT) is None:
            step.set_fit_request(sample_weight=True)


def refuse_unrequested(model: Any, given: Iterable[str]) -> None:
    """Raise where `params` hands to `fit` what the model does not request; a Pipeline says so itself."""
    if not is_routed() or steps_of(model) is not None:
        return
    for name in given:
        if _refuses(model, name):
            raise InvalidInput(
                f"params gives {name} to fit, which {type(model).__name__} does not request: its set_fit_request says "
                f"{name}={_request(model, name)!r}. Leave it out of params, or set the request to True."
            )


def _refuses(step: Any, name: str) -> bool:
    return _request(step, name) not in (None, True)


def _request(step: Any, name: str) -> Any:
    """What `set_fit_request` was told; None where nothing was, or where a router asks others."""
    found = get_routing_for_object(step)
    return found.fit.requests.get(name) if isinstance(found, MetadataRequest) else None
