"""A model of `suffice fit`, which takes numbers, made to take tables: columns by name, marks for categories.

A fit turns a text column into marks called `city=Rome`, one per category but the first. A saved model knows these
names alone, so a value that no mark names counts as the first category, and how often that happens is told. A row
with a gap among its inputs gets no prediction, unless the model can do without.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.utils import get_tags

from suffice._core.errors import InvalidInput, did_you_mean
from suffice._core.frames import NamedArray
from suffice._core.records import record
from suffice.prepare import Mismatch
from suffice.prepare.looking._decimal_marks import check_decimals
from suffice.prepare.transforming._column_codes import as_numbers, as_words

FIRST = "a value without a column of its own counts as the first category of the fit"
NONE = "rows with such cells get no prediction"
LEFT = "the model does without such cells"


@record
class ColumnModel:
    """Predicts from columns by name."""

    model: Any
    target: str | None

    @property
    def features(self) -> tuple[str, ...]:
        """The inputs of the model."""
        return tuple(map(str, self.model.feature_names_in_))

    @property
    def classes(self) -> np.ndarray | None:
        """The labels in the order of the probabilities; None for numbers."""
        return self.model.classes_ if is_classifier(self.model) else None

    @property
    def takes_gaps(self) -> bool:
        """Whether a row with a gap can be predicted."""
        return bool(get_tags(self.model).input_tags.allow_nan)

    def plan(self, names: Any) -> tuple[dict[str, str | None], tuple[str, ...]]:
        """The column that each input is read from, None for the input that is missing; and columns of marks."""
        found = {f: f if f in names else _marked(f, names) for f in self.features}
        marked = dict.fromkeys(c for f, c in found.items() if c is not None and c != f)
        return found, tuple(marked)

    def mismatch(self, columns: dict[str, np.ndarray]) -> Mismatch:
        """What is unlike the tables of the fit."""
        found, marked = self.plan(columns)
        rule = LEFT if self.takes_gaps else NONE
        odd: dict[str, Counter] = {}
        gaps: dict[str, int] = {}
        for name in dict.fromkeys(c for c in found.values() if c is not None):
            words = as_words(columns[name])
            if name in marked:
                known = {f[len(name) + 1 :] for f, c in found.items() if c == name and f != c}
                odd[name] = Counter(w for w in words if w is not None and w not in known)
            else:
                lost = np.isnan(as_numbers(columns[name]))
                odd[name] = Counter(w for w, gone in zip(words, lost, strict=True) if gone and w is not None)
            gaps[name] = sum(w is None for w in words)
        return Mismatch(
            tuple(f for f, c in found.items() if c is None),
            tuple(n for n in columns if n not in found.values()),
            {n: dict(c.most_common()) for n, c in odd.items() if c},
            {n: k for n, k in gaps.items() if k},
            {n: f"{FIRST}; gaps: {rule}" if n in marked else rule for n in odd},
        )

    def predict_table(self, columns: dict[str, np.ndarray], level: float = 0.95) -> dict[str, np.ndarray]:
        """Predictions by column; see `suffice predict`."""
        Z = self.numbers(columns)
        whole = np.full(len(Z), self.takes_gaps) | ~np.isnan(Z).any(axis=1)
        # for the names and kinds of the answers
        some = Z[whole] if whole.any() else np.zeros((1, Z.shape[1]))
        out = _answers(self.model, NamedArray(some, self.features), level)
        return {name: _spread(values[: whole.sum()], whole) for name, values in out.items()}

    def numbers(self, columns: dict[str, np.ndarray]) -> np.ndarray:
        """The inputs; NaN for gaps."""
        found, _ = self.plan(columns)
        absent = [f for f, c in found.items() if c is None]
        if absent:
            shown = ", ".join(map(repr, absent[:12]))
            raise InvalidInput(
                f"The table lacks {shown}, which the fit has used.{did_you_mean(absent[0], list(columns))}"
            )
        n = len(next(iter(columns.values())))
        words = {c: as_words(columns[c]) for f, c in found.items() if c is not None and c != f}
        Z = np.empty((n, len(found)))
        for j, (feature, name) in enumerate(found.items()):
            if name in words and name != feature:
                level = feature[len(name) + 1 :]
                Z[:, j] = [np.nan if w is None else float(w == level) for w in words[name]]
            else:
                check_decimals(columns[feature], f"Column {feature!r}")
                Z[:, j] = as_numbers(columns[feature])
        return Z


def column_model(model: Any, target: str | None, path: Any) -> ColumnModel:
    """A model of `suffice fit`; raises for anything that predicts no column, or knows no names."""
    if not isinstance(model, BaseEstimator) or not (is_classifier(model) or is_regressor(model)):
        raise InvalidInput(f"{str(path)!r} holds {type(model).__name__}, which predicts nothing.")
    if getattr(model, "feature_names_in_", None) is None:
        raise InvalidInput(
            f"{str(path)!r}: {type(model).__name__} was fitted without names of columns, so nothing says which column "
            "is which; fit it to a table, or predict in Python."
        )
    return ColumnModel(model, target)


def _marked(feature: str, names: Any) -> str | None:
    """The column whose category a mark such as `city=Rome` names."""
    cuts = (feature[:i] for i, letter in enumerate(feature) if letter == "=")
    return next((start for start in cuts if start in names), None)


def _answers(model: Any, X: NamedArray, level: float) -> dict[str, np.ndarray]:
    """Labels with probabilities, or numbers with intervals, as far as the model has them."""
    out = {"prediction": np.asarray(model.predict(X))}
    if out["prediction"].ndim > 1:
        raise InvalidInput(f"{type(model).__name__} predicts several columns at once; use Python for that.")
    if is_classifier(model):
        if callable(getattr(model, "predict_proba", None)):
            shares = np.asarray(model.predict_proba(X))
            out |= {f"probability of {c}": shares[:, k] for k, c in enumerate(model.classes_)}
    elif callable(getattr(model, "predict_dist", None)):
        d = model.predict_dist(X)
        low, high = d.interval(level)
        out |= {"low": np.asarray(low), "high": np.asarray(high), "std": np.asarray(d.std)}
    return out


def _spread(values: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Values at the rows they belong to, gaps elsewhere."""
    if whole.all():
        return values
    if values.dtype.kind == "f":
        out = np.full(len(whole), np.nan)
    else:
        out = np.full(len(whole), None, dtype=object)
    out[whole] = values
    return out
