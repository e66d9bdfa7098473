r"""Components under comparable numbers.

The components of a mixture have no order: another start, another sample or another fold fits the same clusters under
other numbers. Two mixtures are compared through rows, whose responsibilities both give:

    agreement A_jk = Σ_n w_n r_nj s_nk       r by the reference, s by the model; labels are responsibilities of 0 and 1

and the model's components are renumbered so that Σ_j A_jj, the rows that have the same number, is as large as it can be
(an assignment problem). For a mixture and its own renumbering that is exact, by Cauchy's inequality.
"""

from __future__ import annotations

import copy
import dataclasses
from typing import Any, TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from suffice._components.responsibilities import responsibilities_of
from suffice._components.starts import one_hot
from suffice._core.errors import HeaderMismatch, InvalidInput, InvalidParameter, hold_warnings
from suffice._core.frames import NamedArray
from suffice._core.records import frozen_array
from suffice._estimator import check_is_fitted, check_weight
from suffice._estimator.labels import open_labels
from suffice.mixtures._shell.model import MixtureShell

Fitted = TypeVar("Fitted", bound=MixtureShell)
DRAWS = 4096  # rows drawn from the reference, where none are given


def align(model: Fitted, reference: Any, X: Any = None, sample_weight: Any = None) -> Fitted:
    """A copy of a fitted mixture whose components have the numbers of those they match in a reference.

    Parameters
    ----------
    model
        A fitted mixture; it stays as it is.
    reference
        A fitted mixture of the same columns, or one label per row of X. Labels 0 to K − 1 are numbers of components;
        others are numbered in sorted order.
    X
        Rows to compare responsibilities on. Where a mixture is the reference they may be left out: rows are drawn from
        it then.
    sample_weight
        How often each row of X counts.

    Notes
    -----
    Densities do not change. Components beyond those of the reference come last, in the order they had.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.mixtures import GaussianMixture
    >>> from suffice.mixtures.alignment import align
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (200, 1)), rng.normal(9, 1, (100, 1))])
    >>> low_first = GaussianMixture(2, means_init=[[0.0], [9.0]]).fit(X)
    >>> high_first = GaussianMixture(2, means_init=[[9.0], [0.0]]).fit(X)
    >>> align(high_first, low_first).means_.ravel().round(1)
    array([0. , 8.9])
    """
    if not isinstance(model, MixtureShell):
        raise InvalidParameter(f"model must be a mixture fitted by EM; got {model!r:.80}.")
    check_is_fitted(model)
    if isinstance(reference, MixtureShell):
        counts = _agreement_of_models(model, reference, X, sample_weight)
    else:
        counts = _agreement_with_labels(model, reference, X, sample_weight)
    if len(counts) > model.mixing_.n_components:
        raise InvalidInput(
            f"The reference has {len(counts)} components or labels and the model {model.mixing_.n_components}, which "
            "cannot match all of them; align the larger mixture to the smaller."
        )
    return renumbered(model, best_order(counts))


def best_order(counts: np.ndarray) -> np.ndarray:
    """Which component matches each of the reference, from agreements (J, K), J ≤ K; those left over come last."""
    chosen = linear_sum_assignment(counts, maximize=True)[1]
    return np.r_[chosen, np.setdiff1d(np.arange(counts.shape[1]), chosen)]


def renumbered(model: Fitted, order: np.ndarray) -> Fitted:
    """A copy in which component order[j] has the number j."""
    out, before = copy.copy(model), model.mixing_
    alpha = before.concentration
    out.mixing_ = dataclasses.replace(
        before,
        weights=frozen_array(before.weights[order]),
        components=before.components.ordered(order),
        concentration=None if alpha is None else frozen_array(alpha[order]),
    )
    out.weights_ = np.array(out.mixing_.weights)
    with hold_warnings():  # of the fit: they were shown then
        out._write(out.mixing_)
    return out


def _agreement_of_models(model: Any, reference: Any, X: Any, sample_weight: Any) -> np.ndarray:
    check_is_fitted(reference)
    if model._names != reference._names:
        raise HeaderMismatch(
            f"model and reference must have the same columns; got {model._names[:8]} and {reference._names[:8]}."
        )
    if X is None and sample_weight is not None:
        raise InvalidParameter("sample_weight counts rows of X; give X as well.")
    rows = _drawn(reference) if X is None else X
    return _agreement(
        _responsibilities(reference._joint_logs(rows)),
        _responsibilities(model._joint_logs(rows)),
        sample_weight,
    )


def _drawn(reference: Any) -> Any:
    """Rows from the reference, under the names of its columns; the same ones every time."""
    rows = reference.sample(DRAWS, random_state=0)[0]
    named = (
        isinstance(rows, np.ndarray) and rows.dtype.kind == "f" and hasattr(reference, "feature_names_in_")
    )
    return NamedArray(rows, reference._names) if named else rows


def _agreement_with_labels(model: Any, labels: Any, X: Any, sample_weight: Any) -> np.ndarray:
    if X is None or labels is None:
        raise InvalidParameter(
            f"reference must be a fitted mixture, or labels with the rows X they belong to; got {labels!r:.80}."
        )
    responsibilities, labels = _responsibilities(model._joint_logs(X)), open_labels(labels, "reference")
    if len(labels) != len(responsibilities):
        raise InvalidInput(
            f"reference must have one label per row of X, {len(responsibilities)}; got {len(labels)}."
        )
    numbers = labels.dtype.kind in "iu" and labels.min() >= 0 and labels.max() < responsibilities.shape[1]
    classes, codes = np.unique(labels, return_inverse=True)
    if numbers:
        return _agreement(one_hot(labels, responsibilities.shape[1]), responsibilities, sample_weight)
    return _agreement(one_hot(codes, len(classes)), responsibilities, sample_weight)


def _responsibilities(logs: np.ndarray) -> np.ndarray:
    """A row that a mixture does not allow has none."""
    return responsibilities_of(logs).values


def _agreement(r: np.ndarray, s: np.ndarray, sample_weight: Any) -> np.ndarray:
    weight = check_weight(sample_weight, s)
    return r.T @ (s if weight is None else weight[:, None] * s)
