"""Claims: each test by hand, and a claim, its interval, its p-value and its sentence that never disagree."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS

from suffice.linear import BayesianLinearRegression, LinearRegression
from suffice.study import Study
from suffice.study.claims.claiming import _surest_first_steps
from suffice.study.claims.columns import columns_p_value
from suffice.study.claims.families import family_of
from suffice.study.claims.gains import Gains, gains
from suffice.study.claims.pairs import by_columns, few_decide, first_step_test, mean_test
from suffice.study.claims.units import Units
from suffice.study.options import Options
from suffice.study.reading.names import plural
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read

pytestmark = pytest.mark.slow

MODELS = ["linear", "ridge", "lasso"]
IN_TURN = 1.25  # of the errors, where rows train and test in turn


def table(n=150, seed=2, slope=0.7, **more):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return {f"x{j}": X[:, j] for j in range(3)} | {"y": slope * X[:, 0] + rng.normal(size=n), **more}


def rows(n, weight=None):
    return Units("rows", "rows", np.arange(n), np.ones(n) if weight is None else weight)


def groups(sizes):
    place = np.repeat(np.arange(len(sizes)), sizes)
    return Units("groups", "firms", np.arange(len(place)), np.ones(len(place)), place)


# -- units ---------------------------------------------------------------------------------------------------------
def test_rows_are_a_t_test_and_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    x, w = rng.normal(0.3, 1, 40), rng.integers(1, 4, 40)
    test = stats.ttest_1samp(x, 0)
    m = rows(40).mean(x)
    assert (m.t, m.dof, m.count) == (pytest.approx(test.statistic, rel=1e-12), 39, 40)
    twice, once = rows(40, w.astype(float)).mean(x), rows(w.sum()).mean(np.repeat(x, w))
    assert (twice.mean, twice.error, twice.dof) == pytest.approx((once.mean, once.error, once.dof), rel=1e-12)


def test_groups_of_equal_size_are_a_t_test_of_their_means():
    x = np.random.default_rng(1).normal(0.2, 1, 60)
    test = stats.ttest_1samp(x.reshape(12, 5).mean(axis=1), 0)
    m = groups([5] * 12).mean(x)
    assert (m.t, m.dof, m.count) == (pytest.approx(test.statistic, rel=1e-9), pytest.approx(11, rel=1e-9), 12)


def test_groups_of_unequal_size_have_bell_and_mccaffreys_error():
    """CR2 and Satterthwaite's degrees of freedom, from the matrices themselves."""
    sizes = np.array([1, 2, 3, 10, 4, 7])
    x = np.random.default_rng(2).normal(size=sizes.sum())
    place = np.repeat(np.arange(6), sizes)
    p, means = sizes / sizes.sum(), np.array([x[place == g].mean() for g in range(6)])
    M = np.eye(6) - np.outer(np.ones(6), p)
    A = np.diag(p**2 / (1 - p))
    spectrum = np.linalg.eigvals(A @ M @ M.T).real
    m = groups(sizes).mean(x)
    assert m.error**2 == pytest.approx(float(means @ M.T @ A @ M @ means), rel=1e-12)
    assert m.dof == pytest.approx(spectrum.sum() ** 2 / (spectrum**2).sum(), rel=1e-9)


def test_time_is_the_variance_of_slow_cosines():
    x = np.cumsum(np.random.default_rng(3).normal(size=80)) * 0.1 + np.random.default_rng(4).normal(size=80)
    units = Units("stretches", "stretches", np.arange(80), np.ones(80))
    m = units.mean(x)
    nu, t = int(m.dof), np.arange(80) + 0.5
    slow = [np.sqrt(2 / 80) * np.sum((x - x.mean()) * np.cos(np.pi * j * t / 80)) for j in range(1, nu + 1)]
    assert m.error == pytest.approx(np.sqrt(np.sum(np.square(slow)) / nu / 80), rel=1e-12)
    assert m.count == nu + 1


