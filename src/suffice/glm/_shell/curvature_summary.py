"""Estimates and standard errors of weights, from the curvature at the mode."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from suffice._core.errors import check_fraction
from suffice._estimator import check_is_fitted
from suffice._estimator.summary import Summary
from suffice.glm._shell.interface import LinkModel


def summary_of_curvature(model: LinkModel, confidence: float) -> Summary:
    """Estimates and standard errors, with normal quantiles."""
    check_is_fitted(model)
    check_fraction("confidence", confidence)
    terms, w, owners = model._terms()
    se = _lengths(model._root)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = w / se
    half = float(ndtri(0.5 + confidence / 2)) * se
    p = 2 * ndtr(-np.abs(z))
    return Summary(terms, w, se, z, p, w - half, w + half, None, confidence, "z", owners)


def _lengths(F: np.ndarray) -> np.ndarray:
    """Of rows, with no square that overflows."""
    largest = np.abs(F).max(axis=1, initial=0.0)
    unit = np.where(largest > 0, largest, 1.0)
    return unit * np.linalg.norm(F / unit[:, None], axis=1)
