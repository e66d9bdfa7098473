"""Which test modules of installed packages run, and which of their imports are swapped for ours."""

from __future__ import annotations

import importlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Swap:
    """`from package import name` gives ours."""

    package: str
    name: str
    room: str
    own_name: str = ""

    def ours(self) -> object:
        return getattr(importlib.import_module(self.room), self.own_name or self.name)


@dataclass(frozen=True)
class Group:
    """Test modules, what is swapped in them, tests that name a class but are of something else, and private methods of
    theirs that tests ask for what they compare with: those are lent to ours."""

    modules: tuple[str, ...]
    swaps: tuple[Swap, ...]
    not_of_the_class: tuple[str, ...] = ()
    lent: tuple[str, ...] = ()


def _swaps(package: str, room: str, *names: str) -> tuple[Swap, ...]:
    return tuple(Swap(package, name, f"suffice.{room}") for name in names)


LINEAR = "sklearn.linear_model"
GROUPS = {
    "linear": Group((f"{LINEAR}.tests.test_base",), _swaps(LINEAR, "linear", "LinearRegression")),
    "ridge": Group(
        (f"{LINEAR}.tests.test_ridge",),
        _swaps(LINEAR, "linear", "Ridge", "RidgeCV")
        + _swaps(LINEAR, "generative", "RidgeClassifier", "RidgeClassifierCV"),
    ),
    "lasso": Group(
        (f"{LINEAR}.tests.test_coordinate_descent", f"{LINEAR}.tests.test_sparse_coordinate_descent"),
        _swaps(LINEAR, "linear", "Lasso", "ElasticNet", "LassoCV", "ElasticNetCV"),
    ),
    "bayes": Group(
        (f"{LINEAR}.tests.test_bayes",), _swaps(LINEAR, "linear", "ARDRegression", "BayesianRidge")
    ),
    "logistic": Group(
        (f"{LINEAR}.tests.test_logistic",),
        _swaps(LINEAR, "glm", "LogisticRegression", "LogisticRegressionCV"),
        (
            "test_logistic_cv_multinomial_score",
        ),  # of a private function, which is handed a model's parameters
    ),
    "glm": Group(
        (f"{LINEAR}._glm.tests.test_glm",),
        _swaps(LINEAR, "glm", "PoissonRegressor", "GammaRegressor"),
        lent=("_get_loss",),
    ),
    "perceptron": Group((f"{LINEAR}.tests.test_perceptron",), _swaps(LINEAR, "generative", "Perceptron")),
    "naive_bayes": Group(
        ("sklearn.tests.test_naive_bayes",),
        _swaps(
            "sklearn.naive_bayes", "generative", "GaussianNB", "BernoulliNB", "CategoricalNB", "MultinomialNB"
        ),
    ),
    "discriminant": Group(
        ("sklearn.tests.test_discriminant_analysis",),
        _swaps(
            "sklearn.discriminant_analysis",
            "generative",
            "LinearDiscriminantAnalysis",
            "QuadraticDiscriminantAnalysis",
        ),
    ),
    "mixture": Group(
        ("sklearn.mixture.tests.test_gaussian_mixture", "sklearn.mixture.tests.test_mixture"),
        _swaps("sklearn.mixture", "mixtures", "GaussianMixture"),
        (
            "test_suffstat_sk_full",
            "test_suffstat_sk_tied",
            "test_suffstat_sk_diag",
            "test_gaussian_suffstat_sk_spherical",
            "test_compute_log_det_cholesky",
            "test_gaussian_mixture_log_probabilities",
            "test_gaussian_mixture_array_api_compliance",
            "test_gaussian_mixture_raises_where_array_api_not_implemented",
        ),
    ),
    "search": Group(
        ("sklearn.model_selection.tests.test_search",),
        _swaps("sklearn.model_selection", "evaluation", "GridSearchCV", "RandomizedSearchCV"),
    ),
}


def group_name(module: str) -> str:
    """The group of a test module, by the last part of its name."""
    return next(name for name, g in GROUPS.items() if any(m.endswith(f".{module}") for m in g.modules))


def group_of(module: str) -> Group:
    return GROUPS[group_name(module)]
