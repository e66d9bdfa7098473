"""The same model in other units: which parameters go along when columns are multiplied by a and targets by b.

`in_units(model, a, b)` returns the model for the other units and whether columns may each have a unit of their own; or
None, and why there is no such law.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from suffice.bases import Polynomial

MIXED = 1e-6  # of a mixture of penalties
Law = tuple[Any, bool | str]


def in_units(model: Any, a: float, b: float) -> Law:
    name = type(model).__name__
    if name not in LAWS:
        return None, "it has an origin, or parameters in units that nothing names"
    basis = getattr(model, "basis", None)
    scaled = bool(getattr(model, "standardize", False)) and (basis is None or isinstance(basis, Polynomial))
    if basis is not None and not scaled and not (free(model) and isinstance(basis, Polynomial)):
        return None, "its functions have widths and places in units of the columns"
    found = LAWS[name](model, 1.0 if scaled else a, b)
    if found is None:
        return None, "an intercept is penalized, or has a prior, in units of its own"
    settings, each = found
    return clone(model).set_params(**settings), bool(each or scaled)


def free(model: Any) -> bool:
    """Whether nothing is penalized."""
    penalty = getattr(model, "prior_precision", getattr(model, "alpha", 0.0))
    return penalty == 0 and getattr(model, "C", None) is None


def shared(model: Any) -> bool:
    """Whether the intercept has a penalty or a prior in the units of the weights."""
    if not getattr(model, "fit_intercept", True):
        return False
    return bool(getattr(model, "penalize_intercept", False)) or getattr(model, "intercept", "flat") == "prior"


Settings = tuple[dict[str, Any], bool] | None


def nothing(model: Any, a: float, b: float) -> Settings:
    return {}, True


def together(model: Any, a: float, b: float) -> Settings:
    return {}, False


def ridge(model: Any, a: float, b: float) -> Settings:
    return None if shared(model) else ({"alpha": model.alpha * a**2}, model.alpha == 0)


def lasso(model: Any, a: float, b: float) -> Settings:
    return {"alpha": model.alpha * a * b}, model.alpha == 0


def elastic_net(model: Any, a: float, b: float) -> Settings:
    one, two = model.alpha * model.l1_ratio * a * b, model.alpha * (1 - model.l1_ratio) * a**2
    ratio = one / (one + two)
    if not MIXED <= ratio <= 1 - MIXED and 0 < model.l1_ratio < 1:
        return None  # the smaller of both is lost in a ratio
    return {"alpha": one + two, "l1_ratio": ratio}, False


def q_norm(model: Any, a: float, b: float) -> Settings:
    return {"alpha": model.alpha * b**2 * (a / b) ** model.q}, False


def known(value: Any, factor: float) -> Any:
    return value if isinstance(value, str) else value * factor


def bayesian(model: Any, a: float, b: float) -> Settings:
    if shared(model) and a != 1:
        return None
    given = {"prior_precision": known(model.prior_precision, a**2 / b**2)}
    return given | {"noise_precision": known(model.noise_precision, 1 / b**2)}, False


def conjugate(model: Any, a: float, b: float) -> Settings:
    if shared(model) and a != 1:
        return None
    return {"prior_precision": known(model.prior_precision, a**2), "rate": model.rate * b**2}, False


def relevance(model: Any, a: float, b: float) -> Settings:
    if shared(model) and a != 1:
        return None
    return {"noise_precision": known(model.noise_precision, 1 / b**2)}, False


def share_of_lasso(model: Any) -> float:
    """The share of absolute values in the penalty of a logistic regression."""
    penalty = getattr(model, "penalty", None)
    return (
        float(penalty == "l1") if penalty in ("l1", "l2") else float(getattr(model, "l1_ratio", 0.0) or 0.0)
    )


def with_link(model: Any, a: float, b: float) -> Settings:
    if b != 1 or (shared(model) and a != 1 and not free(model)):
        return None
    if getattr(model, "prior_precision", None) is None:
        if share := share_of_lasso(model):
            one, two = a * share / model.C, a**2 * (1 - share) / model.C
            mixed = {"l1_ratio": one / (one + two)} if 0 < share < 1 else {}
            return {"C": 1 / (one + two)} | mixed, False
        return ({"C": model.C / a**2} if model.C is not None else {"C": 1 / a**2}), False
    return {"prior_precision": known(model.prior_precision, a**2)}, free(model)


def discriminant(model: Any, a: float, b: float) -> Settings:
    if getattr(model, "reg_param", 0.0):
        return None
    return {}, model.shrinkage in (None, 0.0, "auto")


def gaussian_nb(model: Any, a: float, b: float) -> Settings:
    return None if model.std_offset else ({}, model.var_smoothing == 0)


def fisher(model: Any, a: float, b: float) -> Settings:
    return {}, model.method != "mean_difference"


def standardized(model: Any, a: float, b: float) -> Settings:
    return ({}, True) if model.with_mean and model.with_std else None


def no_axes(model: Any, a: float, b: float) -> Settings:
    return None if model.method == "zca" else ({}, False)


LAWS = {
    "MajorityClassifier": nothing, "MeanRegressor": nothing, "MedianRegressor": nothing, "PriorClassifier": nothing,
    "LinearRegression": nothing, "SimpleLinearRegression": nothing, "LeastAbsoluteDeviations": nothing,
    "Ridge": ridge, "Lasso": lasso, "ElasticNet": elastic_net, "QNormRegression": q_norm,
    "BayesianLinearRegression": bayesian, "ConjugateLinearRegression": conjugate, "ARDRegression": relevance,
    "LogisticRegression": with_link, "SoftmaxRegression": with_link, "ProbitRegression": with_link,
    "PoissonRegression": with_link, "BayesianLogisticRegression": with_link, "BayesianPoissonRegression": with_link,
    "GLM": with_link, "LinearDiscriminantAnalysis": discriminant, "QuadraticDiscriminantAnalysis": discriminant,
    "GaussianNB": gaussian_nb, "FisherDiscriminant": fisher, "LeastSquaresClassifier": nothing,
    "BayesClassifier": nothing,    "Standardizer": standardized, "Whitener": no_axes,
}  # fmt: skip
