"""Progress through scikit-learn's callbacks: what is announced, when, and that nothing is announced to nobody."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from suffice import engine
from suffice._core.errors import InvalidInput, RankDeficient
from suffice._estimator import estimator, progress
from suffice.baselines import MeanRegressor
from suffice.linear import LinearRegression, Ridge

from .mixture import Mixture, sample

HAS_CALLBACKS = importlib.util.find_spec("sklearn.callback") is not None
needs_callbacks = pytest.mark.skipif(not HAS_CALLBACKS, reason="scikit-learn before 1.9 has no callbacks")

rng = np.random.default_rng(3)
X = rng.standard_normal((60, 2))
y = X @ [1.0, 2.0] + rng.standard_normal(60)
BATCHES = [(X[i : i + 10], y[i : i + 10]) for i in range(0, 60, 10)]


class Recorder:
    """Writes down every call."""

    def __init__(self):
        self.events = []

    def setup(self, estimator, context):
        self.events.append(("setup", context.max_subtasks))

    def on_fit_task_begin(self, estimator, context):
        self.events.append(("begin", context.task_name, context.task_id))

    def on_fit_task_end(self, estimator, context):
        self.events.append(("end", context.task_name, context.task_id))

    def teardown(self, estimator, context):
        self.events.append(("teardown",))


def parts(n):
    return [event for i in range(n) for event in (("begin", "part", i), ("end", "part", i))]


def whole(n, subtasks):
    return [("setup", subtasks), ("begin", "fit", 0), *parts(n), ("end", "fit", 0), ("teardown",)]


def recorded(model):
    recorder = Recorder()
    return recorder, model.set_callbacks(recorder)


@needs_callbacks
@pytest.mark.parametrize("make", [LinearRegression, Ridge, MeanRegressor])
def test_a_plain_fit_is_one_task(make):
    recorder, model = recorded(make())
    model.fit(X, y)
    assert recorder.events == whole(0, 0)


@needs_callbacks
def test_a_fit_to_a_source_tells_every_part():
    recorder, model = recorded(LinearRegression())
    engine.fit(model, BATCHES)
    assert recorder.events == whole(6, 6)
    recorder, model = recorded(LinearRegression())
    engine.fit(model, iter(BATCHES))  # nobody knows how many there will be
    assert recorder.events == whole(6, None)
    recorder, model = recorded(LinearRegression())
    engine.fit(model, (X, y))
    assert recorder.events == whole(0, 0)


@needs_callbacks
def test_a_cross_validation_tells_every_part():
    recorder, model = recorded(Ridge())
    engine.cross_validate(model, BATCHES, folds=3)
    assert recorder.events == whole(6, 6)


@needs_callbacks
def test_an_iteration_tells_every_pass():
    x = sample(300)[:, None]
    recorder, model = recorded(Mixture(max_iter=50, tol=1e-3))
    engine.fit(model, [(x[:150],), (x[150:],)])
    assert len(model.trace_) < 50
    assert recorder.events == whole(len(model.trace_), 50)


@needs_callbacks
def test_the_model_is_fitted_when_its_end_is_told():
    class AtTheEnd(Recorder):
        def on_fit_task_end(self, estimator, context):
            if context.task_name == "fit":
                self.events.append(hasattr(estimator, "coef_"))

    recorder = AtTheEnd()
    engine.fit(LinearRegression().set_callbacks(recorder), BATCHES)
    assert recorder.events[-2] is True


@needs_callbacks
@pytest.mark.parametrize("batches", [[*BATCHES, (X[:3, :1], y[:3])], [(X * np.nan, y)]])
def test_teardown_is_called_after_an_error(batches):
    recorder, model = recorded(LinearRegression())
    with pytest.raises(InvalidInput, match=r"features|NaN"):
        engine.fit(model, batches)
    assert recorder.events[-1] == ("teardown",)
    assert ("end", "fit", 0) not in recorder.events
    recorder.events.clear()
    model.fit(X, y)  # and the model is as good as new
    assert recorder.events == whole(0, 0)


@needs_callbacks
def test_an_error_of_a_callback_stops_the_fit():
    class Impatient(Recorder):
        def on_fit_task_end(self, estimator, context):
            super().on_fit_task_end(estimator, context)
            if context.task_id == 2:
                raise KeyboardInterrupt("enough")

    recorder = Impatient()
    with pytest.raises(KeyboardInterrupt, match="enough"):
        engine.fit(LinearRegression().set_callbacks(recorder), BATCHES)
    assert recorder.events[-2:] == [("end", "part", 2), ("teardown",)]


@needs_callbacks
def test_callbacks_change_no_number():
    _, model = recorded(Ridge(2.0))
    assert engine.fit(model, BATCHES).coef_.tobytes() == engine.fit(Ridge(2.0), BATCHES).coef_.tobytes()


@needs_callbacks
@pytest.mark.parametrize("watched", [False, True])
def test_warnings_point_at_the_callers_line(watched):
    model = LinearRegression()
    if watched:
        model.set_callbacks(Recorder())
    table = np.column_stack([X[:, 0], X[:, 0]])
    with pytest.warns(RankDeficient) as shown:
        model.fit(table, y)
    assert {w.filename for w in shown} == {__file__}
    with pytest.warns(RankDeficient) as shown:
        engine.fit(model, [(table, y)])
    assert {w.filename for w in shown} == {__file__}


@needs_callbacks
def test_progress_bars(capsys):
    pytest.importorskip("rich")
    from sklearn.callback import ProgressBar

    engine.fit(LinearRegression().set_callbacks(ProgressBar()), BATCHES)
    assert "LinearRegression" in capsys.readouterr().out
    engine.cross_validate(Ridge().set_callbacks(ProgressBar()), BATCHES, folds=3)
    Ridge().set_callbacks(ProgressBar()).fit(X, y)
    x = sample(300)[:, None]
    engine.fit(Mixture(tol=1e-3).set_callbacks(ProgressBar()), [(x,)])
    assert "100%" in capsys.readouterr().out


@needs_callbacks
def test_inside_a_grid_search(capsys):
    """Callbacks of the inner model are told of every fit; a bar of the search goes down to them."""
    pytest.importorskip("rich")
    from sklearn.callback import ProgressBar

    recorder, model = recorded(Ridge())
    grid = {"alpha": [0.1, 1.0]}
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_params_ == GridSearchCV(Ridge(), grid, cv=3).fit(X, y).best_params_
    assert recorder.events.count(("teardown",)) in (
        0,
        7,
    )  # all fits, or none where a clone forgets its callbacks
    outer = GridSearchCV(Ridge(), grid, cv=3)
    if hasattr(outer, "set_callbacks"):
        outer.set_callbacks(ProgressBar()).fit(X, y)
        assert "GridSearchCV" in capsys.readouterr().out


def test_nothing_is_said_to_nobody(capsys):
    engine.fit(LinearRegression(), BATCHES)
    LinearRegression().fit(X, y)
    assert capsys.readouterr() == ("", "")
    assert not hasattr(clone(LinearRegression()), "_skl_callbacks")


def test_scikit_learn_without_callbacks(monkeypatch):
    """Before 1.9 the module does not exist; a fit goes on as if nobody had asked."""
    monkeypatch.setitem(sys.modules, "sklearn.callback", None)
    old = _executed("suffice_old_progress", progress.__file__)
    monkeypatch.setitem(sys.modules, progress.__name__, old)
    base = _executed("suffice_old_estimator", estimator.__file__).Estimator
    ticks = []

    class Model(base):
        pass

    assert not hasattr(Model(), "set_callbacks")
    assert Model().reported(lambda tick: [tick(), ticks.append(1)] and 7, steps=3) == 7
    assert ticks == [1]


def _executed(name, file):
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