def test_weights_and_moments_count_in_time():
    """A weighted row moves the mean by its share, and rows of one moment count once, by their mean."""
    rng = np.random.default_rng(12)
    x, w = rng.normal(size=60), rng.integers(1, 4, 60).astype(float)
    once = Units("stretches", "stretches", np.arange(60), np.ones(60))
    m = Units("stretches", "stretches", np.arange(60), w).mean(x)
    assert m.mean == pytest.approx(np.average(x, weights=w), rel=1e-12)
    assert m.error == pytest.approx(once.mean(w * (x - m.mean) / w.mean()).error, rel=1e-9)
    twice = Units("stretches", "stretches", np.arange(120), np.ones(120), np.repeat(np.arange(60), 2))
    both = twice.mean(np.repeat(x, 2))
    alone = once.mean(x)
    assert (both.mean, both.error, both.count) == pytest.approx(
        (alone.mean, alone.error, alone.count), rel=1e-9
    )


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.8])
def test_the_error_of_a_series_is_that_of_its_mean(phi):
    """The mean of an autoregression is tested at 5 %: at most 8 % of 400 may reject (5 % and three errors)."""
    rng, hits, n = np.random.default_rng(5), 0, 150
    units = Units("stretches", "stretches", np.arange(n), np.ones(n))
    for _ in range(400):
        noise, x = rng.normal(size=n + 50), np.zeros(n + 50)
        for i in range(1, n + 50):
            x[i] = phi * x[i - 1] + noise[i]
        m = units.mean(x[50:])
        hits += 2 * stats.t(m.dof).sf(abs(m.t)) < 0.05
    assert hits <= (32 if phi < 0.8 else 40)  # at 0.8, 150 rows are worth 17: 10 % at most
    assert m.dof < (n if phi == 0 else 25)


def test_intervals_of_losses_stay_above_zero():
    losses = np.random.default_rng(6).exponential(size=9) ** 4
    low, high = rows(9).interval(losses, 0.95)
    assert 0 < low < losses.mean() < high
    assert low * high == pytest.approx(losses.mean() ** 2, rel=1e-12)
    assert rows(9).interval(np.zeros(9), 0.95) is None


# -- one pair ------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def result():
    return Study(table(slope=1.2), "y", models=MODELS, references=False).run()


