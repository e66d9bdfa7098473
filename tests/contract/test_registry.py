"""The registry is complete, and the table says why whenever it says no."""

import dataclasses

import pytest

from .registry import ENTRIES, public_estimators
from .registry.capabilities import Capabilities, No

BY_NAME = {e.name: e for e in ENTRIES}


def test_every_public_estimator_has_an_entry():
    assert sorted(public_estimators()) == sorted(BY_NAME)


def test_each_entry_holds_the_public_class():
    assert {name: e.cls for name, e in BY_NAME.items()} == public_estimators()


def apart(name):
    """Parameters that no setting here can have, since settings must hold for any table and every road."""
    out = {"prior_mean", "prior_cov"}  # their size follows the columns, which scikit-learn's checks vary
    out |= {"prior"} if name.endswith(("DiscriminantAnalysis", "GaussianNB")) else set()
    if name.startswith("mixtures."):  # a start follows the columns and the number of components
        out |= {"weights_init", "means_init", "precisions_init", "probabilities_init", "rates_init"}
        out |= {"prior"} if name.endswith("GibbsGaussianMixture") else set()
    if name.endswith(
        "RidgeCV"
    ):  # folds depend on the order of rows; the others need cv=None, which checks set
        out |= {"cv", "store_cv_results", "alpha_per_target"}
    if name.endswith(
        "Perceptron"
    ):  # need all rows at once; planes through the origin fail checks of class weights
        out |= {"early_stopping", "validation_fraction", "class_weight", "fit_intercept"}
    out |= {
        "covariance_estimator"
    }  # leaves no statistics to add; tests/generative/test_covariance_estimator.py
    out |= {"input"}  # of CountVectorizer: documents in files; tests/prepare/test_count_vectorizer.py
    return out | {"warm_start"}  # is about a second fit, which elsewhere must be the first


@pytest.mark.parametrize("name", BY_NAME)
def test_three_settings_and_every_parameter_moved(name):
    entry = BY_NAME[name]
    defaults = entry.cls().get_params(deep=False)
    if not defaults:
        pytest.skip("no parameters")
    assert len(entry.settings) >= 3
    assert {} in entry.settings.values()
    moved = {k for s in entry.settings.values() for k, v in s.items() if v is not defaults[k]}
    assert moved | apart(name) >= set(defaults)


@pytest.mark.parametrize("name", BY_NAME)
def test_far_setting_moves_most_parameters(name):
    entry = BY_NAME[name]
    defaults = entry.cls().get_params(deep=False)
    if not defaults:
        pytest.skip("no parameters")
    assert len(entry.settings["far"]) >= 0.6 * len(set(defaults) - apart(name))


@pytest.mark.parametrize("name", BY_NAME)
def test_cells_are_yes_or_a_reason(name):
    for cell, value in BY_NAME[name].capabilities.cells().items():
        if isinstance(value, No):
            assert len(value.reason.split()) >= 8, cell
            assert value.reason.endswith("."), cell
        else:
            assert value is True, cell


def test_columns_of_the_table():
    names = ["nan", "weights", "statistics", "heldout", "evidence", "predict_dist", "sparse", "partial_fit"]
    assert [f.name for f in dataclasses.fields(Capabilities)] == names
