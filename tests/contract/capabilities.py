"""What each public estimator can do, in one table. A *no* carries its reason.

nan            rows with missing cells are taken as they are
weights        `sample_weight` counts rows
statistics     the fit factors through statistics that add: `collect`, `solve`, merge, forget
heldout        validation in closed form, without statistics of folds: `heldout(X, y, splits)`
evidence       `log_evidence_`
predict_dist   a distribution per row
sparse         sparse tables, with the answer of the dense one
partial_fit    rows in pieces, with the answer of one fit
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class No:
    """Not offered, and why."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Capabilities:
    """One row of the table."""

    nan: bool | No
    weights: bool | No
    statistics: bool | No
    heldout: bool | No
    evidence: bool | No
    predict_dist: bool | No
    sparse: bool | No
    partial_fit: bool | No

    def cells(self) -> dict[str, bool | No]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


_NO_NAN = No(
    "A triangle holds products of columns, and a product with a missing cell is unknown. "
    "Dropping such rows silently would change the question; the error names the first one."
)
_ADDING = {"weights": True, "statistics": True, "predict_dist": True, "sparse": True, "partial_fit": True}
_LINEAR = _ADDING | {"heldout": True}

_NO_HAT = No(
    "Which weights are zero depends on the targets, so predictions are no linear function of them and have no "
    "hat matrix to take a row out of; statistics of folds are solved instead."
)

_IGNORED = No("Columns are ignored, but a missing cell there is still a mistake worth hearing about.")
_NO_ROWS = No("A transformer predicts nothing, so there is no row whose prediction could be held out.")
_NO_TARGETS = No("A transformer has no model of the targets, so they have no probability under it.")
_NOTHING_WEIGHED = No("It learns nothing from rows, so there is nothing that a row could count for.")
_NOTHING_LEARNED = No("It learns nothing from rows, so there are no statistics to add up or take apart.")
_NOTHING_ADDED = No("It learns nothing from rows, so a second part of them could add nothing.")


_CHOOSING = Capabilities(
    nan=_NO_NAN,
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

_ONLY_WITH_PRIOR = No(
    "Means and covariances have no prior unless one is given, and a prior has as many coordinates as X has columns, "
    "so none can be a setting here; with prior=NormalInverseWishart(...) there is log p(X | y)."
)


_NO_GLM_PRIOR = No(
    "A penalty has no constant, and none at all where prior_precision is 0, so the targets have no probability; "
    "the Bayesian models of this room approximate it."
)


def _climbing(evidence: bool | No = _NO_GLM_PRIOR) -> Capabilities:
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


_NO_DENSE_ZEROS = No("A normal density centers every column, so no zero of a sparse table would stay one.")
_WORDS = No("A cell that a sparse table does not store would be the category 0, and never a gap.")


def _mixing(nan: bool | No = True, sparse: bool | No = _NO_DENSE_ZEROS) -> Capabilities:
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
        predict_dist=True,
        sparse=sparse,
        partial_fit=No(
            "The shares of earlier rows change with the parameters, so later rows would need all of them again; "
            "engine.fit reads a source as often as needed."
        ),
    )


