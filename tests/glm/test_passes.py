"""A pass over the rows: sums that add, in units or as they are; and fits from any source, the same as from arrays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from suffice import engine
from suffice._core.errors import InvalidInput
from suffice.bases import Polynomial
from suffice.glm import LogisticRegression, PoissonRegression, ProbitRegression, SoftmaxRegression
from suffice.glm._fit import pass_sums as passes
from suffice.glm._fit.pass_sums import ScaledColumns, SumsAt, sums_at

N = 400
CLASSES = {
    "logistic": (LogisticRegression, {}),
    "probit": (ProbitRegression, {}),
    "poisson": (PoissonRegression, {}),
    "softmax": (SoftmaxRegression, {}),
    "logistic, balanced": (LogisticRegression, {"class_weight": "balanced", "standardize": True}),
    "softmax, parabola": (SoftmaxRegression, {"basis": Polynomial(2), "prior_precision": 1.0}),
    "poisson, shrunk": (PoissonRegression, {"prior_precision": 2.0, "standardize": True}),
}
every_class = pytest.mark.parametrize("name", CLASSES)


def made(name):
    cls, options = CLASSES[name]
    return cls(**options)


def rows(name, n=N, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) * [1.0, 2.0, 0.5] + [0.0, 1.0, -0.5]
    a = X @ [0.8, -0.4, 0.3]
    if name.startswith("poisson"):
        y = rng.poisson(np.exp(0.5 * a)).astype(float)
    elif name.startswith("softmax"):
        y = np.array(["a", "b", "c"])[
            np.argmax(np.column_stack([a, -a, 0 * a]) + rng.gumbel(size=(n, 3)), axis=1)
        ]
    else:
        y = np.where(rng.uniform(size=n) < expit(a), "yes", "no")
    return X, y, rng.integers(0, 3, n).astype(float)


def place(model, X, y, weight, seed=3):
    """Validated rows, their plan, and some functions to look at."""
    opened, plan = model.door(X, y, weight)
    u = 0.3 * np.random.default_rng(seed).standard_normal((plan.n_columns, plan.n_functions))
    return opened, plan, u


def assert_sums(a, b, rtol=1e-10):
    assert a.rows == b.rows
    for part in ("n", "log_likelihood", "saturated", "gradient", "targets"):
        scale = np.abs(getattr(b, part)).max()
        np.testing.assert_allclose(
            getattr(a, part), getattr(b, part), rtol=rtol, atol=rtol * scale, err_msg=part
        )
    if a.gram is not None:
        np.testing.assert_allclose(a.gram, b.gram, rtol=rtol, atol=rtol * np.abs(b.gram).max())


# -- one pass ---------------------------------------------------------------------------------------------------
@every_class
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_as_they_are_are_the_sums_in_units(name, weighted):
    X, y, w = rows(name)
    opened, plan, u = place(made(name), X, y, w if weighted else None)
    for see in ("gradient", "gram"):
        at = SumsAt(u, see)
        total = passes._no_sums(plan, at)
        in_units = passes._add_block(total, opened, ScaledColumns(plan.design(opened.X)), plan, at, u)
        assert_sums(sums_at(opened, plan, at), in_units)
    if plan.header.basis is None:
        assert plan.takes_as_is(opened.X)


@every_class
def test_the_factor_is_a_root_of_the_gram(name):
    opened, plan, u = place(made(name), *rows(name))
    gram, R = sums_at(opened, plan, SumsAt(u, "gram")).gram, sums_at(opened, plan, SumsAt(u, "factor")).factor
    np.testing.assert_allclose(R.T @ R, gram, rtol=1e-10, atol=1e-11 * np.abs(gram).max())


@every_class
@pytest.mark.parametrize("size", [1, 7, 150, 399])
def test_blocks_of_any_size_add(name, size):
    opened, plan, u = place(made(name), *rows(name))
    whole = sums_at(opened, plan, SumsAt(u))
    parts = [sums_at(opened[a : a + size], plan, SumsAt(u)) for a in range(0, N, size)]
    assert_sums(sum(parts[1:], parts[0]), whole)


@every_class
def test_steps_inside_a_pass_do_not_matter(name, monkeypatch):
    opened, plan, u = place(made(name), *rows(name))
    whole = sums_at(opened, plan, SumsAt(u))
    monkeypatch.setattr(passes, "STRIDE", 13)
    monkeypatch.setattr(passes, "STEP", 13)
    assert_sums(sums_at(opened, plan, SumsAt(u)), whole)


@every_class
def test_gradient_and_gram_are_differences(name):
    """Of log likelihood and gradient, in every coordinate of u."""
    opened, plan, u = place(made(name), *rows(name))
    here, step = sums_at(opened, plan, SumsAt(u)), 1e-5
    for j in range(u.size):
        move = np.zeros(u.size)
        move[j] = step
        move = move.reshape(u.T.shape).T  # one function after the other
        up, down = (sums_at(opened, plan, SumsAt(u + s * move, "gradient")) for s in (1, -1))
        by_difference = (up.log_likelihood - down.log_likelihood) / (2 * step)
        assert here.gradient.T.ravel()[j] == pytest.approx(by_difference, rel=1e-5, abs=1e-5)
        bend = -(up.gradient - down.gradient).T.ravel() / (2 * step)
        np.testing.assert_allclose(here.gram[j], bend, rtol=1e-5, atol=1e-5)


def test_class_weights_are_weights_of_rows():
    X, y, w = rows("logistic")
    opened, plan, u = place(LogisticRegression(), X, y, w)
    by_class = sums_at(opened, plan, SumsAt(u, "gram", np.array([2.0, 5.0])))
    heavier, _, _ = place(LogisticRegression(), X, y, w * np.where(y == "no", 2.0, 5.0))
    assert_sums(by_class, sums_at(heavier, plan, SumsAt(u, "gram")), rtol=1e-12)


def test_slopes_of_other_columns_do_not_add():
    a, b = (
        sums_at(o, p, SumsAt(u))
        for o, p, u in (
            place(LogisticRegression(), X, y, None) for X, y in (rows("logistic")[:2],) for _ in "ab"
        )
    )
    assert (a + b).rows == 2 * N
    X, y, _ = rows("logistic")
    o, p, u = place(LogisticRegression(), X[:, :2], y, None)
    with pytest.raises(InvalidInput, match="columns"):
        a + sums_at(o, p, SumsAt(u))


def test_a_column_that_does_not_vary_is_zero_in_its_units():
    """Sums as they are would leave a rounding error that looks like a column."""
    X, y, _ = rows("logistic")
    opened, plan, u = place(LogisticRegression(), np.column_stack([X, np.full(N, 7.0)]), y, None)
    assert not plan.takes_as_is(opened.X)
    assert np.all(sums_at(opened, plan, SumsAt(u)).gram[4] == 0)


# -- sources ----------------------------------------------------------------------------------------------------
def assert_same(a, b, rtol=1e-10):
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(a.intercept_, b.intercept_, rtol=rtol, atol=rtol)
    se = np.sqrt(np.diag(b.cov_params_))  # of the last pass, at most √tol of a standard error before the mode
    np.testing.assert_allclose(a.cov_params_ / np.outer(se, se), b.cov_params_ / np.outer(se, se), atol=1e-6)
    assert a.log_likelihood_ == pytest.approx(b.log_likelihood_, rel=1e-12)
    assert a.deviance_ == pytest.approx(b.deviance_, rel=1e-10)


def batches(X, y, size=90):
    return [(X[a : a + size], y[a : a + size]) for a in range(0, len(y), size)]


@every_class
def test_batches_give_the_fit_of_arrays(name):
    X, y, _ = rows(name)
    assert_same(engine.fit(made(name), batches(X, y)), made(name).fit(X, y))


@every_class
def test_a_first_batch_of_one_class_is_no_harm(name):
    """Rows sorted by target: what classes there are is known after a first look at all of them."""
    X, y, _ = rows(name)
    order = np.argsort(y, kind="stable")
    model = engine.fit(made(name), batches(X[order], y[order], 40))
    assert_same(model, made(name).fit(X, y), rtol=1e-9)
    if hasattr(model, "classes_"):
        assert model.classes_.tolist() == sorted(set(y.tolist()))


@every_class
def test_parquet_gives_the_fit_of_arrays(name, tmp_path):
    import pandas

    X, y, w = rows(name)
    for i, part in enumerate(np.array_split(np.arange(N), 3)):
        frame = pandas.DataFrame(X[part], columns=["p", "q", "r"]).assign(y=y[part], w=w[part])
        frame.to_parquet(tmp_path / f"{i}.parquet")
    model = engine.fit(made(name), tmp_path, "y", weight="w")
    assert_same(model, made(name).fit(X, y, w), rtol=1e-9)
    assert list(model.feature_names_in_) == ["p", "q", "r"]


@pytest.mark.long
@pytest.mark.slow
def test_processes_give_the_fit_of_arrays():
    with engine.Processes(2) as pool:
        for name in ("logistic", "softmax, parabola", "poisson"):
            X, y, _ = rows(name)
            assert_same(engine.fit(made(name), batches(X, y), executor=pool), made(name).fit(X, y))


def test_one_class_in_all_batches_is_refused():
    X, _, _ = rows("logistic")
    with pytest.raises(InvalidInput, match="at least 2 classes"):
        engine.fit(LogisticRegression(), batches(X, np.full(N, "yes")))


# -- many rows --------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("name", ["logistic", "probit", "poisson", "logistic, balanced"])
def test_a_start_from_a_few_rows_ends_at_the_same_summit(name):
    X, y, _ = rows(name, n=40_000)
    model = made(name)
    opened, plan = model.door(X, y)
    assert np.any(model.begin(opened, plan)[1:] != 0)
    from_zero = made(name)._fit_rows(opened, plan, plan.first())
    fitted = made(name).fit(X, y)
    assert_same(fitted, from_zero, rtol=1e-9)
    assert len(fitted.trace_) <= len(from_zero.trace_)
