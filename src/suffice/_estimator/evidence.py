"""Which models may be compared by their evidence: the same targets, and the same rule for the intercept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
from scipy.special import log_softmax
from sklearn.exceptions import NotFittedError

from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, Unsupported
from suffice.statistics import ClassStatistics
from suffice.statistics.header import Fingerprint

TOLERANCE = 1e-9


@runtime_checkable
class HasEvidence(Protocol):
    """What a fitted model offers to be compared."""

    log_evidence_: float
    statistics_: Any


def comparable(models: Mapping[str, Any]) -> tuple[tuple[str, ...], list[Any], np.ndarray]:
    """Names, models (the last steps of pipelines) and log evidences, or an error that says why not."""
    if not isinstance(models, Mapping) or len(models) < 2:
        raise InvalidInput(f"models must be two or more fitted models by name; got {models!r:.80}.")
    names = tuple(map(str, models))
    fitted = [_opened(name, model) for name, model in zip(names, models.values(), strict=True)]
    _same_targets(names, fitted)
    _check_same_rule(names, fitted)
    evidence = np.array([float(m.log_evidence_) for m in fitted])
    if not np.isfinite(evidence).all():
        bad = names[int(np.argmin(np.isfinite(evidence)))]
        raise InvalidInput(f"The log evidence of {bad!r} is not finite; it cannot be compared.")
    return names, fitted, evidence


def model_posterior(evidence: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """p(M | D) ∝ p(M) p(D | M) (PRML 3.66), from logs."""
    with np.errstate(divide="ignore"):
        return np.exp(log_softmax(evidence + np.log(prior)))


def _opened(name: str, model: Any) -> Any:
    """The model itself, the last step of a pipeline; an error if it cannot be compared."""
    steps = getattr(model, "steps", None)
    model = steps[-1][1] if isinstance(steps, list) and steps else model
    if isinstance(model, HasEvidence):
        return model
    if not hasattr(type(model), "log_evidence_") and "log_evidence_" not in _declared(model):
        raise Unsupported(
            f"{name!r} has no log_evidence_: {type(model).__name__} has no prior to average over."
        )
    if hasattr(model, "statistics_"):
        raise Unsupported(
            f"{name!r} has no log_evidence_: this {type(model).__name__} was fitted without a prior; give it one."
        )
    raise NotFittedError(f"{name!r} is not fitted; call fit before comparing its evidence.")


def _declared(model: Any) -> set[str]:
    return {key for cls in type(model).__mro__ for key in vars(cls).get("__annotations__", {})}


def _same_targets(names: tuple[str, ...], fitted: list[Any]) -> None:
    first = fitted[0].statistics_.fingerprint
    for name, model in zip(names[1:], fitted[1:], strict=True):
        if not _matches(first, model.statistics_.fingerprint):
            raise HeaderMismatch(
                f"{names[0]!r} and {name!r} were fitted to different targets: {_described(first)} against "
                f"{_described(model.statistics_.fingerprint)}. Fit both to the same rows."
            )
        if isinstance(
            model.statistics_, ClassStatistics
        ):  # the evidence is that of the rows, not of the targets
            fitted[0].statistics_.header.check(model.statistics_.header, "the evidence of rows")


def _matches(a: Any, b: Any) -> bool:
    if isinstance(a, Fingerprint) and isinstance(b, Fingerprint):
        return a.matches(b, TOLERANCE)
    if type(a) is not type(b) or (isinstance(a, tuple) and len(a) != len(b)):
        return False
    if isinstance(a, tuple):
        return all(_matches(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float):
        return bool(np.isclose(a, b, rtol=TOLERANCE, atol=0))
    return bool(a == b)


def _described(fingerprint: Any) -> str:
    if isinstance(fingerprint, Fingerprint):
        return f"{fingerprint.rows} rows with sum {np.sum(fingerprint.total):.10g}"
    return f"{fingerprint}"


def _check_same_rule(names: tuple[str, ...], fitted: list[Any]) -> None:
    """Refuse models that treat the intercept differently: a flat one has no scale, and a missing one no prior."""
    rules = [_rule(model) for model in fitted]
    if len(set(rules)) > 1:
        listed = ", ".join(f"{name}: {rule}" for name, rule in zip(names, rules, strict=True))
        raise InvalidInput(
            f"The models treat the intercept differently ({listed}). Give all of them the same rule."
        )


def _rule(model: Any) -> str:
    if not getattr(model, "fit_intercept", True):
        return "none"
    return str(getattr(model, "intercept", "prior"))


def model_prior(prior: Any, names: tuple[str, ...]) -> np.ndarray:
    """Plausibilities of the models that sum to one; equal unless given."""
    if prior is None:
        return np.full(len(names), 1 / len(names))
    if isinstance(prior, Mapping):
        if set(map(str, prior)) != set(names):
            raise InvalidParameter(f"prior must name the models {list(names)}; got {list(prior)}.")
        prior = [{str(k): v for k, v in prior.items()}[name] for name in names]
    try:
        p = np.asarray(prior, dtype=float)
    except (TypeError, ValueError):
        raise InvalidParameter(f"prior must be numbers; got {prior!r}.") from None
    if p.shape != (len(names),) or not np.all(np.isfinite(p) & (p >= 0)) or not p.sum() > 0:
        raise InvalidParameter(
            f"prior must be {len(names)} numbers, zero or more and not all zero; got {prior!r}."
        )
    return p / p.sum()
