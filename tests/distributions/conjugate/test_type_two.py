"""Type-II maximum likelihood: grids, the optimiser, and bounds that hold it."""

import numpy as np
import pytest

from suffice._core.errors import AtBound, InvalidParameter
from suffice.distributions import Beta, BetaBinomial, Dirichlet, Gamma, Normal, evidence_grid, fit_prior
from suffice.distributions.conjugate.conjugacy import conjugate_pairs
from suffice.statistics import Counts

AXES = {"a": range(1, 51), "b": range(1, 31)}


def test_the_grid_of_the_text():
    grid = evidence_grid(Beta, 14, n=20, axes=AXES)
    assert grid.best == {"a": 50.0, "b": 22.0}
    assert grid.prior == Beta(50, 22)
    assert grid.evidence == pytest.approx(0.1693717, abs=5e-8)
    assert grid.at_bound == ("a",)
    assert str(grid) == "a=50, b=22: log evidence -1.77566; a lies on its bound"
    assert grid.log_evidence.shape == (50, 30)
    assert grid.log_evidence[4, 0] == pytest.approx(float(Beta(5, 1).log_evidence(14, n=20)), rel=1e-13)


def test_the_optimum_on_a_bound_is_told():
    with pytest.warns(AtBound, match="ended on the bound of a"):
        found = fit_prior(Beta, 14, n=20, bounds={"a": (0.5, 50), "b": (0.5, 30)})
    assert found.at_bound == ("a",)
    assert found.values[0] == 50.0
    assert found.values[1] == pytest.approx(21.9241, abs=5e-5)
    assert found.evidence == pytest.approx(0.1693752, abs=5e-8)
    assert "a lies on its bound" in repr(found)


def test_several_groups_have_a_maximum_inside():
    counts = BetaBinomial(20, 4.0, 9.0).sample(300, rng=0)
    found = fit_prior(Beta, *counts, n=20, bounds={"a": (0.01, 1000), "b": (0.01, 1000)})
    best = BetaBinomial.fit(counts, n=20)  # the same likelihood by Newton's method
    np.testing.assert_allclose(found.values, [best.a, best.b], rtol=1e-6)
    assert found.at_bound == ()
    assert found.log_evidence == pytest.approx(best.log_prob(counts).sum(), rel=1e-12)


def test_normal_means_in_closed_form():
    groups = [[1.0, 2.0], [3.0, 4.0], [-2.0, 0.0]]
    found = fit_prior(Normal, *groups, std=1.0, bounds={"mean": (-10, 10), "std": (0.01, 100)})
    means = np.mean(groups, axis=1)
    np.testing.assert_allclose(found.values, [means.mean(), np.sqrt(means.var() - 0.5)], rtol=1e-7)


def test_statistics_and_any_family():
    pair = conjugate_pairs()[1]
    groups = [pair.statistics(Beta(1, 1), k, n=n) for k, n in ((3, 5), (1, 9), (7, 7), (2, 6))]
    found = fit_prior(Beta, *groups, n=1, bounds={"a": (0.1, 50), "b": (0.1, 50)})
    direct = sum(Beta(*found.values).log_evidence(k, n=n) for k, n in ((3, 5), (1, 9), (7, 7), (2, 6)))
    assert found.log_evidence == pytest.approx(direct, rel=1e-12)
    symmetric = fit_prior(
        lambda alpha: Dirichlet(np.asarray(alpha)[..., None] * np.ones(3)),
        Counts.of([0, 0, 1]),
        [2, 2, 2, 1],
        bounds={"alpha": (0.01, 100)},
    )
    near = [Dirichlet([v] * 3) for v in symmetric.values[0] * np.array([0.999, 1.001])]
    for d in near:
        assert d.log_evidence(labels=[0, 0, 1]) + d.log_evidence([2, 2, 2, 1]) < symmetric.log_evidence


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fit_prior(Beta, bounds={"a": (1, 2), "b": (1, 2)}), "at least one group"),
        (lambda: fit_prior(Beta, 3, n=5, bounds={}), "by name"),
        (lambda: fit_prior(Beta, 3, n=5, bounds={"a": (2, 1), "b": (1, 2)}), "low < high; got"),
        (lambda: fit_prior(Beta, 3, n=5, bounds={"a": (0, 1), "b": (1, 2)}), "a must be > 0; got 0.0"),
        (lambda: evidence_grid(Beta, 3, n=5, axes=[1, 2]), "by name"),
        (lambda: evidence_grid(Gamma, [3], axes={"shape": [1.0, -2.0], "rate": [1.0]}), "shape must be > 0"),
        (
            lambda: evidence_grid(lambda alpha: Dirichlet([1.0, 1.0]), [0], axes={"alpha": [1.0, 2.0]}),
            "make a batch of priors",
        ),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(InvalidParameter, match=words):
        call()
