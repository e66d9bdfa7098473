r"""Logistic regression with penalties chosen by cross-validation (PRML §1.3, DTU Method 10.3.2).

For every C and share ρ of absolute values the model is fitted to all folds but one and scored on that one; the pair
with the best mean score is fitted to all rows. Fits to folds are exact, and share their work (`Refits`).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metadata_routing import UNUSED, _raise_for_params, _routing_enabled, process_routing

from suffice._core.errors import InvalidParameter, as_numbers, check_choice, check_flags
from suffice._core.numerics import first_largest
from suffice._core.records import storable
from suffice._estimator import Estimator, check_is_fitted, remember_columns
from suffice._estimator.chosen_by_folds import ChoosesByFolds
from suffice._estimator.no_effect import is_whole
from suffice.bases import Basis
from suffice.distributions import Categorical
from suffice.engine import one_blas_thread
from suffice.glm._shell.fold_grid import FoldGrid, FoldScorer, fold_grid, scorer_of_classes, with_weights
from suffice.glm._shell.peer_penalty import no_share
from suffice.glm.logistic_regression import LogisticRegression

WARN = "warn"  # scikit-learn's sign for a default that will change
CHANGES = {
    "l1_ratios": "The default value for l1_ratios will change from None to (0.0,) in scikit-learn 1.10. Give a value, "
    "such as l1_ratios=(0,).",
    "scoring": "The default value of the parameter 'scoring' will change from None, i.e. accuracy, to 'neg_log_loss' "
    "in scikit-learn 1.11. Give a value, such as scoring='neg_log_loss'.",
    "use_legacy_attributes": "The default value of use_legacy_attributes will change from True to False in "
    "scikit-learn 1.10, and with it the shapes of attributes. Give a value.",
}
PASSED_ON = (
    "fit_intercept",
    "dual",
    "solver",
    "tol",
    "max_iter",
    "n_jobs",
    "verbose",
    "intercept_scaling",
    "random_state",
    "standardize",
    "basis",
)


@storable
@dataclass(eq=False, repr=False)
class LogisticRegressionCV(ChoosesByFolds, ClassifierMixin, Estimator):
    """Logistic regression whose `C` and `l1_ratio` score best on rows they have not seen.

    Parameters
    ----------
    Cs
        Values of C, or how many from 10⁻⁴ to 10⁴.
    l1_ratios
        Shares of absolute values in the penalty, as `l1_ratio` of `LogisticRegression`; None for squares alone.
    cv
        What `sklearn.model_selection.check_cv` takes; 5 stratified folds by default.
    penalty
        As scikit-learn had it before 1.8: "l2", "l1" or "elasticnet"; "deprecated" leaves it to `l1_ratios`.
    scoring
        A scorer or the name of one, greater is better; None for accuracy.
    class_weight
        As in `LogisticRegression`; "balanced" by all rows.
    refit
        Whether to fit the best pair to all rows. False: weights, C and l1_ratio are means of the best of each fold.
    use_legacy_attributes
        Shapes of attributes as in scikit-learn before 1.8.
    fit_intercept, intercept_scaling, solver, tol, max_iter, dual, random_state, verbose, n_jobs, basis, standardize
        As in `LogisticRegression`.

    Attributes
    ----------
    model_
        The `LogisticRegression` that answers.
    coefs_paths_, scores_, n_iter_
        Weights (the constant last), scores and steps for every fold, l1_ratio and C (in this order). A fit that was had
        from that to all rows counts as one step. With `use_legacy_attributes` as scikit-learn's: weights and
        scores in a dict by class, the order fold, C, l1_ratio (this one only where `l1_ratios` were given).
    C_, l1_ratio_
        The best pair; with `use_legacy_attributes` repeated for every class.

    Notes
    -----
    Defaults "warn" mean what scikit-learn 1.9's do today, with its warning that they will change.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from suffice.glm import LogisticRegressionCV
    >>> X, y = load_iris(return_X_y=True)
    >>> said = {"scoring": "neg_log_loss", "use_legacy_attributes": False}
    >>> model = LogisticRegressionCV(Cs=[0.1, 1, 10], l1_ratios=(0, 1), **said).fit(X, y)
    >>> print(model.C_, model.l1_ratio_, model.scores_.mean(axis=0).round(3)[0])
    10.0 1.0 [-0.331 -0.14  -0.068]
    """

    _scores_answers = True
    __metadata_request__score = {"sample_weight": UNUSED}  # noqa: RUF012 (it is the scorer's to ask for)

    _: KW_ONLY
    Cs: Any = 10
    l1_ratios: Any = WARN
    fit_intercept: bool = True
    cv: Any = None
    dual: bool = False
    penalty: Any = "deprecated"
    scoring: Any = WARN
    solver: Literal["lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"] = "lbfgs"
    tol: float = 1e-4
    max_iter: int = 100
    class_weight: Any = None
    n_jobs: int | None = None
    verbose: int = 0
    refit: bool = True
    intercept_scaling: float = 1.0
    random_state: Any = None
    use_legacy_attributes: Any = WARN
    basis: Basis | None = None
    standardize: bool = False

    model_: LogisticRegression = field(init=False)
    classes_: np.ndarray = field(init=False)
    Cs_: np.ndarray = field(init=False)
    l1_ratios_: np.ndarray = field(init=False)
    coefs_paths_: Any = field(init=False)
    scores_: Any = field(init=False)
    n_iter_: np.ndarray = field(init=False)
    C_: Any = field(init=False)
    l1_ratio_: Any = field(init=False)
    n_features_in_: int = field(init=False)
    feature_names_in_: np.ndarray = field(init=False)

    # -- what is tried -----------------------------------------------------------------------------------------
    def _warn_of_changes(self) -> None:
        for name, text in CHANGES.items():
            value = getattr(self, name)
            if isinstance(value, str) and value == WARN:
                warnings.warn(text, FutureWarning, stacklevel=3)
        if self.l1_ratios is None and self.penalty == "deprecated":
            warnings.warn(no_share("l1_ratios"), FutureWarning, stacklevel=3)

    def _given(self, name: str, default: Any) -> Any:
        """The value of a parameter whose default is about to change."""
        value = getattr(self, name)
        return default if isinstance(value, str) and value == WARN else value

    def _check_parameters(self) -> None:
        check_flags(self, "refit")
        check_choice("penalty", self.penalty, ("l1", "l2", "elasticnet", "deprecated"))
        legacy = self._given("use_legacy_attributes", True)
        if not isinstance(legacy, bool | np.bool_):
            raise InvalidParameter(f"use_legacy_attributes must be True or False; got {legacy!r}.")

    def _values_of_C(self) -> np.ndarray:
        if np.ndim(self.Cs) == 0 and not is_whole(self.Cs, 1):
            raise InvalidParameter(f"Cs must be values of C, or an integer >= 1; got {self.Cs!r}.")
        values = np.logspace(-4, 4, int(self.Cs)) if np.ndim(self.Cs) == 0 else as_numbers("Cs", self.Cs)
        if values.ndim != 1 or not len(values) or not np.all(values > 0):
            raise InvalidParameter(f"Cs must be a vector of numbers > 0; got {self.Cs!r}.")
        return values

    def _shares(self) -> tuple[np.ndarray, bool]:
        """The values of l1_ratio, and whether they were given."""
        given = self._given("l1_ratios", None)
        if self.penalty == "elasticnet" and given is None:
            raise InvalidParameter(
                "l1_ratios must be numbers in [0, 1] where penalty='elasticnet'; got None."
            )
        if self.penalty in ("l1", "l2") or given is None:
            return np.array([float(self.penalty == "l1")]), False
        shares = as_numbers("l1_ratios", given)
        if shares.ndim != 1 or not len(shares) or not np.all((shares >= 0) & (shares <= 1)):
            raise InvalidParameter(f"l1_ratios must be a vector of numbers in [0, 1]; got {given!r}.")
        return shares, True

    def _scoring(self) -> Any:
        return self._given("scoring", None)

    # -- the fit -----------------------------------------------------------------------------------------------
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Self:
        """Choose by folds, and fit to a table.

        Parameters
        ----------
        X
            Rows are observations. Arrays, pandas, polars and Arrow tables and sparse matrices are taken.
        y
            Labels: strings, booleans or whole numbers.
        sample_weight
            How often each row counts, in fits and in scores that take it.
        params
            For the splitter and the scorer, where scikit-learn's metadata routing is enabled.
        """
        _raise_for_params(params, self, "fit")
        self._warn_of_changes()
        return self.reported(lambda tick: self._fit(X, y, sample_weight, params))

    @one_blas_thread()
    def _fit(self, X: Any, y: Any, sample_weight: Any, params: Mapping[str, Any]) -> Self:
        self._check_parameters()
        Cs, (shares, given) = self._values_of_C(), self._shares()
        model = LogisticRegression(**{name: getattr(self, name) for name in PASSED_ON})
        rows, plan = model.door(X, y, sample_weight)
        codes = rows.Y.astype(np.intp)
        labels = plan.classes[codes]
        model.class_weight = self._class_weight(labels, plan.classes, rows.weight)
        for_split, for_score = self._routed(sample_weight, params)
        folds = self._folds(rows.X, labels, for_split)
        scorer = scorer_of_classes(self._get_scorer(), plan.classes)
        name = self._given("scoring", None) or "accuracy"
        known = name if isinstance(name, str) else None
        fold_scorer = FoldScorer(scorer, rows.X, labels, for_score, codes, known)
        grid = fold_grid(model, rows, plan, folds, shares.tolist(), Cs, fold_scorer)
        C, share, weights = _chosen(grid, Cs, shares, self.refit)
        best = model.set_params(C=C, l1_ratio=share)._fit_rows(rows, plan, None)
        remember_columns(self, plan.header)
        self.model_ = best if weights is None else with_weights(best, weights)
        self.classes_, self.Cs_, self.l1_ratios_ = plan.classes, Cs, shares
        self._publish(grid, C, share, given)
        return self

    def _class_weight(self, labels: np.ndarray, classes: np.ndarray, weight: np.ndarray | None) -> Any:
        """By label: that of all rows for those of every fold."""
        if not (isinstance(self.class_weight, str) and self.class_weight == "balanced"):
            return self.class_weight
        counts = np.array([np.sum((labels == c) * (1.0 if weight is None else weight)) for c in classes])
        return dict(zip(classes.tolist(), counts.sum() / (len(classes) * counts), strict=True))

    def _publish(self, grid: FoldGrid, C: float, share: float, given: bool) -> None:
        self.coefs_paths_, self.scores_, self.n_iter_ = grid.paths, grid.scores, grid.steps
        self.C_, self.l1_ratio_ = C, share
        if not self._given("use_legacy_attributes", True):
            return
        names = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        scores, steps = (np.swapaxes(a, 1, 2) for a in (grid.scores, grid.steps))
        paths = np.swapaxes(grid.paths, 1, 2)
        if not given:
            scores, steps, paths = scores[:, :, 0], steps[:, :, 0], paths[:, :, 0]
        self.coefs_paths_ = {c: paths[..., k, :] for k, c in enumerate(names.tolist())}
        self.scores_ = {c: scores.copy() for c in names.tolist()}
        self.n_iter_ = steps[None]
        self.C_, self.l1_ratio_ = np.full(len(names), C), np.full(len(names), share)

    # -- what is asked -----------------------------------------------------------------------------------------
    def predict_proba(self, X: Any) -> np.ndarray:
        """P(c | x), columns as in `classes_`."""
        check_is_fitted(self)
        return self.model_.predict_proba(X)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(c | x), exact where the probability itself would vanish."""
        check_is_fitted(self)
        return self.model_.predict_log_proba(X)

    def predict_dist(self, X: Any) -> Categorical:
        """`predict_proba` as a distribution over `classes_`."""
        check_is_fitted(self)
        return self.model_.predict_dist(X)

    def score(self, X: Any, y: Any, *, sample_weight: Any = None, **score_params: Any) -> float:
        """The score by `scoring`."""
        _raise_for_params(score_params, self, "score")
        if sample_weight is not None:
            score_params["sample_weight"] = sample_weight
        if _routing_enabled():
            score_params = process_routing(self, "score", **score_params).scorer.score
        return self._get_scorer()(self, X, y, **score_params)

    def sparsify(self) -> Self:
        """Hold `coef_` as a sparse matrix."""
        check_is_fitted(self)
        self.model_.sparsify()
        return self

    def densify(self) -> Self:
        """Hold `coef_` as an array again."""
        check_is_fitted(self)
        self.model_.densify()
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = not self.fit_intercept
        return tags


def _chosen(
    grid: FoldGrid, Cs: np.ndarray, shares: np.ndarray, refit: bool
) -> tuple[float, float, np.ndarray | None]:
    """C, l1_ratio, and the mean weights if all rows are not to be fitted. Of equal scores the first C is taken."""
    scores = np.swapaxes(grid.scores, 1, 2)  # (folds, Cs, shares)
    if refit:
        j, s = np.unravel_index(first_largest(scores.sum(axis=0)), scores.shape[1:])
        return float(Cs[j]), float(shares[s]), None
    best = [np.unravel_index(first_largest(one), one.shape) for one in scores]
    weights = np.mean([grid.paths[i, s, j] for i, (j, s) in enumerate(best)], axis=0)
    return float(np.mean([Cs[j] for j, _ in best])), float(np.mean([shares[s] for _, s in best])), weights