def test_the_first_step_is_the_slope_of_the_loss_on_the_way(result):
    """G'(0) and G'(1) against differences of the loss itself, for numbers, counts and classes."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(80, 2))
    eta = 0.5 * X[:, 0]
    targets = {"squared": eta + rng.normal(size=80), "log": np.where(eta + rng.normal(size=80) > 0, "b", "a")}
    targets["poisson"] = rng.poisson(np.exp(eta)).astype(float)
    for loss, y in targets.items():
        task = "counts" if loss == "poisson" else None
        s = Study({"p": X[:, 0], "q": X[:, 1], "y": y}, "y", task=task, effort="quick").run()
        p = replace(s.problem, loss=loss)
        base, model = (s.layers.validations[n] for n in (s.comparison.baseline, s.comparison.best))
        if s.comparison.best == s.comparison.baseline:
            model = s.layers.validations[next(m.name for m in s.comparison.models if m.kind == "model")]
        g, h = gains(model, base, p, np.arange(80)), 1e-6

        def fallen(c, loss=loss, base=base, model=model, y=s.problem.y):
            if loss == "log":
                own = np.searchsorted(["a", "b"], y)
                p1, p0 = (np.asarray(v.probabilities)[np.arange(80), own] for v in (model, base))
                return np.log(p0 + c * (p1 - p0))
            m = base.predictions + c * (model.predictions - base.predictions)
            return -((y - m) ** 2) if loss == "squared" else 2 * (y * np.log(m) - m)

        np.testing.assert_allclose(g.first, (fallen(h) - fallen(-h)) / 2 / h, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(g.last, (fallen(1 + h) - fallen(1 - h)) / 2 / h, rtol=1e-5, atol=1e-6)


def test_against_the_baseline_by_hand(result):
    """The mean where it settles the matter: a paired t test over rows, at the level of the family."""
    losses, claims = result.layers.losses, {c.names: c for c in result.claims}
    for name in MODELS:
        c = claims[frozenset((name, "mean"))]
        d = losses["mean"] - losses[name]
        assert c.difference == pytest.approx(d.mean(), rel=1e-9)
        assert (c.better, c.unit, c.units, c.against_baseline) == (name, "rows", 150, True)
        q = (d.mean() - c.interval[0]) / (IN_TURN * stats.sem(d))
        assert stats.t(149).ppf(0.975) <= q <= stats.t(149).ppf(1 - 0.025 / 3)
        high = d.mean() + q * IN_TURN * stats.sem(d)
        assert c.interval[1] == pytest.approx(min(high, losses["mean"].mean()), rel=1e-9)
        alone = 2 * stats.t(149).sf(d.mean() / stats.sem(d) / IN_TURN)
        assert alone * (1 - 1e-9) <= c.p_value <= 3 * alone * (1 + 1e-9)


def test_a_root_interval_excludes_zero_exactly_where_the_first_step_does():
    rng = np.random.default_rng(8)
    for _ in range(50):
        r, scale = rng.normal(size=120), rng.uniform(0.02, 0.3)
        g = scale * (0.8 * r * rng.uniform(0, 0.5) + rng.normal(size=120))
        steps = type("Steps", (), {"whole": 2 * r * g - g**2, "first": 2 * r * g, "last": 2 * (r - g) * g})
        t = first_step_test(rows(120), steps)
        if t is None:
            continue
        for z in (1.5, 1.96, 2.5):
            low, high = t.interval(z)
            assert (low > 0) == (t.z > z)
            assert low < t.estimate < high


def test_a_first_step_is_fair_to_models_that_find_their_scale_or_do_not_seem_to_go_too_far():
    """Predictions twice as far from the mean as the rows ask gain nearly nothing, though their first step is sure."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=300)
    r = 0.5 * x + rng.normal(size=300)

    def steps(g):
        return Gains(2 * r * g - g**2, 2 * r * g, 2 * (r - g) * g)

    slope = float(r @ x / (x @ x))
    far, fair = steps(1.7 * slope * x), steps(slope * x)
    assert rows(300).mean(far.whole).mean > 0
    assert first_step_test(rows(300), far) is None
    assert first_step_test(rows(300), far, finds_scale=True).kind == "root"
    assert first_step_test(rows(300), fair).kind == "root"
    assert first_step_test(rows(300), steps(-slope * x), finds_scale=True) is None


@pytest.mark.filterwarnings("ignore:The data show no effect of the columns")
def test_a_prior_that_the_rows_choose_keeps_predictions_from_going_too_far():
    """Where least squares is hardly better than the mean, a model by evidence loses less than half as often."""
    lost = {LinearRegression: 0, BayesianLinearRegression: 0}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, new = rng.normal(size=(2, 200, 8))
        y = 0.2 * X[:, 0] + rng.normal(size=200)
        for kind in lost:
            off = kind().fit(X, y).predict(new) - 0.2 * new[:, 0]
            lost[kind] += np.mean(off**2) > np.mean((y.mean() - 0.2 * new[:, 0]) ** 2)
    assert lost[LinearRegression] >= 25
    assert lost[BayesianLinearRegression] < 0.5 * lost[LinearRegression]