def _labels() -> Capabilities:
    """The baselines of classification differ in what they predict, not in what they can do."""
    return Capabilities(
        nan=_IGNORED,
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


TABLE: dict[str, Capabilities] = {
    "baselines.MeanRegressor": Capabilities(
        nan=_IGNORED,
        evidence=No("Mean and variance have no prior, so the probability of the targets is not defined."),
        **_LINEAR,
    ),
    "baselines.LastValue": Capabilities(
        nan=No("Other columns are ignored, but a missing cell there is still a mistake worth hearing about."),
        heldout=No(
            "The prediction takes nothing from the training rows, so there is nothing to leave out of it."
        ),
        evidence=No("The residual variance has no prior, so the probability of the targets is not defined."),
        **_ADDING,
    ),
    "baselines.MajorityClassifier": _labels(),
    "baselines.MedianRegressor": Capabilities(
        nan=_IGNORED,
        weights=True,
        statistics=No("A median needs the order of all targets; no summary of fixed size adds up to it."),
        heldout=No("Without one row the median moves to a neighbour; refitting is a partial sort and cheap."),
        evidence=No("Centre and scale have no prior, so the probability of the targets is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=No("A median needs the order of all targets, so earlier rows would have to be kept."),
    ),
    "baselines.PriorClassifier": _labels(),
    "generative.BayesClassifier": Capabilities(
        nan=No(
            "A density of any kind gives no value to a row with a missing cell; QuadraticDiscriminantAnalysis takes "
            "them for normal densities, and naive models for independent columns."
        ),
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No("The parameters of the densities have no prior, so the labels have no evidence."),
        predict_dist=True,
        sparse=True,
        partial_fit=True,
    ),
    "generative.CategoricalNB": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No(
            "Probabilities have no prior unless one is given, and alpha = 0 is none; with prior=Dirichlet(...) there "
            "is log p(X | y)."
        ),
        predict_dist=True,
        sparse=No("A cell that is not stored would be the value 0, so every cell is needed anyway."),
        partial_fit=True,
    ),
    "generative.GaussianNB": Capabilities(
        nan=True,
        evidence=No(
            "Means and variances have no prior unless one is given; with prior=NormalGamma(...) there is log p(X | y), "
            "and it has tests of its own."
        ),
        **_LINEAR,
    ),
    "generative.JointTableClassifier": Capabilities(
        nan=No(
            "A row with a gap belongs to several cells of the table; sharing it out would be expectation and "
            "maximization. CategoricalNB takes gaps."
        ),
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No("The cells of the table have no prior, so the probability of the rows is not defined."),
        predict_dist=True,
        sparse=No("Rows are compared whole, so a cell that is not stored is a value like any other."),
        partial_fit=True,
    ),
    "generative.MixedNB": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=True,
        evidence=No("Gaussian columns have no prior, so the probability of the rows is not defined."),
        predict_dist=True,
        sparse=No(
            "A sparse table has one type for all of its columns, so nothing is mixed; GaussianNB takes it."
        ),
        partial_fit=True,
    ),
    "generative.FisherDiscriminant": Capabilities(
        nan=No(
            "The scatter of a column with missing cells against the others is unknown, and so are the directions; the "
            "error names the first one. LinearDiscriminantAnalysis finds both by expectation and maximization."
        ),
        evidence=No("Directions, means and variances have no prior, so the labels have no evidence."),
        **_LINEAR,
    ),
    "generative.LeastSquaresClassifier": Capabilities(
        nan=_NO_NAN,
        weights=True,
        statistics=True,
        heldout=No(
            "The closed form would give outputs, and `heldout` gives distributions, which it has not; statistics of "
            "folds are solved instead."
        ),
        evidence=No("Targets of zero and one are not normal, so least squares gives them no probability."),
        predict_dist=No(
            "Outputs sum to one but fall below zero and rise above one: they are no probabilities."
        ),
        sparse=True,
        partial_fit=True,
    ),
    "generative.RidgeClassifier": Capabilities(
        nan=_NO_NAN,
        weights=True,
        statistics=True,
        heldout=No(
            "The closed form would give outputs, and `heldout` gives distributions, which it has not; statistics of "
            "folds are solved instead."
        ),
        evidence=No("Targets of plus and minus one are not normal, so the labels have no probability."),
        predict_dist=No("Outputs are distances from a plane in no unit: they are no probabilities."),
        sparse=True,
        partial_fit=True,
    ),
    "generative.RidgeClassifierCV": Capabilities(
        nan=_NO_NAN,
        weights=True,
        statistics=No(
            "The penalty is chosen by rows left out one by one, and sums over rows tell nothing of these."
        ),
        heldout=No(
            "A penalty is chosen anew without each fold, so there is no fixed hat matrix to take rows out of."
        ),
        evidence=No("Targets of plus and minus one are not normal, so the labels have no probability."),
        predict_dist=No("Outputs are distances from a plane in no unit: they are no probabilities."),
        sparse=True,
        partial_fit=No(
            "With more rows another penalty may be the best, which only all of them together can tell."
        ),
    ),
    "generative.LinearDiscriminantAnalysis": Capabilities(nan=True, evidence=_ONLY_WITH_PRIOR, **_LINEAR),
    "generative.Perceptron": Capabilities(
        nan=No("Which side a row with a missing cell is on is unknown; the error names the first one."),
        weights=No("A row has its say when it comes: to count it twice, show it twice."),
        statistics=No("Each step starts where the one before it ended, so steps do not add up in any order."),
        heldout=No("A row changes every later step, so leaving it out means taking all of them again."),
        evidence=No("The rule has no likelihood, so the labels have no probability under it."),
        predict_dist=No("A plane tells sides apart, and nothing in the rule says how probable a side is."),
        sparse=True,
        partial_fit=True,
    ),
    "generative.BernoulliNB": Capabilities(
        nan=True,
        evidence=No(
            "alpha = 0 is no prior, and the probability would be that of the columns given the labels, which no other "
            "classifier's could be compared with; Beta(a, b).log_evidence answers for a column."
        ),
        **_LINEAR,
    ),
    "generative.MultinomialNB": Capabilities(nan=True, evidence=True, **_LINEAR),
    "generative.QuadraticDiscriminantAnalysis": Capabilities(nan=True, evidence=_ONLY_WITH_PRIOR, **_LINEAR),
    "glm.BayesianLogisticRegression": _climbing(evidence=True),
    "glm.BayesianPoissonRegression": _climbing(evidence=True),
    "glm.GLM": _climbing(),
    "glm.LogisticRegression": _climbing(),
    "glm.LogisticRegressionCV": _climbing(),
    "glm.GammaRegressor": _climbing(),
    "glm.PoissonRegression": _climbing(),
    "glm.PoissonRegressor": _climbing(),
    "glm.ProbitRegression": _climbing(),
    "glm.SoftmaxRegression": _climbing(),
    "linear.ARDRegression": Capabilities(
        nan=_NO_NAN,
        heldout=No(
            "The precisions, and which weights are pruned, are found anew in each fold, so there is no fixed hat "
            "matrix; folds are answered from their statistics."
        ),
        evidence=True,
        **_ADDING,
    ),
    "linear.BayesianRidge": Capabilities(
        nan=_NO_NAN,
        heldout=No(
            "Both precisions are found anew in each fold, so there is no fixed hat matrix; folds are answered from "
            "their statistics."
        ),
        evidence=True,
        **_ADDING,
    ),
    "linear.ConjugateLinearRegression": Capabilities(nan=_NO_NAN, evidence=True, **_LINEAR),
    "linear.BayesianLinearRegression": Capabilities(nan=_NO_NAN, evidence=True, **_LINEAR),
    "linear.LeastAbsoluteDeviations": Capabilities(
        nan=No("The residual of a row with a missing cell is unknown; the error names the first one."),
        weights=True,
        statistics=No(
            "The sum of absolute residuals depends on which side of the line every row lies; no summary of fixed "
            "size tells that for a line not yet known."
        ),
        heldout=No(
            "Without a row that the line passes through it jumps to another corner; there is no formula for which."
        ),
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=No(
            "Every earlier row may become one that the line passes through, so all would be kept."
        ),
    ),
    "linear.LeastMeanSquares": Capabilities(
        nan=No("A step in the direction of a missing cell is unknown; the error names the first one."),
        weights=No(
            "A row has its say when it comes: to count it twice, show it twice; a weight would be another rate."
        ),
        statistics=No("Each step starts where the one before it ended, so steps do not add up in any order."),
        heldout=No("A row changes every later step, so leaving it out means taking all of them again."),
        evidence=No("The rule has no prior and no likelihood, so the targets have no probability under it."),
        predict_dist=True,
        sparse=True,
        partial_fit=True,
    ),
    "linear.LinearRegression": Capabilities(
        nan=_NO_NAN,
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        **_LINEAR,
    ),
    "linear.LassoCV": _CHOOSING,
    "linear.ElasticNetCV": _CHOOSING,
    "linear.RidgeCV": _CHOOSING,
    "linear.Lasso": Capabilities(
        nan=_NO_NAN,
        heldout=_NO_HAT,
        evidence=No(
            "A penalty fixes the ratio of noise to prior but neither of the two, and the Laplace prior that it "
            "stands for has no closed-form integral."
        ),
        **_ADDING,
    ),
    "linear.ElasticNet": Capabilities(
        nan=_NO_NAN,
        heldout=_NO_HAT,
        evidence=No(
            "The penalties fix the ratio of noise to prior but neither of the two, and the prior that they stand for "
            "has no closed-form integral."
        ),
        **_ADDING,
    ),
    "linear.QNormRegression": Capabilities(
        nan=_NO_NAN,
        heldout=_NO_HAT,
        evidence=No(
            "A penalty fixes the ratio of noise to prior but neither of the two; for q = 2 "
            "BayesianLinearRegression has it, for other powers the integral has no closed form."
        ),
        **_ADDING,
    ),
    "linear.Ridge": Capabilities(
        nan=_NO_NAN,
        evidence=No(
            "A penalty fixes the ratio of noise to prior variance but neither of the two, so there is no "
            "probability of the targets; BayesianLinearRegression has it."
        ),
        **_LINEAR,
    ),
    "linear.SimpleLinearRegression": Capabilities(
        nan=No("The products of a missing cell are unknown; the error names the first one."),
        weights=No("Its table has a line per row and plain means below; LinearRegression takes weights."),
        statistics=No(
            "It keeps the rows to show them in its table; LinearRegression is the same line from sums."
        ),
        heldout=No(
            "It is there to show its working; LinearRegression has the closed form for the same line."
        ),
        evidence=No("The weights have no prior, so the probability of the targets is not defined."),
        predict_dist=True,
        sparse=True,
        partial_fit=No("Its means are taken over all rows at once; LinearRegression takes rows in pieces."),
    ),
    "mixtures.BernoulliMixture": _mixing(sparse=True),
    "mixtures.CategoricalMixture": _mixing(sparse=_WORDS),
    "mixtures.GaussianMixture": _mixing(),
    "mixtures.GibbsGaussianMixture": Capabilities(
        nan=No(
            "The predictive density of a component has no closed form with missing cells; GaussianMixture takes them."
        ),
        weights=No(
            "A row of weight 2 would be two rows with one label, which is another model than two rows."
        ),
        statistics=No("Draws of labels belong to the rows they were made for and do not add up with others."),
        heldout=No("Without some rows the posterior of the labels is another one and is sampled anew."),
        evidence=No(
            "Draws of the labels do not tell the constant of their posterior, which the evidence is."
        ),
        predict_dist=No("It tells clusters and densities of rows, and conditions no column on the others."),
        sparse=_NO_DENSE_ZEROS,
        partial_fit=No("Labels of earlier rows would have to be drawn again with those of later rows."),
    ),
    "mixtures.MixtureModel": _mixing(sparse=_WORDS),
    "mixtures.MultinomialMixture": _mixing(
        nan=No("How often a term occurs must be known, for the total is; the error names the first gap."),
        sparse=True,
    ),
    "mixtures.PoissonMixture": _mixing(sparse=True),
    "prepare.BasisTransformer": Capabilities(
        nan=No("A function of a missing cell is unknown; the error names the first one."),
        weights=No(
            "What a basis takes from rows, a range or distinct values, does not change when a row is seen twice."
        ),
        statistics=No(
            "A range has no subtraction, and a fixed basis takes nothing from rows that could be added."
        ),
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=True,
        partial_fit=No(
            "Centres that move with later rows would change the columns that earlier rows were given."
        ),
    ),
    "prepare.CalendarFeatures": Capabilities(
        nan=No("A missing time has no hour and no weekday; the error names its row."),
        weights=No("It learns nothing from rows, so there is nothing that a row could count for."),
        statistics=No("It learns nothing from rows, so there are no statistics to add up or take apart."),
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("A sparse table has zeros where nothing is stored, and zero is not a datetime."),
        partial_fit=No("It learns nothing from rows, so a second part of them could add nothing."),
    ),
    "prepare.CountVectorizer": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("Documents are texts, and a sparse table holds numbers; its answer is a sparse table."),
        partial_fit=True,
    ),
    "prepare.TfidfTransformer": Capabilities(
        nan=No("How often a term occurs must be known before it is weighted; the error names the first gap."),
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=True,
        partial_fit=True,
    ),
    "prepare.Affine": Capabilities(
        nan=True,
        weights=_NOTHING_WEIGHED,
        statistics=_NOTHING_LEARNED,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("A shift would fill the zeros of a sparse table, and then it is one no longer."),
        partial_fit=_NOTHING_ADDED,
    ),
    "prepare.Binarizer": Capabilities(
        nan=True,
        weights=_NOTHING_WEIGHED,
        statistics=_NOTHING_LEARNED,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=True,
        partial_fit=_NOTHING_ADDED,
    ),
    "prepare.Centerer": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("Subtracting the mean would fill the zeros of a sparse table, which is its whole point."),
        partial_fit=True,
    ),
    "prepare.LogTransform": Capabilities(
        nan=True,
        weights=_NOTHING_WEIGHED,
        statistics=_NOTHING_LEARNED,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No(
            "The zeros of a sparse table have no logarithm, and with an offset they become other numbers."
        ),
        partial_fit=_NOTHING_ADDED,
    ),
    "prepare.OneHotEncoder": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No(
            "A cell that a sparse table does not store would be the category 0; the result may be sparse."
        ),
        partial_fit=True,
    ),
    "prepare.SimpleImputer": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No(
            "A cell that a sparse table does not store is zero, not missing; columns may also be text."
        ),
        partial_fit=True,
    ),
    "prepare.TableEncoder": Capabilities(
        nan=True,
        weights=No(
            "A rule is about which values there are, and a row that counts twice has no other values than one that "
            "counts once."
        ),
        statistics=No(
            "A median, and whether text is nearly always a number, are known when all rows are; they do not add."
        ),
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No(
            "A cell that a sparse table does not store would be the value 0, and never a gap or a level."
        ),
        partial_fit=No(
            "Which levels are frequent and which text is a number may change with every further piece."
        ),
    ),
    "prepare.Whitener": Capabilities(
        nan=No(
            "A covariance whose pairs of columns are averaged over different rows need not be one; "
            "the error names the first gap."
        ),
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("Subtracting the mean and mixing the columns would leave no zero of a sparse table."),
        partial_fit=True,
    ),
    "prepare.Standardizer": Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=_NO_ROWS,
        evidence=_NO_TARGETS,
        predict_dist=_NO_TARGETS,
        sparse=No("Subtracting the mean would fill the zeros; sparse tables are taken with with_mean=False."),
        partial_fit=True,
    ),
}
