"""Figures of residuals draw the numbers of their record."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from suffice import plots
from suffice._core.errors import InvalidInput
from suffice.datasets import olympic_100m_men
from suffice.linear import LinearRegression, Residuals, residuals


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def record():
    men = olympic_100m_men()
    return residuals(LinearRegression().fit(men.X, men.y), men.X, men.y)


def test_quantiles_are_those_of_the_record(record):
    ax = plots.normal_quantiles(record, name=2)
    q, values = record.normal_quantiles()
    np.testing.assert_allclose(ax.collections[0].get_offsets(), np.column_stack([q, values]), rtol=1e-12)
    assert {t.get_text() for t in ax.texts} == {
        f"row {i}" for i in np.argsort(-np.abs(record.studentized))[:2]
    }
    for text in ax.texts:
        row = int(text.get_text().split()[1])
        assert text.xy[1] == pytest.approx(record.studentized[row], rel=1e-12)


def test_areas_grow_with_cooks_distance(record):
    ax = plots.influence(record, name=1)
    dots = ax.collections[0]
    np.testing.assert_allclose(
        dots.get_offsets(), np.column_stack([record.leverage, record.external]), rtol=1e-12
    )
    assert np.argmax(dots.get_sizes()) == np.argmax(record.cook)
    assert np.array_equal(np.argsort(dots.get_sizes()), np.argsort(record.cook))
    assert ax.texts[0].get_text() == f"row {np.argmax(record.cook)}"
    assert "Cook's distance" in ax.get_legend().get_texts()[0].get_text()


def test_rows_without_a_number_are_left_out_and_axes_are_kept(record):
    hidden = np.where(np.arange(27) == 5, np.nan, 1.0)
    holes = Residuals(
        record.fitted,
        record.raw,
        record.standardized,
        record.studentized * hidden,
        record.external * hidden,
        record.leverage,
        record.cook * hidden,
    )
    given = plt.subplots()[1]
    assert plots.influence(holes, ax=given) is given
    assert len(given.collections[0].get_offsets()) == 26
    assert len(plots.normal_quantiles(holes).collections[0].get_offsets()) == 26


def test_nothing_to_draw(record):
    empty = Residuals(*[np.full(3, np.nan)] * 7)
    for draw in (plots.normal_quantiles, plots.influence):
        with pytest.raises(InvalidInput, match="nothing to draw"):
            draw(empty)


def test_residuals_of_a_record_are_those_of_its_rows(record):
    men = olympic_100m_men()
    drawn = plots.residuals(record).collections[0].get_offsets()
    series = plots.residuals(men.y, record.fitted).collections[0].get_offsets()
    np.testing.assert_allclose(drawn, np.column_stack([record.fitted, record.raw]), rtol=1e-12)
    np.testing.assert_allclose(drawn, series, atol=1e-12)


def test_residuals_take_a_record_or_two_series(record):
    with pytest.raises(InvalidInput, match="leave out predicted"):
        plots.residuals(record, record.fitted)
    with pytest.raises(InvalidInput, match="needs predicted, or a record"):
        plots.residuals(record.fitted)