def test_what_all_columns_say_settles_the_matter_only_for_models_that_predict_alike():
    """The surest first step and those that move the same rows; nobody, where none leans to its model."""
    rng = np.random.default_rng(2)
    n = 400
    shared, own = rng.normal(size=(2, n))
    shared, own = shared - shared.mean() + 0.12, own - own.mean() + 0.1

    def step(u):
        return first_step_test(rows(n), Gains(0.5 * u, u, 0.0 * u), True)

    first = {"a": step(shared), "like a": step(0.8 * shared + 0.05 * own), "other": step(own), "none": None}
    assert all(t is None or t.z > 1 for t in first.values())
    assert set(_surest_first_steps({(name, "mean"): t for name, t in first.items()})) == {
        ("a", "mean"),
        ("like a", "mean"),
    }
    weak = step(shared - shared.mean() + 0.01)
    assert weak is not None
    assert _surest_first_steps({("a", "mean"): weak, ("b", "mean"): None}) == {}


def test_where_a_few_rows_decide_typical_rows_are_compared():
    """One row in a thousand saves a million, and hides what 1,999 rows say; against them, it settles nothing."""
    rng = np.random.default_rng(9)
    saved = rng.normal(0.3, 1, 2000)
    saved[7] = 1e6
    assert few_decide(rows(2000), saved)
    assert not few_decide(rows(2000), rng.standard_t(5, 2000))
    t = mean_test(rows(2000), saved)
    assert (t.kind, t.estimate > 0, t.z > 4) == ("rank", True, True)
    low, high = t.interval(1.96)
    walsh = np.median([(a + b) / 2 for i, a in enumerate(saved[:300]) for b in saved[i:300]])
    assert low < walsh < high
    assert t.estimate == pytest.approx(0.3, abs=4 * stats.sem(np.delete(saved, 7)))
    at = stats.wilcoxon(saved - low, alternative="two-sided", method="approx").pvalue
    assert at == pytest.approx(2 * stats.norm.sf(1.96 * IN_TURN), rel=0.05)
    saved[7] = -1e6
    other = mean_test(rows(2000), saved)
    assert (other.kind, other.estimate < 0, abs(other.z) < 1.96) == ("mean", True, True)


# -- all columns together -----------------------------------------------------------------------------------------
def problem_of(data, **options):
    chosen = Options("y", **options)
    return make_problem(read(data), chosen)


def test_what_all_columns_say_is_the_surer_of_least_squares_and_one_column_under_flipped_signs():
    """Refitted and recorrelated for every flip, by other signs; T is what least squares explains."""
    rng = np.random.default_rng(22)
    X = rng.normal(size=(80, 12))  # of which one column matters
    p = problem_of({f"x{j}": x for j, x in enumerate(X.T)} | {"y": 0.35 * X[:, 0] + rng.normal(size=80)})
    Z = p.Z - p.Z.mean(axis=0)
    A = np.column_stack([np.ones(80), p.Z])

    def both(r):
        explained = np.sum((A @ np.linalg.lstsq(A, r)[0]) ** 2) - 80 * r.mean() ** 2
        return explained, max((z @ r) ** 2 / np.sum((z * r) ** 2) for z in Z.T)

    r = p.y - p.y.mean()
    signs = np.random.default_rng(1).choice([-1.0, 1.0], (3000, 80))
    values = np.array([both(r), *(both(r * s) for s in signs)])
    shares = np.array([[np.mean(column >= v) for v in column] for column in values.T])
    surer = shares.min(axis=0)
    share = np.mean(surer <= surer[0])
    assert columns_p_value(p) == pytest.approx(share, abs=4 * np.sqrt(share / 2000))
    assert 0.002 < share < 0.5 * shares[0, 0], "least squares alone sees less"
    assert columns_p_value(problem_of(table(n=24))) is not None
    wide = {f"x{j}": np.random.default_rng(j).normal(size=80) for j in range(24)}
    assert columns_p_value(problem_of(wide | {"y": p.y})) is None


