"""Known means and standard deviations per row of the data, against the definition; batches say that they are such."""

import numpy as np
import pytest

from suffice._core.errors import InvalidParameter
from suffice.distributions import Gamma, InverseGamma, MultivariateNormal, Normal
from suffice.distributions.conjugate import conjugacy
from suffice.statistics import Moments

RNG = np.random.default_rng(5)
X = np.column_stack([np.ones(12), RNG.normal(size=12)])
MEAN = X @ [1.0, -2.0]
T = MEAN + RNG.normal(size=12)
STD = np.exp(RNG.normal(size=12))


def test_the_noise_variance_of_a_regression_with_known_weights():
    """FCML exercise 3.12: σ² ~ IG(α, β) becomes IG(α + N/2, β + ½ Σ (t − wᵀx)²)."""
    posterior = InverseGamma(3.0, 2.0).posterior(T, mean=MEAN)
    assert posterior.batch_shape == ()
    assert posterior.shape == 3 + 12 / 2
    assert posterior.scale == pytest.approx(2 + np.sum((T - MEAN) ** 2) / 2, rel=1e-13)
    w = np.arange(12.0)
    assert Gamma(3, 2).posterior(T, w, mean=MEAN).rate == pytest.approx(
        2 + w @ (T - MEAN) ** 2 / 2, rel=1e-13
    )


@pytest.mark.parametrize("prior", [Gamma(3.0, 2.0), InverseGamma(3.0, 2.0)])
def test_row_by_row_is_all_at_once(prior):
    step, evidence = prior, 0.0
    for t, m in zip(T, MEAN, strict=True):
        evidence += step.log_evidence(t, mean=m)
        step = step.posterior(t, mean=m)
    whole = prior.posterior(T, mean=MEAN)
    assert (whole.shape, whole.mean) == pytest.approx((step.shape, step.mean), rel=1e-12)
    assert prior.log_evidence(T, mean=MEAN) == pytest.approx(evidence, rel=1e-12)


def test_numbers_with_their_own_noise():
    prior, w = Normal(0.5, 2.0), RNG.integers(0, 3, 12)
    posterior = prior.posterior(T, w, std=STD)
    precision = 1 / 4 + np.sum(w / STD**2)
    assert posterior.mean == pytest.approx((0.5 / 4 + np.sum(w * T / STD**2)) / precision, rel=1e-12)
    assert posterior.std == pytest.approx(precision**-0.5, rel=1e-12)
    joint = MultivariateNormal(np.full(12, 0.5), np.diag(STD**2) + 4.0)
    assert prior.log_evidence(T, std=STD) == pytest.approx(joint.log_prob(T), rel=1e-11)
    statistic = conjugacy.statistics(prior, T, w, std=STD)
    assert prior.posterior(statistic, std=1.0).std == pytest.approx(posterior.std, rel=1e-14)


def test_a_batch_of_known_values_has_a_last_axis():
    means = np.array([0.0, 1.0, 5.0])
    for prior in (Gamma(3.0, 2.0), InverseGamma([3.0, 4.0, 5.0], 2.0)):
        batch = prior.posterior(T, mean=means[:, None])
        singles = [prior.posterior(T, mean=m) for m in means]
        for k, single in enumerate(singles):
            one = single if not prior.batch_shape else single[k]
            assert batch[k].mean == pytest.approx(one.mean, rel=1e-14)
        assert prior.log_evidence(T, mean=means[:, None]).shape == (3,)
    stds = Normal(0, 1).posterior(T, std=np.array([[1.0], [2.0]]))
    assert stds[1] == Normal(0, 1).posterior(T, std=2.0)
    assert Normal(0, 1).posterior([2.0], std=[[1.0], [2.0]]).batch_shape == (2,)
    assert Normal(0, 1).posterior(Moments.of(T), std=[[1.0], [2.0]]) == stds


def test_neither_per_row_nor_a_batch():
    both = r"per row, or std=std\[..., None\]"
    with pytest.raises(InvalidParameter, match=r"std of shape \(3,\) .* 12 rows: .*" + both):
        Normal(0, 1).posterior(T, std=[1.0, 2.0, 3.0])
    with pytest.raises(InvalidParameter, match=r"mean of shape \(12,\) .* statistics, which hold no rows"):
        Gamma(1, 1).posterior(Moments.of(T), mean=MEAN)
    with pytest.raises(InvalidParameter, match=r"mean of shape \(2,\)"):
        Gamma(1, 1).log_evidence(3.0, mean=[1.0, 2.0])
    with pytest.raises(InvalidParameter, match="std must be > 0; got 0.0"):
        Normal(0, 1).posterior([1.0, 2.0], std=[1.0, 0.0])
