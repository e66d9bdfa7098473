"""Every public estimator, found by walking the package, with the settings it is tested at."""

from __future__ import annotations

import inspect
import pkgutil
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.utils import get_tags

import suffice
from suffice.baselines import LastValue, MajorityClassifier, MeanRegressor, MedianRegressor, PriorClassifier
from suffice.bases import (
    CustomBasis,
    FourierBasis,
    GaussianBasis,
    Interactions,
    Polynomial,
    SigmoidBasis,
    SplineBasis,
    TanhBasis,
    WaveletBasis,
)
from suffice.distributions import Beta, Gamma, Normal
from suffice.generative import BayesClassifier, BernoulliNB, MultinomialNB
from suffice.generative.categorical_nb import CategoricalNB
from suffice.generative.fisher_discriminant import FisherDiscriminant
from suffice.generative.gaussian_nb import GaussianNB
from suffice.generative.joint_table_classifier import JointTableClassifier
from suffice.generative.least_squares_classifier import LeastSquaresClassifier
from suffice.generative.linear_discriminant import LinearDiscriminantAnalysis
from suffice.generative.mixed_nb import MixedNB
from suffice.generative.perceptron import Perceptron
from suffice.generative.quadratic_discriminant import QuadraticDiscriminantAnalysis
from suffice.generative.ridge_classifier import RidgeClassifier
from suffice.generative.ridge_classifier_cv import RidgeClassifierCV
from suffice.glm import (
    GLM,
    GammaRegressor,
    LogisticRegression,
    LogisticRegressionCV,
    PoissonRegression,
    PoissonRegressor,
    ProbitRegression,
    SoftmaxRegression,
)
from suffice.glm.bayesian_logistic import BayesianLogisticRegression
from suffice.glm.bayesian_poisson import BayesianPoissonRegression
from suffice.inference import LaplaceApproximation
from suffice.likelihoods import GaussianIdentity
from suffice.linear import (
    ARDRegression,
    BayesianLinearRegression,
    BayesianRidge,
    ConjugateLinearRegression,
    ElasticNet,
    ElasticNetCV,
    Lasso,
    LassoCV,
    LeastAbsoluteDeviations,
    LeastMeanSquares,
    LinearRegression,
    QNormRegression,
    Ridge,
    RidgeCV,
    SimpleLinearRegression,
)
from suffice.mixtures import (
    BernoulliMixture,
    CategoricalMixture,
    GaussianMixture,
    GibbsGaussianMixture,
    MixtureModel,
    MultinomialMixture,
    PoissonMixture,
)
from suffice.prepare import BasisTransformer, CalendarFeatures, Standardizer
from suffice.prepare.texts.count_vectorizer import CountVectorizer
from suffice.prepare.texts.tfidf import TfidfTransformer
from suffice.prepare.transforming.affine import Affine
from suffice.prepare.transforming.binarizer import Binarizer
from suffice.prepare.transforming.centerer import Centerer
from suffice.prepare.transforming.log_transform import LogTransform
from suffice.prepare.transforming.one_hot_encoder import OneHotEncoder
from suffice.prepare.transforming.simple_imputer import SimpleImputer
from suffice.prepare.transforming.table_encoder import TableEncoder
from suffice.prepare.transforming.whitener import Whitener

from .capabilities import TABLE, Capabilities


@dataclass(frozen=True)
class Entry:
    """A class and keyword arguments by the name of the setting; the last one is far from the defaults.

    `takes` says what the columns hold. The contract is tested on numbers; what takes something else has
    tests of its own.

    `ordered` says that rows are learned from one after the other, so that their order matters.

    `overlapping` says that classes which a plane tells apart leave no maximum to find, `two_classes` that there may
    be no third, `one_target` that y is one column, `by_folds` that parameters are chosen by folds, which follow the
    order and the number of rows.
    """

    cls: type
    settings: dict[str, dict[str, Any]]
    takes: str = "numbers"
    ordered: bool = False
    overlapping: bool = False
    two_classes: bool = False
    one_target: bool = False
    by_folds: bool = False

    @property
    def name(self) -> str:
        return public_name(self.cls)

    @property
    def kind(self) -> str:
        """What it does with rows: "classifier", "regressor", "density" or "transformer"."""
        model = self.cls()
        if is_density(model):
            return "density"
        return "classifier" if is_classifier(model) else "regressor" if is_regressor(model) else "transformer"

    @property
    def predicts(self) -> bool:
        """Whether it has targets."""
        return self.kind in ("classifier", "regressor")

    @property
    def capabilities(self) -> Capabilities:
        return TABLE[self.name]


