"""Classifiers that `suffice fit` knows, and how far each column tells their classes apart.

Separation   η²_j = B_j / (B_j + W_j), with B_j = Σ_c n_c (m_cj − m_j)² and W_j the scatter of column j within
             the classes: the part of its variance that lies between them
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
from suffice.statistics import ClassStatistics, ColumnMoments, Triangle
from suffice.study import Candidate


def _parameters(m: Any) -> dict[str, float]:
    return {"Parameters": m.n_parameters_}


GENERATIVE: tuple[Candidate, ...] = (
    Candidate(
        "lda",
        "Linear discriminant analysis",
        LinearDiscriminantAnalysis,
        "A normal density per class with one covariance for all: linear boundaries.",
        facts=_parameters,
    ),
    Candidate(
        "qda",
        "Quadratic discriminant analysis",
        QuadraticDiscriminantAnalysis,
        "A normal density with a covariance of its own for every class; shrinkage=auto with few rows.",
        facts=_parameters,
    ),
    Candidate(
        "gaussian-nb",
        "Gaussian naive Bayes",
        GaussianNB,
        "Columns of numbers, independent and normal within a class; missing cells are left out.",
        facts=_parameters,
    ),
    Candidate(
        "bernoulli-nb",
        "Bernoulli naive Bayes",
        BernoulliNB,
        "Columns that are on or off, above `binarize` or not, independent within a class.",
        facts=_parameters,
    ),
    Candidate(
        "categorical-nb",
        "Categorical naive Bayes",
        CategoricalNB,
        "Columns of whole numbers that stand for categories, independent within a class.",
        facts=_parameters,
    ),
    Candidate(
        "multinomial-nb",
        "Multinomial naive Bayes",
        MultinomialNB,
        "Counts of words; fully_bayesian=true averages over what they say about their class.",
        facts=_parameters,
    ),
    Candidate(
        "mixed-nb",
        "Naive Bayes of mixed columns",
        MixedNB,
        'Each column of a kind of its own: kinds={"age": "gaussian", "visits": "poisson"}.',
        facts=_parameters,
    ),
    Candidate(
        "bayes",
        "Bayes classifier",
        BayesClassifier,
        "Normal densities of whole rows, one per class; in Python any density.",
        facts=_parameters,
    ),
    Candidate(
        "joint-table",
        "Joint table",
        JointTableClassifier,
        "The share of every combination of values in every class; nothing is assumed, so many rows are needed.",
        facts=_parameters,
    ),
    Candidate(
        "fisher",
        "Fisher's discriminant",
        FisherDiscriminant,
        "Normal densities in the directions that separate the classes best.",
        facts=_parameters,
    ),
    Candidate(
        "least-squares-labels",
        "Least squares classifier",
        LeastSquaresClassifier,
        "Least squares on 0/1 columns of the labels: fast, and thrown off by rows far from the boundary.",
    ),
)
NEEDS_ROWS: tuple[Candidate, ...] = (
    Candidate("perceptron", "Perceptron", Perceptron, "A line moved by each mistake, until there is none."),
)


# -- which columns tell the classes apart ---------------------------------------------------------------------
def separation(model: Any) -> dict[str, float]:
    """Columns by the share of their variance that lies between the classes; empty where no variances are counted."""
    statistics = getattr(model, "statistics_", None)
    if not isinstance(statistics, ClassStatistics):
        return {}
    found = [_moments(part) for part in statistics.parts if part is not None]
    parts = [part for part in found if part is not None]
    if not parts or len(parts) < len(found):
        return {}
    n, mean, scatter = (np.array(a) for a in zip(*parts, strict=True))  # (classes, columns)
    shares = between_shares(n, np.where(n > 0, mean, 0.0), np.where(n > 0, scatter, 0.0))
    names = statistics.header.feature_names
    return {names[j]: float(shares[j]) for j in np.argsort(-shares, kind="stable")}


def _moments(part: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Weight, mean and scatter of each column."""
    if isinstance(part, ColumnMoments):
        return part.n, part.mean, part.scatter
    if isinstance(part, Triangle):
        scatter = np.square(part.factor[1:, 1 : 1 + part.n_columns]).sum(axis=0)
        return np.full(part.n_columns, part.n), part.mean_x, scatter
    return None


def between_shares(n: np.ndarray, mean: np.ndarray, scatter: np.ndarray) -> np.ndarray:
    """η² of every column from the moments of its classes; zero for one that does not vary."""
    center = (n * mean).sum(axis=0) / np.maximum(n.sum(axis=0), np.finfo(float).tiny)
    between = (n * np.square(mean - center)).sum(axis=0)
    total = between + scatter.sum(axis=0)
    return np.divide(between, total, out=np.zeros_like(total), where=total > 0)
