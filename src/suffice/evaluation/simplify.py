r"""Is it the training or the data? A smaller model and fewer rows, on the same folds (DTU §7.3.3).

Of nested models that are trained as meant, the larger one fits the rows it has seen at least as well, and more rows
do not make predictions worse. Where one of these fails beyond chance, the trouble is in the training: the optimizer,
its start or step, columns on very different scales, a mistake in the code.

    smaller model, rows seen    T_small − T < 0   →  training
    fewer rows, new rows        G_few − G < 0     →  training
    smaller model, new rows     G_small − G < 0   →  the model is too flexible for these rows

Differences are means per fold, judged by the correlated t test.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import check_cv

from suffice._core.errors import InvalidParameter, check_fraction
from suffice._core.frames import to_frame
from suffice._core.losses import resolve_loss
from suffice._core.records import record
from suffice.evaluation.comparisons.correlated import correlated_t
from suffice.evaluation.findings import Finding
from suffice.evaluation.learning import LearningCurve, learning_curve


@record
class SimplifyToDebug:
    """Losses of the model, of a smaller one and of fewer rows; what they point to, and the sentence that says so.

    `trouble` is "training", "too flexible" or "none found". The three findings are differences "simpler less model":
    negative where the simpler one is better.
    """

    trouble: str
    smaller_on_seen: Finding
    smaller_on_new: Finding
    fewer_rows_on_new: Finding
    losses: dict[str, tuple[float, float]]
    sentence: str

    def frame(self, kind: str = "pandas") -> Any:
        """A row per way to train: its loss on the rows seen and on new ones."""
        seen, new = zip(*self.losses.values(), strict=True)
        return to_frame({"trained": list(self.losses), "rows seen": seen, "new rows": new}, kind)

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<SimplifyToDebug: {self.trouble}>"


def simplify_to_debug(
    model: Any,
    smaller: Any,
    X: Any,
    y: Any,
    *,
    share: float = 0.25,
    cv: Any = 10,
    loss: Any = None,
    confidence: float = 0.95,
    random_state: Any = None,
) -> SimplifyToDebug:
    """Try a smaller model and fewer rows: what gets better says where to look.

    Parameters
    ----------
    model
        The one that disappoints.
    smaller
        A special case of it with fewer weights: fewer hidden units, a lower order, a linear model. A heavier penalty
        is not a special case, for it may fit the rows seen worse.
    share
        Of the training rows, for "fewer rows".
    confidence
        Of each of the three comparisons.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.bases import Polynomial
    >>> from suffice.evaluation import simplify_to_debug
    >>> from suffice.linear import LinearRegression
    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(-1, 1, (120, 4))
    >>> y = X[:, 0] + rng.normal(size=120)
    >>> cubic = LinearRegression(basis=Polynomial(3, interactions=True))
    >>> simplify_to_debug(cubic, LinearRegression(), X, y, share=0.5).trouble
    'too flexible'
    """
    share = check_fraction("share", share)
    loss = resolve_loss(loss, model)
    if (is_classifier(model), is_regressor(model)) != (is_classifier(smaller), is_regressor(smaller)):
        kinds = f"{type(model).__name__} and {type(smaller).__name__}"
        raise InvalidParameter(f"model and smaller must both be classifiers or both regressors; got {kinds}.")
    folds = list(check_cv(cv, y, classifier=is_classifier(model)).split(X, y))
    settings: dict[str, Any] = {"cv": folds, "loss": loss, "random_state": random_state}
    curve = learning_curve(model, X, y, sizes=[share, 1.0], **settings)
    small = learning_curve(smaller, X, y, sizes=[1.0], baseline=curve.baseline, **settings)
    tested = float(np.mean([len(test) for _, test in folds])) / len(y)
    compared = {"confidence": confidence, "loss": loss.name, "names": ("the smaller model", "the model")}
    seen = correlated_t(small.fold_train[-1] - curve.fold_train[-1], tested, **compared)
    new = correlated_t(small.fold_test[-1] - curve.fold_test[-1], tested, **compared)
    compared["names"] = ("the model on fewer rows", "the model")
    few = correlated_t(curve.fold_test[0] - curve.fold_test[-1], tested, **compared)
    rounding = 1e-9 * float(np.max(np.abs([curve.fold_test, curve.fold_train]), initial=0.0))
    ahead = {
        name: f if _better(f, rounding) else None for name, f in (("seen", seen), ("few", few), ("new", new))
    }
    if ahead["seen"] or ahead["few"]:
        trouble, said = "training", _of_training(ahead["seen"], ahead["few"])
    else:
        trouble, said = "too flexible" if ahead["new"] else "none found", _of_data(ahead["new"])
    return SimplifyToDebug(trouble, seen, new, few, _losses(curve, small), said)


def _better(simpler: Finding, rounding: float) -> bool:
    """Whether the whole interval of the difference is below zero, and by more than rounding."""
    return simpler.interval is not None and simpler.interval[1] < -rounding


def _losses(curve: LearningCurve, small: LearningCurve) -> dict[str, tuple[float, float]]:
    return {
        "the model": (float(curve.train[-1]), float(curve.test[-1])),
        "a smaller model": (float(small.train[-1]), float(small.test[-1])),
        f"the model on {curve.sizes[0]} of {curve.sizes[-1]} rows": (
            float(curve.train[0]),
            float(curve.test[0]),
        ),
    }


def _of_training(seen: Finding | None, few: Finding | None) -> str:
    """What counted against the training, and where to look."""
    what = [
        *([f"The smaller model fits even the rows seen better ({_difference(seen)})."] if seen else []),
        *([f"Trained on fewer rows the model predicts new ones better ({_difference(few)})."] if few else []),
    ]
    advice = (
        "Look for the trouble in the training: the optimizer, its start and step, the scale of the columns."
    )
    return " ".join([*what, advice])


def _of_data(new: Finding | None) -> str:
    """Where nothing counts against the training."""
    if new is not None:
        return (
            f"The smaller model predicts new rows better ({_difference(new)}), but fits those seen no better: training "
            "works, and the model is too flexible for so few rows. Take the smaller one, or penalize this one more."
        )
    return (
        "Neither a smaller model nor fewer rows do better beyond chance, so nothing points to the training. Better "
        "columns, more rows or another kind of model may help; suffice.evaluation.learning_curve says which."
    )


def _difference(found: Finding) -> str:
    assert found.interval is not None
    low, high = found.interval
    return f"{found.estimate:.3g}, {found.confidence:.0%} interval [{low:.3g}, {high:.3g}]"
