"""What the end of a learning curve says: five archetypes as drawn (DTU Figs 10.15, 10.16), laws, real models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import linregress, t
from sklearn.neighbors import KNeighborsRegressor

from suffice.evaluation._curves.advice import ADVICE, sentence
from suffice.evaluation._curves.diagnosis import LABELS, FoldMean, diagnose, read_signs
from suffice.evaluation.learning import learning_curve
from suffice.linear import LinearRegression

SIZES = np.array([50, 70, 100, 140, 200, 280, 400])
BASELINE, TARGET, FOLDS = 1.0, 0.2, 10
DRAWN = {  # training and test loss as functions of the size, in units of the baseline
    "good": (lambda m: 0.15 - 5 / m, lambda m: 0.18 + 25 / m),
    "overfit": (lambda m: 0.01 + 0 * m, lambda m: 0.95 + 0 * m),
    "too weak": (lambda m: 0.6 - 4 / m, lambda m: 0.61 + 4 / m),
    "wrong method": (lambda m: 0.55 - 2 / m, lambda m: 0.85 + 1 / m),
    "more data": (lambda m: 0.2 - 4 / m, lambda m: 0.3 + 90 / m),
}
SEEDS = st.integers(0, 10_000)


def curves(train, test, seed=0, noise=0.01):
    rng = np.random.default_rng(seed)
    level = noise * rng.standard_normal(FOLDS)  # test rows that are hard are hard at every size
    a = train(SIZES)[:, None] + noise / 3 * rng.standard_normal((len(SIZES), FOLDS))
    b = test(SIZES)[:, None] + level + noise / 3 * rng.standard_normal((len(SIZES), FOLDS))
    return np.maximum(a, 0), b


def signs(label, seed=0, baseline=BASELINE, target=TARGET, scale=1.0, noise=0.01):
    train, test = curves(*DRAWN[label], seed, noise)
    hoped = None if target is None else scale * target
    return read_signs(SIZES, scale * train, scale * test, np.ones(FOLDS), scale * baseline, hoped)


# -- archetypes -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("label", DRAWN)
@given(seed=SEEDS)
def test_archetypes_with_a_target(label, seed):
    assert diagnose(signs(label, seed)) == label


@pytest.mark.parametrize("label", DRAWN)
@given(seed=SEEDS)
def test_archetypes_without_a_target(label, seed):
    """Without a target nobody knows what could be reached: a high training loss may be noise, a gap is not."""
    expected = "overfit" if label == "wrong method" else label
    assert diagnose(signs(label, seed, target=None)) == expected


@given(st.sampled_from(sorted(DRAWN)), SEEDS, st.sampled_from([1e-150, 1e-6, 3.0, 1e6, 1e150]))
def test_units_of_the_loss_do_not_matter(label, seed, scale):
    assert diagnose(signs(label, seed, scale=scale)) == diagnose(signs(label, seed))


@pytest.mark.parametrize("label", DRAWN)
def test_noise_that_drowns_the_curve_is_said(label):
    drowned = signs(label, noise=8.0)
    assert diagnose(drowned) == "unclear"
    assert "The folds disagree too much" in sentence(drowned)


def test_good_in_its_three_ways():
    reached = read_signs(
        SIZES, *curves(lambda m: 0.19 - 1 / m, lambda m: 0.19 + 1 / m), np.ones(10), 1.0, 0.2
    )
    assert diagnose(reached) == "good"
    assert sentence(reached).endswith("The target is reached, and more data would change little.")
    below = read_signs(SIZES, *curves(lambda m: 0.05 + 0 * m, lambda m: 0.1 + 30 / m), np.ones(10), 1.0, 0.2)
    assert "The target is reached, and more data still lowers the loss" in sentence(below)
    met = read_signs(SIZES, *curves(lambda m: 0.19 - 1 / m, lambda m: 0.19 + 1 / m), np.ones(10), 1.0, None)
    assert diagnose(met) == "good"
    assert "The two have met" in sentence(met)
    far = read_signs(SIZES, *curves(lambda m: 0.19 - 1 / m, lambda m: 0.19 + 1 / m), np.ones(10), 1.0, 0.02)
    assert diagnose(far) == "too weak"  # the same curve, but more was hoped for


def test_a_lasting_gap_far_below_the_baseline_is_no_failure():
    """A gap that stays is overfitting only where little has been learned."""
    for level, label in ((0.15, "good"), (0.3, "good"), (0.4, "overfit"), (0.9, "overfit")):
        lasting = curves(lambda m: 0 * m, lambda m, level=level: level + 0 * m)
        found = read_signs(SIZES, *lasting, np.ones(10), 1.0)
        assert found.open
        assert not found.falling
        assert diagnose(found) == label
    done = read_signs(SIZES, *curves(lambda m: 0 * m, lambda m: 0.2 + 0 * m), np.ones(10), 1.0)
    assert "Most of the way from the baseline is done" in sentence(done)


def test_a_closing_gap_above_the_target_is_weakness():
    closing = read_signs(
        SIZES, *curves(lambda m: 0.6 - 20 / m, lambda m: 0.6 + 80 / m), np.ones(10), 1.0, 0.2
    )
    assert closing.open
    assert closing.falling
    assert diagnose(closing) == "too weak"
    assert "New rows still gain from more data (doubling the rows has lately been worth" in sentence(closing)


def found_in(train, test, baseline, target=None):
    return read_signs(SIZES, *curves(train, test), np.ones(FOLDS), baseline, target)


def test_a_high_training_loss_with_a_gap_that_closes_asks_for_data():
    """Log losses of 0.62 on new rows and 0.48 on rows seen, where noise alone leaves 0.5 of 0.69."""
    s = found_in(lambda m: 0.5 - 8 / m, lambda m: 0.5 + 48 / m, 0.69)
    assert s.high
    assert s.open
    assert diagnose(s) == "more data"
    assert "will not be enough" not in sentence(s)
    assert "no better than that" not in sentence(s)


def test_a_gap_that_stays_is_not_the_methods_fault():
    s = found_in(lambda m: 0.48 + 0 * m, lambda m: 0.62 + 0 * m, 0.69)
    assert diagnose(s) == "overfit"
    assert "as meant" not in sentence(s)
    assert "the folds do not show that more data closes the gap" in sentence(s)
    slowly = found_in(lambda m: 0.48 + 0 * m, lambda m: 0.6 + 8 / m, 0.69)
    assert slowly.fall.above(0)
    assert not slowly.falling
    assert "closes the gap only slowly (doubling the rows" in sentence(slowly)


def test_losses_that_have_met_high_may_be_noise():
    s = found_in(lambda m: 0.6 + 0 * m, lambda m: 0.6 + 0 * m, 0.69)
    assert diagnose(s) == "too weak"
    assert "The two have met, as far as the folds can tell" in sentence(s)
    assert "What is left may be noise, or needs other columns" in sentence(s)
    assert "as meant" not in sentence(s)
    near = found_in(lambda m: 0.57 + 0 * m, lambda m: 0.61 + 0 * m, 0.69)
    assert not near.open
    assert "The two have almost met" in sentence(near)


def test_only_a_model_that_fits_nothing_is_suspected():
    s = found_in(lambda m: 0.69 + 0 * m, lambda m: 0.69 + 0 * m, 0.69)
    assert s.useless
    assert "check that the method is applied as meant" in sentence(s)
    worse = found_in(lambda m: 0.7 + 0 * m, lambda m: 0.9 + 0 * m, 0.69)
    assert diagnose(worse) == "wrong method"
    assert "is no better than the baseline" in sentence(worse)


def test_met_and_falling_together_asks_for_data():
    both = read_signs(SIZES, *curves(lambda m: 100 / m, lambda m: 102 / m), np.ones(10), 1.0, 0.02)
    assert not both.open
    assert diagnose(both) == "more data"


def test_a_closed_gap_hides_small_falls():
    """Losses that have met fall by 7 % per doubling: less than the 10 % that a gap must have to be one."""
    slow = read_signs(SIZES, *curves(lambda m: 2 * m**-0.1, lambda m: 2.02 * m**-0.1), np.ones(10), 4.0, None)
    assert not slow.open
    assert 0.05 < slow.fall.value / slow.test.value < 0.1
    assert slow.fall.above(0)
    assert diagnose(slow) == "good"


def test_losses_without_a_zero_are_judged_by_the_baseline():
    def end(train, test, baseline):
        return diagnose(
            read_signs(SIZES, *(np.full((7, 10), v) + JITTER for v in (train, test)), np.ones(10), baseline)
        )

    JITTER = 0.01 * np.random.default_rng(0).standard_normal((7, 10))
    assert end(-2.0, -1.98, -0.5) == "good"
    assert end(-0.5, -0.5, -0.5) == "too weak"
    assert end(-2.0, -0.5, -0.5) == "overfit"


def test_without_a_baseline():
    train, test = curves(*DRAWN["overfit"])
    assert diagnose(read_signs(SIZES, train, test, np.ones(10))) == "overfit"
    train, test = curves(*DRAWN["more data"])
    assert diagnose(read_signs(SIZES, train, test, np.ones(10))) == "more data"
    train, test = curves(*DRAWN["too weak"])
    assert diagnose(read_signs(SIZES, train, test, np.ones(10), target=0.2)) == "too weak"


def test_too_little_to_say():
    one = read_signs(SIZES[-1:], *(np.full((1, 10), v) for v in (0.1, 0.2)), np.ones(10), 1.0)
    assert one.fall is None
    assert diagnose(one) == "unclear"
    assert "makes no curve: add sizes" in sentence(one)
    train, test = curves(*DRAWN["good"])
    test[-1, 0] = np.nan
    assert diagnose(read_signs(SIZES, train, test, np.ones(10), 1.0)) == "unclear"
    train, test = curves(*DRAWN["good"])
    test[:3] = np.nan  # small sizes may fail
    assert diagnose(read_signs(SIZES, train, test, np.ones(10), 1.0, 0.2)) == "good"


def test_every_label_has_advice():
    assert set(ADVICE) == set(LABELS)
    for label in DRAWN:
        text = sentence(signs(label))
        assert text.startswith("Trained on 400 rows, the loss is ")
        assert "(baseline 1, target 0.2)" in text


# -- the numbers it rests on ----------------------------------------------------------------------------
@given(SEEDS)
def test_fall_is_the_slope_per_doubling(seed):
    train, test = curves(*DRAWN["more data"], seed)
    fall = read_signs(SIZES, train, test, np.ones(FOLDS)).fall
    last = SIZES >= 200  # the last doubling
    slopes = [linregress(np.log2(SIZES[last]), fold[last]).slope for fold in test.T]
    assert fall.value == pytest.approx(-np.mean(slopes), rel=1e-9)
    assert fall.error == pytest.approx(np.std(slopes, ddof=1) / np.sqrt(FOLDS), rel=1e-9)


def test_fall_uses_three_sizes_where_the_last_doubling_has_fewer():
    sizes, test = np.array([10, 100, 1000]), np.array([[3.0], [2.0], [1.0]])
    fall = read_signs(sizes, 0 * test, test, np.ones(1)).fall
    assert fall.value == pytest.approx(1 / np.log2(10), rel=1e-12)
    assert fall.error == 0


def test_gap_is_paired():
    """Folds that are hard for training and test alike do not blur their difference."""
    rng = np.random.default_rng(0)
    hard, small = rng.standard_normal((7, 10)), 0.01 * rng.standard_normal((7, 10))
    gap = read_signs(SIZES, 5 + hard, 6 + hard + small, np.ones(10)).gap
    assert gap.value == pytest.approx(1 + small[-1].mean(), rel=1e-12)
    assert gap.error == pytest.approx(small[-1].std(ddof=1) / np.sqrt(10), rel=1e-9)


def test_measured():
    folds, weight = np.array([1.0, 2.0, 4.0]), np.array([1.0, 1.0, 2.0])
    m = FoldMean.of(folds, weight)
    assert m.value == 2.75
    assert m.error == pytest.approx(np.std(folds, ddof=1) / np.sqrt(3), rel=1e-12)
    assert m.reach == pytest.approx(t.ppf(0.95, 2) * m.error, rel=1e-9)
    assert m.above(2.75 - 1.001 * m.reach)
    assert not m.above(2.75 - 0.999 * m.reach)
    assert FoldMean.of(folds[:1], weight[:1]) == FoldMean(1.0, 0.0, 0)


# -- real models ----------------------------------------------------------------------------------------
def linear(rng, n, p, signal):
    X = rng.standard_normal((n, p))
    return X, X @ np.full(p, np.sqrt(signal / p)) + rng.standard_normal(n)


def a_line_fits_a_line(rng):
    return LinearRegression(), *linear(rng, 300, 5, 3.0), 1.05


def a_line_cannot_bend(rng):
    X = rng.standard_normal((400, 2))
    return LinearRegression(), X, X[:, 0] ** 2 + 0.3 * rng.standard_normal(400), 0.1


def neighbours_remember_noise(rng):
    return KNeighborsRegressor(1), rng.standard_normal((300, 4)), rng.standard_normal(300), 0.2


def neighbours_half_remember_noise(rng):
    return KNeighborsRegressor(2), rng.standard_normal((300, 4)), rng.standard_normal(300), 0.2


def sixty_weights_need_more_rows(rng):
    return LinearRegression(), *linear(rng, 240, 60, 0.6), 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "label", "least"),
    [
        (a_line_fits_a_line, "good", 10),
        (a_line_cannot_bend, "too weak", 10),
        (neighbours_remember_noise, "overfit", 8),
        (neighbours_half_remember_noise, "wrong method", 8),
        (sixty_weights_need_more_rows, "more data", 8),
    ],
)
def test_real_models(make, label, least):
    """Ten data sets each; two may be taken for another archetype: each rule is a test at 5 %."""
    found = []
    for seed in range(10):
        model, X, y, target = make(np.random.default_rng(seed))
        found.append(learning_curve(model, X, y, target=target, random_state=seed).diagnosis)
    assert found.count(label) >= least, found


@pytest.mark.long
def test_the_fall_foretells_what_more_rows_bring():
    """What the last doubling was worth, against the next one: a 1/m law halves it (± the errors over folds)."""
    worth, gained = [], []
    for seed in range(40):
        X, y = linear(np.random.default_rng(seed), 4000, 20, 4.0)
        curve = learning_curve(LinearRegression(), X[:200], y[:200], cv=5, repeats=4, random_state=seed)
        fresh = X[2000:], y[2000:]
        before, after = (
            np.mean((fresh[1] - LinearRegression().fit(X[:m], y[:m]).predict(fresh[0])) ** 2)
            for m in (160, 320)
        )
        worth.append(curve.signs.fall.value)
        gained.append(before - after)
    ratio = np.mean(gained) / np.mean(worth)
    assert 0.3 < ratio < 0.8  # 1/2 under the law; each mean has a relative error of about 10 %
