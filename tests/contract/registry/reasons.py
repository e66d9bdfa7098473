"""Capabilities and reasons that several estimators share."""

from __future__ import annotations

from .capabilities import Capabilities, No

NO_NAN = No(
    "A triangle holds products of columns, and a product with a missing cell is unknown. "
    "Dropping such rows silently would change the question; the error names the first one."
)
ADDING = {"weights": True, "statistics": True, "predict_dist": True, "sparse": True, "partial_fit": True}
LINEAR = ADDING | {"heldout": True}

NO_HAT = No(
    "Which weights are zero depends on the targets, so predictions are no linear function of them and have no "
    "hat matrix to take a row out of; statistics of folds are solved instead."
)

IGNORED = No("Columns are ignored, but a missing cell there is still a mistake worth hearing about.")
NO_ROWS = No("A transformer predicts nothing, so there is no row whose prediction could be held out.")
NO_TARGETS = No("A transformer has no model of the targets, so they have no probability under it.")
NOTHING_WEIGHED = No("It learns nothing from rows, so there is nothing that a row could count for.")
NOTHING_LEARNED = No("It learns nothing from rows, so there are no statistics to add up or take apart.")
NOTHING_ADDED = No("It learns nothing from rows, so a second part of them could add nothing.")


CHOOSING = Capabilities(
    nan=NO_NAN,
    weights=True,
    statistics=No(
        "Which penalty predicts best is told by rows left out, and one sum over all rows cannot be taken apart; "
        "best_estimator_ has statistics, and evaluation.validate_path takes those of folds."
    ),
    heldout=No(
        "A row left out may change the penalty that is chosen, which no formula for one penalty knows."
    ),
    evidence=No(
        "A penalty chosen by rows left out is no prior, so the targets have no probability under it."
    ),
    predict_dist=True,
    sparse=True,
    partial_fit=No("More rows make other folds, and another penalty may win, so all rows are needed again."),
)

ONLY_WITH_PRIOR = No(
    "Means and covariances have no prior unless one is given, and a prior has as many coordinates as X has columns, "
    "so none can be a setting here; with prior=NormalInverseWishart(...) there is log p(X | y)."
)


NO_GLM_PRIOR = No(
    "A penalty has no constant, and none at all where prior_precision is 0, so the targets have no probability; "
    "the Bayesian models of this room approximate it."
)


def newton(evidence: bool | No = NO_GLM_PRIOR) -> Capabilities:
    """Generalized linear models, which are fitted by Newton's method."""
    return Capabilities(
        nan=No(
            "The model is of targets given columns: without a joint density nothing says what a missing cell could "
            "have been; the error names the first one."
        ),
        weights=True,
        statistics=No(
            "Gradient and curvature belong to the weights at which they were taken and add only there, so no sums of "
            "fixed size can be kept, merged or taken apart."
        ),
        heldout=No(
            "Without some rows the maximum is elsewhere and has no closed form; folds are climbed anew, from the fit "
            "to all rows."
        ),
        evidence=evidence,
        predict_dist=True,
        sparse=True,
        partial_fit=No(
            "The curvature of earlier rows changes with the weights, so later rows would need all of them again; "
            "engine.fit reads a source as often as needed."
        ),
    )


NO_DENSE_ZEROS = No("A normal density centers every column, so no zero of a sparse table would stay one.")
WORDS = No("A cell that a sparse table does not store would be the category 0, and never a gap.")


def mixture(
    nan: bool | No = True, sparse: bool | No = NO_DENSE_ZEROS, predict_dist: bool | No = True
) -> Capabilities:
    """Mixtures, which are fitted by expectation–maximization."""
    return Capabilities(
        nan=nan,
        weights=True,
        statistics=No(
            "Expected counts belong to the parameters under which they were taken and add only there: two fitted "
            "mixtures must never be added."
        ),
        heldout=No(
            "Without some rows the maximum is elsewhere and has no closed form; folds are fitted anew."
        ),
        evidence=No(
            "It needs an integral over the parameters, which a maximum does not give; "
            "GibbsGaussianMixture samples them."
        ),
        predict_dist=predict_dist,
        sparse=sparse,
        partial_fit=No(
            "The shares of earlier rows change with the parameters, so later rows would need all of them again; "
            "engine.fit reads a source as often as needed."
        ),
    )


def label_baseline() -> Capabilities:
    """The baselines of classification differ in what they predict, not in what they can do."""
    return Capabilities(
        nan=IGNORED,
        weights=True,
        statistics=True,
        heldout=No(
            "Counts of classes answer every splitter exactly, and nothing could be faster than counting."
        ),
        evidence=No("The shares of the classes have no prior, so the probability of labels is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=True,
    )
