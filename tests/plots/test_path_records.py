"""The plot of the same name as a function draws the record that the function returns."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from suffice import plots
from suffice._core.errors import InvalidInput
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
    """Lines with a point for each penalty."""
    return [line.get_xydata() for line in ax.lines if len(line.get_xydata()) == 20]


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
    with pytest.raises(InvalidInput, match="needs coefficients, or a record"):
        plots.coefficient_path(paths["ridge"].penalties)
