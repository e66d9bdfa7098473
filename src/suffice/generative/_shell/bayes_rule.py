"""Class priors and Bayes' rule, in logarithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from suffice._core.errors import InvalidParameter, NoInformation, SufficeWarning, as_numbers, warn
from suffice.engine import Rows
from suffice.statistics import Counts


def log_priors(choice: Any, counts: Counts, rescale: bool = False, name: str = "priors") -> np.ndarray:
    """log P(c): shares of the rows, equal shares, or as given. A class without rows has −inf.

    Given ones that do not sum to one are refused, or, with `rescale`, divided by their sum with a warning. Errors call
    the parameter by its `name`.
    """
    k = len(counts.classes)
    if choice is None or (isinstance(choice, str) and choice == "empirical"):
        prior = counts.counts / counts.n
    elif isinstance(choice, str) and choice == "uniform":
        prior = np.full(k, 1 / k)
    elif isinstance(choice, str):
        raise InvalidParameter(
            f"{name} must be None, 'empirical', 'uniform' or one probability per class; got {choice!r}."
        )
    else:
        prior = as_numbers(name, choice)
        if prior.shape != (k,):
            raise InvalidParameter(
                f"Number of priors must match number of classes, {k} ({counts.classes.tolist()}); "
                f"{name} has shape {prior.shape}."
            )
        if np.any(~(prior >= 0)):
            raise InvalidParameter(
                f"Priors must be non-negative; {name} is {prior.tolist()}. "
                "All priors must be non-negative and sum to 1."
            )
        if not np.isclose(prior.sum(), 1.0, rtol=0, atol=1e-6):
            _report_sum(float(prior.sum()), rescale, name)
        prior = prior / prior.sum()
    with np.errstate(divide="ignore"):
        return np.log(prior)


def _report_sum(total: float, rescale: bool, name: str) -> None:
    if not rescale or not total > 0:
        raise InvalidParameter(f"The sum of the priors should be 1; it is {total:g} in {name}.")
    warn(f"The priors do not sum to 1 but to {total:g}; they are divided by their sum.", SufficeWarning)


@dataclass(frozen=True)
class PriorRule:
    """Which parameter gives the priors, and the choice that a model's parameters make."""

    name: str
    choose: Callable[[Any], Any]


def _choose_naively(model: Any) -> Any:
    return model.class_prior if model.class_prior is not None else None if model.fit_prior else "uniform"


GIVEN_PRIOR = PriorRule("priors", lambda model: model.priors)
NAIVE_PRIOR = PriorRule(
    "class_prior", _choose_naively
)  # scikit-learn's names for naive models, with `fit_prior`


def log_posterior(joint: np.ndarray, log_prior: np.ndarray) -> np.ndarray:
    """Rows of log p(x, c), normalized. A row that no class can produce gets the priors, with a warning."""
    impossible = np.all(joint == -np.inf, axis=1)
    if impossible.any():
        row = int(np.argmax(impossible))
        warn(
            f"Row {row} has probability zero in every class, as have {int(impossible.sum()) - 1} others; it is "
            "given the class priors. Smooth the model to tell such rows apart.",
            NoInformation,
        )
        joint = np.where(impossible[:, None], log_prior - logsumexp(log_prior), joint)
    top = joint.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shifted = np.where(joint == top, 0.0, joint - top)  # two classes of infinite density share a row
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def posterior_left_out(
    fitted: Any, rows: Rows, logs: np.ndarray, choice: Any, alone: Any = False
) -> tuple[np.ndarray, np.ndarray]:
    """log P(c | x) of rows left out, from log p(x | c) by the model without each, and which must be refitted.

    `alone` says of which rows `logs` do not hold. The last row of a class, and one that no class can produce, are too.
    """
    counts, codes, weight = fitted.class_count_, rows.Y, rows.weights
    with np.errstate(divide="ignore"):
        logs = logs + np.log(priors_without(fitted.class_log_prior_, choice, counts, codes, weight))
    alone = alone | ((weight > 0) & ~(counts[codes] - weight > 0)) | np.all(logs == -np.inf, axis=1)
    return log_posterior(np.where(alone[:, None], 0.0, logs), fitted.class_log_prior_), alone


def all_alone(rows: Rows, fitted: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where every row left out must be refitted."""
    n = len(rows)
    return np.zeros((n, len(fitted.class_count_))), np.ones(n, dtype=bool)


def priors_without(
    log_prior: np.ndarray, choice: Any, counts: np.ndarray, codes: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """P(c) without each row: (rows, classes). Shares change with the row, given priors do not."""
    if choice is not None and not (isinstance(choice, str) and choice == "empirical"):
        return np.tile(np.exp(log_prior), (len(codes), 1))
    left = np.tile(counts, (len(codes), 1))
    left[np.arange(len(codes)), codes] -= weight
    return np.maximum(left, 0.0) / np.maximum(counts.sum() - weight, np.finfo(float).tiny)[:, None]