@pytest.mark.parametrize("which", ["one", "all"])
def test_one_column_of_many_is_seen_as_well_as_all_of_them(which):
    """At R² = 0.15 of 100 rows and 12 columns, in more than half of the tables."""
    seen = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, noise = rng.normal(size=(100, 12)), rng.normal(size=100)
        signal = X[:, 0] if which == "one" else X.sum(axis=1) / np.sqrt(12)
        data = {f"x{j}": x for j, x in enumerate(X.T)}
        seen += (
            columns_p_value(problem_of(data | {"y": np.sqrt(0.15) * signal + np.sqrt(0.85) * noise})) < 0.025
        )
    assert seen > 15


def test_what_all_columns_say_is_held_against_the_level_of_one_test():
    """The interval excludes 0 exactly where the p-value is below the level, whatever the size of the family."""
    rng = np.random.default_rng(3)
    r = rng.normal(size=120)
    g = 0.05 * (0.3 * r + rng.normal(size=120))
    steps = type("Steps", (), {"whole": 2 * r * g - g**2, "first": 2 * r * g, "last": 2 * (r - g) * g})
    step, alone = first_step_test(rows(120), steps), stats.norm.isf(0.025)
    for said in (0.0005, 0.02, 0.0399, 0.0401, 0.2):
        for critical in (alone, 2.6):
            t = by_columns(step, said, critical, alone)
            assert t.p == pytest.approx(1.25 * said)
            assert (t.interval(critical)[0] > 0) == (t.p <= 0.05)
            assert t.interval(critical)[1] == pytest.approx(step.interval(critical)[1], rel=1e-12)


@pytest.mark.parametrize("kind", ["rows", "groups", "classes"])
def test_columns_that_say_nothing_seldom_seem_to_say_something(kind):
    """At 5 %, more than 18 of 200 has a chance of 0.5 %; rows of a group have most of their noise in common."""
    hits = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        firm = np.repeat(np.arange(24), 4)
        common = 0.0 if kind != "groups" else 2.0
        X = rng.normal(size=(96, 3)) + common * rng.normal(size=(24, 3))[firm]
        y = rng.normal(size=96) + common * rng.normal(size=24)[firm]
        y = np.where(y > 0, "a", "b").astype(object) if kind == "classes" else y
        data = {f"x{j}": X[:, j] for j in range(3)} | {"y": y}
        more = {"firm": firm} if kind == "groups" else {}
        found = problem_of(data | more, **({"group": "firm"} if kind == "groups" else {}))
        hits += columns_p_value(found) <= 0.05
    assert hits <= 18


# -- families ------------------------------------------------------------------------------------------------------
def test_models_that_predict_alike_count_as_little_more_than_one():
    rng = np.random.default_rng(10)
    same = rng.normal(size=(200, 1)) + 1e-6 * rng.normal(size=(200, 5))
    apart = rng.normal(size=(200, 5))
    alike, free = (family_of([mean_test(rows(200), x) for x in X.T]) for X in (same, apart))
    assert alike.critical(0.05) == pytest.approx(1.96, abs=0.03)
    assert free.critical(0.05) == pytest.approx(stats.norm.isf((1 - 0.95 ** (1 / 5)) / 2), abs=0.04)
    assert free.critical(0.05) <= stats.norm.isf(0.025 / 5)


@pytest.mark.parametrize("seed", range(3))
def test_a_p_value_is_below_the_level_where_the_interval_excludes_zero(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 6)) + rng.normal(0, 0.4, 6)
    tests = [mean_test(rows(60), x) for x in X.T]
    family = family_of(tests)
    for alpha in (0.01, 0.05, 0.2):
        z = family.critical(alpha)
        for t in tests:
            low, high = t.interval(z)
            assert (family.p_value(t.z) <= alpha) == (low > 0 or high < 0)


# -- whole studies -------------------------------------------------------------------------------------------------
GROUPS = {"firm": np.array([f"f{i // 5}" for i in range(150)], dtype=object)}
STUDIES = {
    "rows": (table(), {}),
    "noise": (table(slope=0.0), {}),
    "modest": (table(slope=0.3, seed=5), {"effort": "quick"}),
    "groups": (table(**GROUPS), {"group": "firm"}),
    "time": (table(day=np.arange(150)), {"time": "day"}),
    "few": (table(n=24), {"effort": "quick"}),
}


