r"""Least squares on any subset of the columns, in all folds at once, without fitting each.

With the training columns A = [Φ | Y] of a fold (a penalty as further rows) and its test columns B, both measured
from the training means, a subset S of the columns errs on the test rows by

    ‖B_Y − B_S u‖²,     u = argmin ‖A_Y − A_S u‖².

Add one      A swept of the chosen columns (modified Gram–Schmidt) holds what each other column e_j would add;
             with the same column operations in B,  γ_j = e_jᵀe_Y / ‖e_j‖²  and the error is  ‖b_Y − γ_j b_j‖².
Leave one    with β the fit to S and C = (A_SᵀA_S)⁻¹, the fit without column i is  β − (β_i / C_ii) C_:i.
All subsets  a binary tree: leave the next column out, or sweep it.

Where columns depend on each other nearly but not exactly, the answer is NaN: the model must be asked itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice._core.linalg import inverse_of_triangle, qr_factor
from suffice._core.records import record
from suffice.statistics.lstsq import RANK_TOLERANCE, System
from suffice.statistics.triangle import Triangle

SOUND = 1e-6  # of a column's length must be left beside the others for the algebra to keep its digits
SAME = 1e-10  # of a column's test length: less is rounding
SIDE_BY_SIDE = 50_000  # numbers that the tree of all subsets works on at once: what a cache holds


@record
class FoldColumns:
    """Training and test columns of K folds, targets last; folds are the last axis, so that they vectorize.

    Columns have unit length in training before any is swept. `reach` is what the length of each was on the
    test rows; `doubtful` marks columns that only the model can judge, and `sound` the folds whose swept columns
    are independent.
    """

    train: np.ndarray  # (rows, d + k, ..., K)
    test: np.ndarray  # (rows, d + k, ..., K)
    reach: np.ndarray  # (d, ..., K)
    doubtful: np.ndarray  # (d, ..., K)
    sound: np.ndarray  # (..., K)

    @classmethod
    def of(cls, folds: Sequence[tuple[System, float, Triangle]]) -> FoldColumns:
        """From the system and the penalty of each training set, and the triangle of its test rows."""
        parts = zip(*(fold_columns(*f) for f in folds), strict=True)
        train, test, doubtful = (np.stack(_of_equal_height(a), axis=-1) for a in parts)
        return cls(train, test, _length(test[:, : len(doubtful)]), doubtful, np.ones(len(folds), dtype=bool))

    @property
    def n_columns(self) -> int:
        return len(self.reach)

    def error(self) -> np.ndarray:
        """(..., K): the squared error with the swept columns alone, mean over targets."""
        left = self.test[:, self.n_columns :]
        return np.where(self.sound, np.einsum("rt...,rt...->...", left, left) / left.shape[1], np.nan)

    # -- adding one -----------------------------------------------------------------------------------
    def additions(self) -> np.ndarray:
        """(d, ..., K): the squared error with each column on top of those swept."""
        d = self.n_columns
        scale, sound = self._scales(slice(0, d))
        gain = np.einsum("rj...,rt...->jt...", self.train[:, :d], self.train[:, d:]) * scale[:, None] ** 2
        left = self.test[:, None, d:] - self.test[:, :d, None] * gain  # (rows, d, k, ..., K)
        errors = np.einsum("rjt...,rjt...->j...", left, left) / left.shape[2]
        return np.where(sound & self.sound, errors, np.nan)

    def swept(self, j: int) -> FoldColumns:
        """With column j taken out of all others and of the targets."""
        scale, sound = self._scales(slice(j, j + 1))
        e, t = self.train[:, j], self.test[:, j]
        share = np.einsum("r...,rc...->c...", e, self.train) * scale**2  # (d + k, ..., K)
        train, test = self.train - e[:, None] * share, self.test - t[:, None] * share
        return FoldColumns(train, test, self.reach, self.doubtful, self.sound & sound[0])

    def _scales(self, columns: slice) -> tuple[np.ndarray, np.ndarray]:
        """One over the length that is left of each column, zero where nothing is; and whether that is safe."""
        length = _length(self.train[:, columns])
        weak = length < SOUND
        beyond = _length(self.test[:, columns]) > SAME * self.reach[columns]
        unclear = weak & ((length > RANK_TOLERANCE) | beyond)
        scale = np.divide(1.0, length, out=np.zeros_like(length), where=~weak)
        return scale, ~(unclear | self.doubtful[columns])

    # -- leaving one out ------------------------------------------------------------------------------
    def removals(self, columns: Sequence[int]) -> np.ndarray:
        """(s, K): the squared error of a subset of s columns without each of them."""
        S, fits = np.array(columns, dtype=np.intp), []
        for k in range(len(self.sound)):
            root, beta, sound = self._fit(S, k)
            C = root @ root.T
            spread = np.diagonal(C)
            left = self._left(S, k, beta)[:, None] + (self.test[:, S, k] @ C)[..., None] * (beta.T / spread).T
            sound &= bool(np.all(spread * SOUND**2 < 1))
            fits.append(np.sum(left**2, axis=0).mean(axis=1) if sound else np.full(len(S), np.nan))
        return np.stack(fits, axis=1)

    def errors(self, columns: Sequence[int]) -> np.ndarray:
        """(K,): the squared error of one subset."""
        S, out = np.array(columns, dtype=np.intp), np.full(len(self.sound), np.nan)
        for k in range(len(out)):
            _, beta, sound = self._fit(S, k)
            if sound:
                out[k] = np.sum(self._left(S, k, beta) ** 2, axis=0).mean()
        return out

    def _left(self, S: np.ndarray, k: int, beta: np.ndarray) -> np.ndarray:
        return self.test[:, self.n_columns :, k] - self.test[:, S, k] @ beta

    def _fit(self, S: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, bool]:
        """R⁻¹ (s, s) and weights (s, k) of the fit to some columns in one fold, and whether to trust them."""
        s = len(S)
        columns = np.append(S, np.arange(self.n_columns, self.train.shape[1]))
        R = qr_factor(np.asfortranarray(self.train[:, columns, k]), overwrite=True)
        sound = bool(np.all(np.diagonal(R)[:s] > SOUND)) and not self.doubtful[S, k].any()
        root = inverse_of_triangle(R[:s, :s].T).T if sound else np.eye(s)
        return root, root @ R[:s, s:], sound

    # -- all of them ----------------------------------------------------------------------------------
    def all_subsets(self) -> np.ndarray:
        """(2^d,): the squared error of every subset, summed over folds; bit j of the index says if j is in."""
        return _tree(FoldColumns(*(a[..., None, :] for a in self._parts)))[:, 0]

    @property
    def _parts(self) -> tuple[np.ndarray, ...]:
        return self.train, self.test, self.reach, self.doubtful, self.sound

    def _without_first(self) -> FoldColumns:
        return FoldColumns(self.train[:, 1:], self.test[:, 1:], self.reach[1:], self.doubtful[1:], self.sound)


def _of_equal_height(parts: Sequence[np.ndarray]) -> list[np.ndarray]:
    """With rows of zeros where folds have fewer rows than others."""
    most = max(map(len, parts))
    return [np.concatenate([a, np.zeros((most - len(a), *a.shape[1:]), a.dtype)]) for a in parts]


def _length(columns: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("r...,r...->...", columns, columns))


def _tree(c: FoldColumns) -> np.ndarray:
    """(2^d, n) for n nodes (last axis but one) with d > 0 columns left to decide on."""
    n, d = len(c.sound), c.n_columns
    if d == 1:
        return np.stack([c.error(), c.additions()[0]]).sum(axis=-1)
    out, into = c._without_first(), c.swept(0)._without_first()
    if 2 * out.train.size > SIDE_BY_SIDE:
        halves = [_tree(out), _tree(into)]
    else:
        both = _tree(
            FoldColumns(*(np.concatenate(p, axis=-2) for p in zip(out._parts, into._parts, strict=True)))
        )
        halves = [both[:, :n], both[:, n:]]
    return np.stack(halves, axis=1).reshape(2**d, n)


# -- one fold -------------------------------------------------------------------------------------------
def fold_columns(s: System, alpha: float, test: Triangle) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training and test columns of one fold, targets last, and which of them only the model can judge.

    Dropping columns from the training part drops them from the fit: what a penalty says about a dropped
    column is a row of zeros. A column that does not vary gets a row of its own, so that its weight is zero.
    """
    d, first = s.triangle.n_columns, int(s.counted)
    A, B = np.hstack([s.R, s.Z]), _test_columns(s, test)
    flat = (s.constant | (np.abs(s.R[:, first:]).max(axis=0, initial=0) == 0)) & (alpha == 0)
    moves = s.triangle.layout.frame is not None  # there a constant column may still carry weight
    prior = np.sqrt(alpha) * s.penalty if alpha > 0 else np.diag(1.0 * flat)
    if prior.any():
        A[:, :d][:, flat], B[:, :d][:, flat] = 0.0, 0.0
        A = _stacked(A, np.hstack([prior, np.zeros((len(prior), s.Z.shape[1]))]))
    if s.counted:  # the constant is in every subset: sweep it
        B, A = B[:, 1:] - B[:, :1] * (A[0, 1:] / A[0, 0]), A[1:, 1:]
    length = np.linalg.norm(A[:, :d], axis=0)
    length[length == 0] = 1.0
    scale = np.append(length, np.ones(A.shape[1] - d))
    return A / scale, B / scale, flat & moves


def _test_columns(s: System, test: Triangle) -> np.ndarray:
    """Test rows as the training set sees them: measured from its center, at which the function has its value."""
    layout, frame = test.layout, s.triangle.layout.frame
    t = test if layout.frame == frame else test.moved(layout.in_frame(frame))
    from_shift = s.function(np.zeros((s.R.shape[1], s.Z.shape[1]))).from_shift
    shift_x = t.layout.shift_x - s.triangle.layout.shift_x - from_shift
    columns = t.factor[:, 1:] + t.factor[:, :1] * np.append(shift_x, t.layout.shift_y - s.value)
    return np.hstack([t.factor[:, :1], columns]) if s.counted else columns


def _stacked(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The triangle of both, the larger rows on top."""
    first, second = (a, b) if np.abs(a).max(initial=0) >= np.abs(b).max(initial=0) else (b, a)
    return qr_factor(np.asfortranarray(np.vstack([first, second])), overwrite=True)
