"""Classifiers that model each class, and the two that only count labels."""

from __future__ import annotations

from typing import Any

from suffice.baselines import MajorityClassifier, PriorClassifier
from suffice.generative import (
    BayesClassifier,
    BernoulliNB,
    CategoricalNB,
    FisherDiscriminant,
    GaussianNB,
    JointTableClassifier,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    MixedNB,
    MultinomialNB,
    Perceptron,
    QuadraticDiscriminantAnalysis,
)
from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.sizes import narrow


def _parameters(m: Any) -> dict[str, float]:
    return {"Parameters": m.n_parameters_}


def _shrunk_if_wide(problem: Any) -> dict[str, Any]:
    """With fewer than ten rows per column, a covariance is pulled towards a round one."""
    n, d = problem.Z.shape
    return {"shrinkage": "auto"} if n < 10 * d else {}


CLASSES = ("binary", "multi-class")
MOST_COLUMNS = 300  # a covariance of so many is decomposed for every class and training set
PRIOR = Candidate(
    "prior",
    "Class frequencies",
    PriorClassifier,
    "Predicts how often each label occurs and ignores every column: what a model has to beat.",
    study=Trying(CLASSES, {}),
    kind="baseline",
    needs="labels",
    book=("DTU §7.3.4", "DTU §11.2.1"),
    complexity=0,
)
GENERATIVE: tuple[Candidate, ...] = (
    PRIOR,
    Candidate(
        "lda",
        "Linear discriminant analysis",
        LinearDiscriminantAnalysis,
        "A normal density per class with one covariance for all: linear boundaries.",
        facts=_parameters,
        study=Trying(CLASSES, _shrunk_if_wide, why_not=narrow(MOST_COLUMNS)),
        needs="labels, columns of numbers",
        generative=True,
        book=("Herbst §4.2.1",),
        complexity=30,
    ),
    Candidate(
        "qda",
        "Quadratic discriminant analysis",
        QuadraticDiscriminantAnalysis,
        "A normal density with a covariance of its own for every class; shrinkage=auto with few rows.",
        facts=_parameters,
        study=Trying(CLASSES, {"shrinkage": "auto"}, why_not=narrow(MOST_COLUMNS)),
        needs="labels, columns of numbers, many rows per class",
        generative=True,
        book=("FCML §5.2.1", "DTU §13.1.1", "Herbst §4.2.1"),
        complexity=70,
    ),
    Candidate(
        "gaussian-nb",
        "Gaussian naive Bayes",
        GaussianNB,
        "Columns of numbers, independent and normal within a class; missing cells are left out.",
        facts=_parameters,
        study=Trying(CLASSES, {}),
        needs="labels, columns of numbers",
        generative=True,
        book=("FCML §5.2.1", "Herbst §4.2.3"),
        complexity=50,
    ),
    Candidate(
        "bernoulli-nb",
        "Bernoulli naive Bayes",
        BernoulliNB,
        "Columns that are on or off, above `binarize` or not, independent within a class.",
        facts=_parameters,
        needs="labels, columns of truths",
        generative=True,
        book=("DTU §13.2",),
        complexity=50,
    ),
    Candidate(
        "categorical-nb",
        "Categorical naive Bayes",
        CategoricalNB,
        "Columns of whole numbers that stand for categories, independent within a class.",
        facts=_parameters,
        needs="labels, columns of categories",
        generative=True,
        book=("DTU §13.2",),
        complexity=50,
    ),
    Candidate(
        "multinomial-nb",
        "Multinomial naive Bayes",
        MultinomialNB,
        "Counts of words; fully_bayesian=true averages over what they say about their class.",
        facts=_parameters,
        needs="labels, counts of words",
        generative=True,
        book=("FCML §5.2.1",),
        complexity=50,
    ),
    Candidate(
        "mixed-nb",
        "Naive Bayes of mixed columns",
        MixedNB,
        'Each column of a kind of its own: kinds={"age": "gaussian", "visits": "poisson"}.',
        facts=_parameters,
        needs="labels, columns of several kinds",
        generative=True,
        book=("DTU §13.2.1",),
        complexity=50,
    ),
    Candidate(
        "bayes",
        "Bayes classifier",
        BayesClassifier,
        "Normal densities of whole rows, one per class; in Python any density.",
        facts=_parameters,
        needs="labels, columns of numbers",
        generative=True,
        book=("FCML §5.2.1",),
        complexity=70,
    ),
    Candidate(
        "joint-table",
        "Joint table",
        JointTableClassifier,
        "The share of every combination of values in every class; nothing is assumed, so many rows are needed.",
        facts=_parameters,
        needs="labels, few columns of categories, many rows",
        generative=True,
        book=("DTU ch. 13",),
        complexity=80,
    ),
    Candidate(
        "fisher",
        "Fisher's discriminant",
        FisherDiscriminant,
        "Normal densities in the directions that separate the classes best.",
        facts=_parameters,
        needs="labels, columns of numbers",
        generative=True,
        book=("Herbst §4.1.4",),
        complexity=30,
    ),
    Candidate(
        "least-squares-labels",
        "Least squares classifier",
        LeastSquaresClassifier,
        "Least squares on 0/1 columns of the labels: fast, and thrown off by rows far from the boundary.",
        needs="labels",
        generative=False,
        book=("Herbst §4.1.3",),
        complexity=30,
    ),
    Candidate(
        "perceptron",
        "Perceptron",
        Perceptron,
        "A line moved by each mistake, until there is none.",
        files=False,
        needs="two labels that a line can separate",
        generative=False,
        book=(),
        complexity=30,
    ),
    Candidate(
        "majority",
        "Majority class",
        MajorityClassifier,
        "Predicts the most frequent label.",
        kind="baseline",
        needs="labels",
        book=("DTU §7.3.4", "DTU §11.2.1"),
    ),
)