@pytest.mark.parametrize("name", STUDIES)
def test_nothing_in_a_study_contradicts_its_claims(name):
    data, options = STUDIES[name]
    r = Study(data, "y", models=MODELS, references=False, **options).run()
    c, alpha = r.comparison, 1 - r.comparison.confidence
    assert len(r.claims) == len(c.models) * (len(c.models) - 1) // 2
    for claim in r.claims:
        excludes = claim.interval is not None and claim.interval[0] > 0
        assert claim.claimed == excludes == (claim.p_value is not None and claim.p_value <= alpha)
        assert claim.claimed == (
            "predicts better than" in claim.sentence and "not settled" not in claim.sentence
        )
        losses = {m.name: m.estimate for m in c.models}
        if not claim.test.startswith("t test of signed"):
            assert claim.difference == pytest.approx(
                losses[claim.worse] - losses[claim.better], rel=1e-6, abs=1e-9
            )
    best = c.of(c.best)
    assert c.proven == (best.to_baseline is not None and best.to_baseline.favors(c.best))
    assert r.answer.headline.startswith("None of") != c.proven
    if best.to_baseline is not None:
        assert r.answer.tiles[1].value == f"{100 * best.gain:.0f}\u202f%".replace("-", "−")
    assert [x["claimed"] for x in r.to_dict()["claims"]] == [x.claimed for x in r.claims]


def test_groups_are_what_is_counted():
    r = Study(table(**GROUPS), "y", group="firm", models=["linear"], references=False).run()
    claim = r.claims[0]
    d = (r.layers.losses["mean"] - r.layers.losses["linear"])[np.argsort(r.problem.rows)]
    fit = OLS(d, np.ones(150)).fit(cov_type="cluster", cov_kwds={"groups": np.arange(150) // 5})
    assert (claim.unit, claim.units) == ("groups", 30)
    assert claim.difference == pytest.approx(fit.params[0], rel=1e-9)
    half = stats.t(29).ppf(0.975) * stats.sem(d.reshape(30, 5).mean(axis=1)) * IN_TURN
    assert claim.interval == pytest.approx((d.mean() - half, d.mean() + half), rel=1e-6)
    assert "counted over 30 firms" in claim.sentence


@pytest.mark.parametrize("name", ["sorted", "shuffled", "turned", "in other units"])
def test_the_order_of_a_table_changes_nothing(name):
    data = table(seed=11, word=np.random.default_rng(0).choice(["p", "q", "r"], 150).astype(object))
    order = {
        "sorted": np.argsort(data["y"]),
        "shuffled": np.random.default_rng(1).permutation(150),
        "turned": np.arange(150)[::-1],
        "in other units": np.arange(150),
    }[name]
    other = {n: v[order] * (1024 if name.endswith("units") and n == "y" else 1) for n, v in data.items()}
    if name == "turned":
        other = dict(reversed(other.items()))
    options = {"models": ["linear", "ridge", "forest"], "effort": "quick"}
    a, b = (Study(t, "y", **options).run() for t in (data, other))
    unit = 1024.0**2 if name.endswith("units") else 1.0
    assert [(c.better, c.worse, c.claimed) for c in a.claims] == [
        (c.better, c.worse, c.claimed) for c in b.claims
    ]
    for x, y in zip(a.claims, b.claims, strict=True):
        assert y.difference == pytest.approx(unit * x.difference, rel=1e-6, abs=1e-9 * unit)


@pytest.mark.parametrize(
    ("name", "several"),
    [
        ("firm", "firms"),
        ("City", "cities"),
        ("class", "classes"),
        ("nr", "groups"),
        ("x1", "groups"),
        ("day", "days"),
    ],
)
def test_groups_are_called_by_their_column(name, several):
    assert plural(name) == several
