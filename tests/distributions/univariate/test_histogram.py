"""What is special about histograms: bins of different widths, empty bins, edges."""

import numpy as np
import pytest

from suffice._core.errors import HeaderMismatch
from suffice.distributions import Histogram


def test_density_is_count_over_total_and_width():
    d = Histogram([0.0, 0.5, 2.0, 10.0], [3.0, 0.0, 1.0])
    np.testing.assert_allclose(d.prob([0.2, 1.0, 5.0]), [3 / (4 * 0.5), 0.0, 1 / (4 * 8)])
    assert d.prob([-0.1, 10.1]).tolist() == [0.0, 0.0]


def test_edges_belong_to_the_right_bin_and_the_last_to_its_own():
    d = Histogram([0.0, 1.0, 2.0], [1.0, 3.0])
    np.testing.assert_allclose(d.prob([0.0, 1.0, 2.0]), [0.25, 0.75, 0.75])


def test_quantiles_pass_over_empty_bins():
    d = Histogram([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0])
    assert d.quantile([0.0, 0.5, 1.0]).tolist() == [1.0, 2.0, 4.0]
    assert d.quantile(0.75) == 3.5


def test_fit_counts():
    x = np.random.default_rng(0).normal(size=300)
    d = Histogram.fit(x, bins=7)
    counts, edges = np.histogram(x, 7)
    np.testing.assert_array_equal(d.counts, counts)
    np.testing.assert_array_equal(d.edges, edges)
    assert len(Histogram.fit(x, bins="sturges").counts) == len(np.histogram(x, "sturges")[0])
    weighted = Histogram.fit([0.5, 1.5, 9.0], weight=[2.0, 1.0, 0.0], bins=[0, 1, 2])
    assert weighted.counts.tolist() == [2.0, 1.0]


def test_statistics_of_different_bins_do_not_add():
    with pytest.raises(HeaderMismatch, match="different bins"):
        Histogram.statistics([0.5], bins=[0, 1]) + Histogram.statistics([0.5], bins=[0, 2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Histogram([0, 1, 1], [1, 1]), "edges must be two or more increasing numbers"),
        (lambda: Histogram([0, 1], [1, 1]), r"counts must have one number per bin, 1; got \(2,\)"),
        (lambda: Histogram([0, 1], [0]), "counts must have a positive sum"),
        (lambda: Histogram([0, 1], [-1]), r"counts must be >= 0; got -1\.0"),
        (lambda: Histogram.fit([0.5, 3.0], bins=[0, 1]), r"x must lie in the bins, 0 to 1; got 3\.0"),
        (lambda: Histogram.fit([0.5], bins=0), "bins must be a number >= 1, edges or a rule; got 0"),
    ],
)
def test_domains(make, message):
    with pytest.raises(ValueError, match=message):
        make()