def is_density(model: Any) -> bool:
    """Whether it is a density of rows, which has no targets and transforms nothing."""
    return get_tags(model).estimator_type == "density_estimator"


def public_name(cls: type) -> str:
    """`room.Class`."""
    return f"{cls.__module__.split('.')[1]}.{cls.__name__}"


def sine_and_cosine(X):
    """A function that makes several columns of several; at module level, so that it has a name."""
    import numpy as np

    return np.hstack([np.sin(X), np.cos(X)])


CHOOSING_FAR: dict[str, Any] = {
    "eps": 1e-2,
    "alphas": 4,
    "fit_intercept": False,
    "precompute": False,
    "max_iter": 500,
    "tol": 1e-12,
    "copy_X": False,
    "cv": 4,
    "verbose": 1,
    "n_jobs": 2,
    "random_state": 3,
    "selection": "random",
}

FAR_MIXTURE: dict[str, Any] = {
    "n_components": 3,
    "tol": 1e-3,
    "max_iter": 50,
    "n_init": 2,
    "init_params": "k-means++",
    "random_state": 4,
    "hard": True,
    "weights_prior": 3.0,
}

ENTRIES = (
    Entry(LastValue, {"default": {}, "first column": {"column": 0}, "far": {"column": -2}}),
    Entry(MajorityClassifier, {"default": {}}),
    Entry(MeanRegressor, {"default": {}}),
    Entry(MedianRegressor, {"default": {}}),
    Entry(PriorClassifier, {"default": {}}),
    Entry(
        LinearRegression,
        {
            "default": {},
            "through the origin": {"fit_intercept": False, "weight_kind": "precision"},
            "parabola, standardized": {"basis": Polynomial(2), "standardize": True},
            "functions": {"basis": CustomBasis([sine_and_cosine]), "weight_kind": "precision"},
            "splines and waves": {
                "basis": SplineBasis([-2.0, 0.0, 2.0], degree=1) + FourierBasis(1, period=9.0)
            },
            "variance of maximum likelihood": {"variance": "ml", "basis": Polynomial(2)},
            "far": {
                "fit_intercept": False,
                "basis": Polynomial(3) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "weight_kind": "precision",
                "rcond": 1e-12,
                "copy_X": False,
                "tol": 1e-3,
                "n_jobs": 2,
            },
            "truncated": {"singular_cutoff": 1e-6, "standardize": True},
            "positive": {"positive": True},
        },
    ),
    Entry(
        Ridge,
        {
            "default": {},
            "no penalty": {"alpha": 0.0, "weight_kind": "precision"},
            "all penalized": {"alpha": 2.5, "penalize_intercept": True, "penalty_scale": "mean"},
            "parabola, standardized": {"alpha": 1e-3, "basis": Polynomial(2), "standardize": True},
            "far": {
                "alpha": 1e4,
                "fit_intercept": False,
                "basis": Polynomial(2, interactions=True),
                "standardize": True,
                "penalty_scale": "unbiased",
                "copy_X": False,
                "max_iter": 7,
                "tol": 1e-2,
                "solver": "saga",
                "random_state": 5,
            },
            "positive": {"alpha": 0.1, "positive": True},
        },
    ),
    Entry(
        LeastAbsoluteDeviations,
        {
            "default": {},
            "through the origin": {"fit_intercept": False},
            "linear program": {"solver": "linear_program", "basis": Polynomial(2, interactions=True)},
            "standardized": {"standardize": True, "basis": Polynomial(2)},
            "far": {
                "fit_intercept": False,
                "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "solver": "descent",
            },
        },
    ),
    Entry(
        LeastMeanSquares,
        {
            "default": {},
            "constant rate": {"learning_rate": 1e-5, "epochs": 3},
            "shuffled": {"shuffle": True, "random_state": 4, "epochs": 20},
            "standardized": {"standardize": True, "learning_rate": 0.01, "epochs": 10},
            "far": {
                "learning_rate": 1e-9,
                "decay": 1e-3,
                "epochs": 5,
                "shuffle": True,
                "random_state": 1,
                "fit_intercept": False,
                "basis": Polynomial(2),
            },
        },
        ordered=True,
    ),
    Entry(SimpleLinearRegression, {"default": {}}, takes="one column"),
    Entry(
        Lasso,
        {
            "default": {},
            "small penalty": {"alpha": 1e-3, "weight_kind": "precision"},
            "through the origin": {"alpha": 0.05, "fit_intercept": False},
            "parabola, standardized": {"alpha": 0.02, "basis": Polynomial(2), "standardize": True},
            "positive": {"alpha": 0.05, "positive": True},
            "far": {
                "alpha": 0.3,
                "fit_intercept": False,
                "basis": Polynomial(2, interactions=True),
                "standardize": True,
                "precompute": True,
                "copy_X": False,
                "max_iter": None,
                "tol": 1e-12,
                "warm_start": True,
                "random_state": 3,
                "selection": "random",
            },
        },
    ),
    Entry(
        ElasticNet,
        {
            "default": {},
            "mostly squares": {"alpha": 1e-2, "l1_ratio": 0.1, "weight_kind": "precision"},
            "squares only": {"alpha": 0.05, "l1_ratio": 0.0},
            "positive": {"alpha": 0.05, "positive": True},
            "far": {
                "alpha": 0.3,
                "l1_ratio": 0.9,
                "fit_intercept": False,
                "basis": Polynomial(2, interactions=True),
                "standardize": True,
                "precompute": True,
                "copy_X": False,
                "max_iter": None,
                "tol": 1e-12,
                "random_state": 3,
                "selection": "random",
            },
        },
    ),
    Entry(
        RidgeCV,
        {
            "default": {},
            "through the origin": {"alphas": [1e-3, 3e-3], "fit_intercept": False},
            "many": {"alphas": np.geomspace(1e-6, 1e6, 40), "scoring": "r2"},
            "far": {
                "alphas": np.geomspace(1e-4, 1e4, 7),
                "fit_intercept": False,
                "scoring": "neg_mean_absolute_error",
                "gcv_mode": "svd",
            },
        },
        by_folds=True,
    ),
    Entry(
        LassoCV,
        {
            "default": {},
            "given penalties": {"alphas": [0.5, 1e-3], "cv": 3},
            "positive": {"alphas": 5, "positive": True},
            "far": CHOOSING_FAR,
        },
        ordered=True,
        by_folds=True,
        one_target=True,
    ),
    Entry(
        ElasticNetCV,
        {
            "default": {},
            "several shares": {"alphas": 5, "l1_ratio": [0.1, 0.9], "cv": 3, "positive": True},
            "mostly squares": {"alphas": [0.5, 1e-3], "l1_ratio": 0.01},
            "far": {"l1_ratio": [0.3, 1.0]} | CHOOSING_FAR,
        },
        ordered=True,
        by_folds=True,
        one_target=True,
    ),
    Entry(
        QNormRegression,
        {
            "default": {},
            "lasso": {"q": 1.0, "alpha": 3.0, "weight_kind": "precision"},
            "nearly lasso": {"q": 1.2, "alpha": 0.5, "fit_intercept": False},
            "far": {"q": 4.0, "alpha": 20.0, "basis": Polynomial(2), "standardize": True},
        },
    ),
    Entry(
        BayesianLinearRegression,
        {
            "default": {},
            "em": {"method": "em", "standardize": True},
            "known precisions": {"prior_precision": 0.3, "noise_precision": 25.0, "intercept": "prior"},
            "known noise": {"noise_precision": 2.0, "basis": GaussianBasis([-1.0, 0.0, 1.0], width=1.0)},
            "through the origin": {"prior_precision": 3.0, "fit_intercept": False},
            "far": {
                "prior_precision": 1e-4,
                "noise_precision": 1e3,
                "basis": Polynomial(3),
                "intercept": "prior",
                "standardize": True,
                "weight_kind": "precision",
            },
        },
    ),
    Entry(
        ConjugateLinearRegression,
        {
            "default": {},
            "all with a prior": {"prior_precision": 0.3, "shape": 2.0, "rate": 0.5, "intercept": "prior"},
            "bumps": {"rate": 0.02, "basis": GaussianBasis([-1.0, 0.0, 1.0], width=1.0)},
            "through the origin": {
                "prior_precision": 3.0,
                "fit_intercept": False,
                "weight_kind": "precision",
            },
            "far": {
                "prior_precision": 1e-4,
                "shape": 5.0,
                "rate": 100.0,
                "basis": Polynomial(3),
                "intercept": "prior",
                "standardize": True,
                "weight_kind": "precision",
            },
        },
    ),
    Entry(
        ARDRegression,
        {
            "default": {},
            "known noise": {"noise_precision": 2.0, "basis": Polynomial(2)},
            "all with a prior": {"intercept": "prior", "max_iter": 500, "compute_score": True},
            "bumps": {"basis": GaussianBasis([-1.0, 0.0, 1.0], width=1.0), "threshold_lambda": np.inf},
            "far": {
                "noise_precision": 25.0,
                "fit_intercept": False,
                "basis": Polynomial(2, interactions=True),
                "standardize": True,
                "weight_kind": "precision",
                "threshold_lambda": 1e6,
                "max_iter": 5000,
                "tol": 1e-6,
                "alpha_1": 0.0,
                "alpha_2": 0.0,
                "lambda_1": 0.0,
                "lambda_2": 0.0,
                "copy_X": False,
                "verbose": 1,
            },
        },
    ),
    Entry(
        BayesianRidge,
        {
            "default": {},
            "tight": {"tol": 1e-10, "max_iter": 2000, "compute_score": True},
            "through the origin": {"fit_intercept": False, "alpha_init": 2.0, "lambda_init": 0.1},
            "far": {
                "tol": 1e-12,
                "max_iter": 5000,
                "alpha_1": 2.0,
                "alpha_2": 0.5,
                "lambda_1": 1.0,
                "lambda_2": 3.0,
                "copy_X": False,
                "verbose": 1,
                "basis": Polynomial(2),
                "standardize": True,
            },
        },
    ),
    Entry(
        BayesClassifier,
        {
            "default": {},
            "equal priors": {"priors": "uniform"},
            "independent columns": {"density": Normal},
            "far": {"density": Normal, "priors": "uniform"},
        },
    ),
    Entry(
        FisherDiscriminant,
        {
            "default": {},
            "one direction": {"n_components": 1, "priors": "uniform"},
            "own variances": {"covariance": "own", "tol": 1e-6},
            "far": {"n_components": 1, "method": "mean_difference", "covariance": "own", "priors": "uniform"},
        },
    ),
    Entry(
        LeastSquaresClassifier,
        {
            "default": {},
            "through the origin": {"fit_intercept": False},
            "equal priors": {"priors": "uniform"},
            "far": {"fit_intercept": False, "priors": "uniform"},
        },
    ),
    Entry(
        RidgeClassifier,
        {
            "default": {},
            "through the origin": {"alpha": 0.3, "fit_intercept": False, "class_weight": "balanced"},
            "above zero": {"alpha": 2.0, "positive": True},
            "no penalty": {"alpha": 0.0},
            "far": {
                "alpha": 30.0,
                "fit_intercept": False,
                "copy_X": False,
                "max_iter": 7,
                "tol": 1e-2,
                "class_weight": "balanced",
                "solver": "saga",
                "positive": True,
                "random_state": 3,
            },
        },
    ),
    Entry(
        RidgeClassifierCV,
        {
            "default": {},
            "accuracy": {"alphas": [0.1, 3.0], "scoring": "accuracy", "store_cv_results": True},
            "folds": {"alphas": (0.01, 1.0, 30.0), "cv": 3},
            "far": {
                "alphas": [0.5, 5.0],
                "fit_intercept": False,
                "scoring": "balanced_accuracy",
                "class_weight": "balanced",
                "store_cv_results": True,
            },
        },
        by_folds=True,
    ),
    Entry(
        LinearDiscriminantAnalysis,
        {
            "default": {},
            "shrunk as much as needed": {"shrinkage": "auto", "priors": "uniform", "unbiased": True},
            "least squares": {"solver": "lsqr", "shrinkage": 0.2, "n_components": 1},
            "far": {
                "solver": "eigen",
                "store_covariance": True,
                "shrinkage": 0.9,
                "priors": "uniform",
                "n_components": 1,
                "tol": 1e-2,
                "covariance": "diagonal",
                "em_tol": 1e-3,
                "em_max_iter": 50,
            },
        },
    ),
    Entry(
        QuadraticDiscriminantAnalysis,
        {
            "default": {},
            "shrunk as much as needed": {"shrinkage": "auto", "priors": "uniform", "unbiased": True},
            "regularized": {"reg_param": 0.3},
            "far": {
                "solver": "eigen",
                "store_covariance": True,
                "shrinkage": 0.9,
                "reg_param": 0.8,
                "tol": 1e-2,
                "covariance": "diagonal",
                "em_tol": 1e-3,
                "em_max_iter": 50,
            },
        },
    ),
    Entry(
        Perceptron,
        {
            "default": {},
            "in order": {"shuffle": False},
            "pulled": {"penalty": "l1"},
            "far": {
                "penalty": "elasticnet",
                "alpha": 1e-5,
                "l1_ratio": 0.6,
                "max_iter": 300,
                "tol": 1e-4,
                "verbose": 1,
                "eta0": 1e-3,
                "n_jobs": 2,
                "n_iter_no_change": 9,
                "random_state": 4,
            },
        },
        ordered=True,
    ),
    Entry(
        BernoulliNB,
        {
            "default": {},
            "equal priors": {"alpha": 0.1, "binarize": 0.4, "fit_prior": False},
            "a prior": {"prior": Beta(2.0, 0.5)},
            "far": {"alpha": 20.0, "force_alpha": False, "binarize": -0.6, "class_prior": "uniform"},
        },
    ),
    Entry(
        MultinomialNB,
        {
            "default": {},
            "mode of a posterior": {"prior": 2.5, "fit_prior": False},
            "fully Bayesian": {"alpha": 0.5, "fully_bayesian": True},
            "far": {
                "prior": 30.0,
                "fully_bayesian": True,
                "force_alpha": False,
                "fit_prior": False,
                "class_prior": "uniform",
            },
        },
        takes="counts",
    ),
    Entry(
        GaussianNB,
        {
            "default": {},
            "robust estimate": {"unbiased": True, "std_offset": 0.5, "var_smoothing": 0.0},
            "equal priors": {"priors": "uniform"},
            "far": {"priors": "uniform", "var_smoothing": 0.3, "unbiased": True, "std_offset": 2.0},
        },
    ),
    Entry(
        CategoricalNB,
        {
            "default": {},
            "listed": {"categories": (("low", "high"), ("no", "yes"), ("a", "b", "c"))},
            "a prior": {"prior": Beta(2.0, 0.5)},
            "far": {
                "alpha": 0.1,
                "force_alpha": False,
                "fit_prior": False,
                "class_prior": "uniform",
                "min_categories": 5,
                "unknown": "smooth",
            },
        },
        takes="categories",
    ),
    Entry(
        MixedNB,
        {
            "default": {},
            "as told": {"kinds": "gaussian", "unbiased": True, "std_offset": 0.5, "var_smoothing": 0.0},
            "far": {
                "alpha": 0.1,
                "std_offset": 2.0,
                "var_smoothing": 0.3,
                "unbiased": True,
                "priors": "uniform",
                "unknown": "raise",
            },
        },
    ),
    Entry(
        JointTableClassifier,
        {
            "default": {},
            "smoothed": {"alpha": 1.0},
            "far": {"alpha": 0.5, "priors": "uniform", "unseen": "nan"},
        },
        takes="categories",
    ),
    Entry(
        LogisticRegression,
        {
            "default": {},
            "maximum likelihood": {"prior_precision": 0.0, "covariance": True},
            "parabola, standardized": {"C": 30.0, "basis": Polynomial(2), "standardize": True},
            "through the origin": {"C": 0.1, "fit_intercept": False, "class_weight": "balanced"},
            "lasso": {"penalty": "l1", "C": 0.5, "l1_ratio": 1.0, "standardize": True},
            "elastic net": {
                "l1_ratio": 0.5,
                "C": 2.0,
                "solver": "liblinear",
                "intercept_scaling": 5.0,
                "basis": Polynomial(2),
                "class_weight": "balanced",
            },
            "far": {
                "prior_precision": 20.0,
                "penalize_intercept": True,
                "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "class_weight": "balanced",
                "tol": 1e-10,
                "max_iter": 50,
                "dual": True,
                "random_state": 3,
                "verbose": 1,
                "n_jobs": 2,
                "solver": "saga",
            },
        },
        overlapping=True,
    ),
    Entry(
        LogisticRegressionCV,
        {
            "default": {},
            "elastic net": {
                "Cs": [0.1, 1.0],
                "l1_ratios": (0.5, 1.0),
                "scoring": "neg_log_loss",
                "use_legacy_attributes": False,
                "cv": 3,
                "penalty": "elasticnet",
            },
            "means of folds": {
                "Cs": [0.1, 1.0, 3.0],
                "l1_ratios": (0.0,),
                "scoring": "accuracy",
                "use_legacy_attributes": False,
                "refit": False,
                "fit_intercept": False,
            },
            "far": {
                "Cs": 3,
                "l1_ratios": (0.0, 0.3),
                "cv": 3,
                "dual": True,
                "scoring": "neg_log_loss",
                "solver": "liblinear",
                "tol": 1e-10,
                "max_iter": 50,
                "class_weight": "balanced",
                "n_jobs": 2,
                "verbose": 1,
                "intercept_scaling": 3.0,
                "random_state": 3,
                "use_legacy_attributes": False,
                "basis": Polynomial(2),
                "standardize": True,
            },
        },
        overlapping=True,
        by_folds=True,
    ),
    Entry(
        SoftmaxRegression,
        {
            "default": {},
            "reduced": {"prior_precision": 0.5, "parametrization": "reduced", "penalize_intercept": True},
            "with covariance": {"prior_precision": 3.0, "covariance": True},
            "through the origin": {"prior_precision": 1e-3, "fit_intercept": False, "standardize": True},
            "far": {
                "prior_precision": 20.0,
                "parametrization": "reduced",
                "fit_intercept": False,
                "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "class_weight": "balanced",
                "tol": 1e-10,
                "max_iter": 50,
            },
        },
        overlapping=True,
    ),
    Entry(
        ProbitRegression,
        {
            "default": {},
            "shrunk": {"prior_precision": 2.0, "penalize_intercept": True, "class_weight": "balanced"},
            "parabola through the origin": {
                "prior_precision": 0.1,
                "basis": Polynomial(2),
                "fit_intercept": False,
            },
            "far": {
                "prior_precision": 20.0,
                "penalize_intercept": True,
                "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "class_weight": "balanced",
                "tol": 1e-10,
                "max_iter": 50,
            },
        },
        overlapping=True,
        two_classes=True,
    ),
    Entry(
        PoissonRegression,
        {
            "default": {},
            "shrunk": {"prior_precision": 2.0, "penalize_intercept": True, "dispersion": "pearson"},
            "parabola through the origin": {
                "prior_precision": 0.1,
                "basis": Polynomial(2),
                "fit_intercept": False,
            },
            "far": {
                "prior_precision": 20.0,
                "penalize_intercept": True,
                "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "dispersion": "pearson",
                "tol": 1e-10,
                "max_iter": 50,
            },
        },
        takes="counts",
        one_target=True,
    ),
    Entry(
        PoissonRegressor,
        {
            "default": {},
            "likeliest": {"alpha": 0.0},
            "through the origin": {"alpha": 0.3, "fit_intercept": False},
            "far": {
                "alpha": 20.0,
                "fit_intercept": False,
                "solver": "newton-cholesky",
                "max_iter": 50,
                "tol": 1e-10,
                "verbose": 1,
            },
        },
        takes="counts",
        one_target=True,
    ),
    Entry(
        GammaRegressor,
        {
            "default": {},
            "likeliest": {"alpha": 0.0},
            "through the origin": {"alpha": 0.3, "fit_intercept": False},
            "far": {
                "alpha": 20.0,
                "fit_intercept": False,
                "solver": "newton-cholesky",
                "max_iter": 50,
                "tol": 1e-10,
                "verbose": 1,
            },
        },
        takes="counts",
        one_target=True,
    ),
    Entry(
        GLM,
        {
            "default": {},
            "estimated scatter": {"dispersion": "pearson", "information": "expected"},
            "parabola through the origin": {
                "fit_intercept": False,
                "basis": Polynomial(2),
                "dispersion": "deviance",
                "prior_precision": 0.1,
            },
            "far": {
                "likelihood": GaussianIdentity(4.0),
                "link": "identity",
                "prior_precision": 20.0,
                "penalize_intercept": True,
                "basis": Polynomial(2) + GaussianBasis([-1.0, 1.0], width=0.7),
                "standardize": True,
                "dispersion": "pearson",
                "information": "expected",
                "tol": 1e-10,
                "max_iter": 50,
            },
        },
        one_target=True,
    ),
    Entry(
        BayesianLogisticRegression,
        {
            "default": {},
            "known precision": {"prior_precision": 0.3, "intercept": "prior"},
            "standardized": {"standardize": True, "inference": LaplaceApproximation("probit")},
            "through the origin": {"prior_precision": 3.0, "fit_intercept": False},
            "far": {
                "prior_precision": 20.0,
                "inference": LaplaceApproximation("sampling", n_samples=200, seed=3),
                "intercept": "prior",
                "basis": Polynomial(2),
                "standardize": True,
                "tol": 1e-12,
                "max_iter": 50,
            },
        },
        overlapping=True,
        two_classes=True,
    ),
    Entry(
        BayesianPoissonRegression,
        {
            "default": {},
            "known precision": {"prior_precision": 0.3, "intercept": "prior"},
            "standardized": {"standardize": True, "inference": LaplaceApproximation("plug-in")},
            "through the origin": {"prior_precision": 3.0, "fit_intercept": False},
            "far": {
                "prior_precision": 20.0,
                "inference": LaplaceApproximation("sampling", n_samples=200, seed=3),
                "intercept": "prior",
                "basis": Polynomial(2),
                "standardize": True,
                "tol": 1e-12,
                "max_iter": 50,
            },
        },
        takes="counts",
        one_target=True,
    ),
    Entry(
        GaussianMixture,
        {
            "default": {},
            "balls": {"n_components": 2, "covariance_type": "spherical", "random_state": 1},
            "a prior on means": {
                "n_components": 2,
                "prior": Normal(0.0, 10.0),
                "reg_covar": 0.0,
                "max_iter": 1000,
                "random_state": 0,
            },
            "far": {
                "n_components": 2,
                "covariance_type": "diag",
                "tol": 1e-2,
                "reg_covar": 1e-3,
                "max_iter": 500,
                "n_init": 2,
                "init_params": "k-means++",
                "random_state": 4,
                "verbose": 1,
                "verbose_interval": 50,
                "hard": True,
                "prior": Normal(0.0, 100.0),
                "weights_prior": 3.0,
            },
        },
    ),
    Entry(
        BernoulliMixture,
        {
            "default": {},
            "three": {"n_components": 3, "random_state": 0},
            "far": FAR_MIXTURE | {"prior": Beta(2.0, 1.5)},
        },
        takes="counts",
    ),
    Entry(
        PoissonMixture,
        {
            "default": {},
            "three": {"n_components": 3, "random_state": 0},
            "far": FAR_MIXTURE | {"prior": Gamma(2.0, 1.0)},
        },
        takes="counts",
    ),
    Entry(
        MultinomialMixture,
        {
            "default": {},
            "three": {"n_components": 3, "random_state": 0},
            "far": FAR_MIXTURE | {"prior": 2.0},
        },
        takes="counts",
    ),
    Entry(
        CategoricalMixture,
        {
            "default": {},
            "listed": {"n_components": 2, "categories": (("low", "high"), ("no", "yes"), ("a", "b", "c"))},
            "far": FAR_MIXTURE | {"prior": 2.0, "unknown": "raise"},
        },
        takes="categories",
    ),
    Entry(
        MixtureModel,
        {
            "default": {},
            "as told": {"components": {"n": "gaussian"}, "reg_covar": 1e-3},
            "listed": {"categories": {"color": ("red", "blue")}},
            "far": FAR_MIXTURE
            | {"components": {"n": "poisson"}, "unknown": "raise", "prior": {"color": 2.0}},
        },
        takes="mixed columns",
    ),
    Entry(
        GibbsGaussianMixture,
        {
            "default": {},
            "few": {"n_components": 2, "concentration": 5.0},
            "far": {
                "n_components": 3,
                "concentration": 0.3,
                "n_samples": 50,
                "warmup": 20,
                "n_chains": 2,
                "thin": 2,
                "random_state": 4,
            },
        },
        takes="numbers, by sampling",
    ),
    Entry(Affine, {"default": {}, "factor": {"A": 2.0}, "shift": {"b": 3.0}, "far": {"A": -0.5, "b": 1e3}}),
    Entry(
        Binarizer,
        {
            "default": {},
            "above": {"threshold": 0.5, "inclusive": True},
            "far": {"threshold": -1.0, "copy": False, "inclusive": True},
        },
    ),
    Entry(Centerer, {"default": {}}),
    Entry(
        LogTransform,
        {"default": {}, "counts": {"offset": 1.0}, "far": {"offset": 100.0}},
        takes="positive numbers",
    ),
    Entry(
        OneHotEncoder,
        {
            "default": {},
            "fixed": {"categories": [["a", "b"]], "drop": "first"},
            "dense": {"sparse_output": False, "handle_unknown": "ignore"},
            "infrequent": {
                "handle_unknown": "infrequent_if_exist",
                "min_frequency": 3,
                "max_categories": 2,
                "feature_name_combiner": "{}={}".format,
            },
            "far": {
                "drop": "if_binary",
                "sparse_output": False,
                "dtype": np.float32,
                "min_frequency": 0.02,
                "max_categories": 50,
                "handle_unknown": "other",
                "missing": "zeros",
            },
        },
        takes="categories",
    ),
    Entry(
        SimpleImputer,
        {
            "default": {},
            "auto": {"strategy": "auto", "add_indicator": True},
            "middle": {"strategy": "median", "missing_values": None, "keep_empty_features": True},
            "far": {
                "strategy": "constant",
                "fill_value": -3.0,
                "missing_values": -99.5,
                "copy": False,
                "add_indicator": True,
                "keep_empty_features": True,
            },
        },
        takes="gaps",
    ),
    Entry(
        TableEncoder,
        {
            "default": {},
            "rare levels": {"least_rows": 20},
            "far": {"types": {}, "decimal": ",", "most_levels": 2, "least_rows": 1},
        },
        takes="mixed columns",
    ),
    Entry(Whitener, {"default": {}, "upright": {"method": "zca"}, "far": {"method": "cholesky"}}),
    Entry(
        BasisTransformer,
        {
            "default": {},
            "parabola": {"basis": Polynomial(2)},
            "bumps over the range": {"basis": GaussianBasis(4, width=1.0)},
            "functions": {"basis": CustomBasis([sine_and_cosine])},
            "steps and products": {
                "basis": SigmoidBasis(3, width=1.0) + TanhBasis([0.0], 0.5) + Interactions()
            },
            "waves and wavelets": {
                "basis": FourierBasis(2, period=5.0)
                + WaveletBasis(2, interval=(-3.0, 3.0))
                + SplineBasis([-2.0, 2.0])
            },
            "far": {"basis": Polynomial(3, interactions=True) + GaussianBasis([-1.0, 1.0], width=0.7)},
        },
    ),
    Entry(
        CountVectorizer,
        {
            "default": {},
            "stems": {"stop_words": "english", "stem": "english", "max_features": 50, "missing": "empty"},
            "given": {"vocabulary": ["dog", "fox", "quick fox"], "tokenizer": str.split},
            "letters": {"analyzer": "char_wb", "ngram_range": (2, 3), "preprocessor": str.upper},
            "far": {
                "stop_words": ["the", "and"],
                "dtype": np.float32,
                "stem": "german",
                "token_pattern": "whole words",
                "lowercase": False,
                "strip_accents": "unicode",
                "numbers": False,
                "ngram_range": (1, 2),
                "min_df": 2,
                "max_df": 0.9,
                "max_features": 20,
                "binary": True,
                "encoding": "latin-1",
                "decode_error": "replace",
                "missing": "empty",
            },
        },
        takes="documents",
    ),
    Entry(
        TfidfTransformer,
        {
            "default": {},
            "shares": {"norm": "l1", "smooth_idf": False},
            "counts alone": {"norm": None, "use_idf": False},
            "far": {"norm": "l1", "use_idf": False, "smooth_idf": False, "sublinear_tf": True},
        },
        takes="counts",
    ),
    Entry(
        CalendarFeatures,
        {
            "default": {},
            "one hot": {"one_hot": True},
            "far": {"features": ("month", "week", "day_of_year", "weekend"), "one_hot": True},
        },
        takes="datetimes",
    ),
    Entry(
        Standardizer,
        {
            "default": {},
            "only centred": {"with_std": False},
            "only scaled": {"with_mean": False},
            "far": {"with_mean": False, "with_std": False},
        },
    ),
)

TABULAR = tuple(e for e in ENTRIES if e.takes == "numbers")
CASES = {
    f"{e.cls.__name__}: {setting}": (e, parameters)
    for e in TABULAR
    for setting, parameters in e.settings.items()
}
ENDS = [name for name in CASES if name.endswith((": default", ": far"))]  # what a quick run tries
BETWEEN = [name for name in CASES if name not in ENDS]
THIRD = list(
    {name.partition(":")[0]: name for name in BETWEEN}.values()
)  # what `make test` tries beside them


def public_rooms() -> list[str]:
    """Modules whose whole dotted path is public."""
    found = pkgutil.walk_packages(suffice.__path__, "suffice.")
    names = [m.name for m in found]
    return [n for n in names if not any(part.startswith("_") for part in n.split("."))]


def public_estimators() -> dict[str, type]:
    """Concrete estimators that some public module lists in `__all__`.

    What needs another estimator to be built (a search, say) has tests of its own.
    """
    out = {}
    for room in public_rooms():
        module = import_module(room)
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if not (inspect.isclass(value) and issubclass(value, BaseEstimator)) or inspect.isabstract(value):
                continue
            if all(p.default is not p.empty for p in inspect.signature(value).parameters.values()):
                out[public_name(value)] = value
    return out
