"""The picture of a path draws the weights of its record, at the places asked for."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from suffice import plots
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.datasets import diabetes
from suffice.linear import Lasso, Ridge, coefficient_path


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def paths():
    data, penalties = diabetes(), np.logspace(-2, 2, 20)
    models = {"ridge": Ridge(standardize=True), "lasso": Lasso(standardize=True)}
    return {k: coefficient_path(m, data.X, data.y, penalties=penalties) for k, m in models.items()}


def curves(ax):
    """Lines with a point for each penalty, by their last value."""
    return [line.get_xydata() for line in ax.lines if len(line.get_xydata()) == 20]


@pytest.mark.parametrize("name", ["ridge", "lasso"])
@pytest.mark.parametrize("against", ["penalty", "parameters", "budget"])
def test_every_weight_is_drawn_at_its_place(paths, name, against):
    path = paths[name]
    ax = plots.coefficient_path(path, against=against)
    drawn = curves(ax)
    assert len(drawn) == 10
    size = np.abs(path.coef).sum(axis=1)
    at = {"penalty": path.penalties, "parameters": path.effective_parameters, "budget": size / size.max()}[
        against
    ]
    np.testing.assert_allclose(drawn[0][:, 0], np.sort(at), rtol=1e-12)
    order = np.lexsort((-path.penalties, at))
    np.testing.assert_array_equal(np.column_stack([c[:, 1] for c in drawn]), path.coef[order])
    assert ax.get_xscale() == ("log" if against == "penalty" else "linear")


def test_labels_and_mark(paths):
    ax = plots.coefficient_path(paths["ridge"], chosen=1.0, most=3)
    assert ax.get_xlabel() == "alpha"
    assert "chosen: 1" in [t.get_text() for t in ax.get_legend().get_texts()]
    assert plots.coefficient_path(paths["ridge"], against="parameters").get_xlabel().endswith("γ")
    with pytest.raises(
        InvalidParameter, match="against must be one of 'penalty', 'parameters', 'budget'; got 'size'"
    ):
        plots.coefficient_path(paths["ridge"], against="size")


def test_all_weights_zero_is_no_division(paths):
    data = diabetes()
    path = coefficient_path(Lasso(), data.X, data.y, penalties=[1e6, 1e7])
    assert np.isfinite(plots.coefficient_path(path, against="budget").get_xlim()).all()


@pytest.mark.parametrize("kind", ["ridge", "lasso"])
def test_the_plot_of_the_same_name_draws_the_record(paths, kind):
    path = paths[kind]
    ax = plots.coefficient_path(path)
    order = np.argsort(path.penalties)
    drawn = sorted(tuple(c[:, 1]) for c in curves(ax))
    np.testing.assert_allclose(drawn, sorted(map(tuple, path.coef[order].T)), rtol=1e-12)
    assert ax.get_xlabel() == "alpha"
    assert set(path.names) <= {t.get_text() for t in ax.texts}
    assert plots.coefficient_path(path, label="λ").get_xlabel() == "λ"
    assert plots.coefficient_path(path.penalties, path.coef).get_xlabel() == "penalty"


def test_a_record_or_penalties_and_weights(paths):
    with pytest.raises(InvalidInput, match="leave out coefficients"):
        plots.coefficient_path(paths["ridge"], paths["ridge"].coef)
    with pytest.raises(InvalidInput, match="against='budget' needs a record"):
        plots.coefficient_path(paths["ridge"].penalties, paths["ridge"].coef, against="budget")
    with pytest.raises(InvalidInput, match="needs coefficients, or a record"):
        plots.coefficient_path(paths["ridge"].penalties)
