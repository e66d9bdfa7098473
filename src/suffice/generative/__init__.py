"""Classifiers that model how the rows of each class come about: p(x | class) and p(class), then Bayes' rule."""

from suffice.generative.bayes_classifier import BayesClassifier
from suffice.generative.bernoulli_nb import BernoulliNB
from suffice.generative.categorical_nb import CategoricalNB
from suffice.generative.fisher_discriminant import FisherDiscriminant
from suffice.generative.gaussian_nb import GaussianNB
from suffice.generative.joint_table_classifier import JointTableClassifier
from suffice.generative.least_squares_classifier import LeastSquaresClassifier
from suffice.generative.linear_discriminant import LinearDiscriminantAnalysis
from suffice.generative.mean_difference import mean_difference
from suffice.generative.mixed_nb import MixedNB
from suffice.generative.multinomial_nb import MultinomialNB
from suffice.generative.perceptron import Perceptron
from suffice.generative.quadratic_discriminant import QuadraticDiscriminantAnalysis
from suffice.generative.ridge_classifier import RidgeClassifier
from suffice.generative.ridge_classifier_cv import RidgeClassifierCV

__all__ = [
    "BayesClassifier",
    "BernoulliNB",
    "CategoricalNB",
    "FisherDiscriminant",
    "GaussianNB",
    "JointTableClassifier",
    "LeastSquaresClassifier",
    "LinearDiscriminantAnalysis",
    "MixedNB",
    "MultinomialNB",
    "Perceptron",
    "QuadraticDiscriminantAnalysis",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "mean_difference",
]
