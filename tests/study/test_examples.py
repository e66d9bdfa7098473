"""The bundled examples: the same at every call, told with their truth, and found by a study."""

import numpy as np
import pytest

from suffice._core.errors import InvalidParameter
from suffice.study import Study
from suffice.study.examples import EXAMPLES, example

pytestmark = pytest.mark.slow

TASKS = {
    "rents": "regression",
    "churn": "binary",
    "beetles": "multi-class",
    "breakdowns": "counts",
    "power": "regression",
}
MODELS = {"binary": "logistic", "multi-class": "lda", "counts": "poisson"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_table_with_a_story(name):
    found = example(name)
    table, again = found.table, found.table
    assert list(table) == list(again)
    sizes = {len(v) for v in table.values()}
    assert len(sizes) == 1
    assert 200 <= sizes.pop() <= 1500
    for key, values in table.items():
        assert values.tolist() == again[key].tolist() or values.dtype.kind == "f"
    assert found.options["target"] in table
    assert "truth" in found.story
    assert any(v.dtype == object and isinstance(v[0], str) for v in table.values())
    gaps = [sum(c is None or c != c for c in v.tolist()) for v in table.values()]
    assert sum(gaps) > 0


def test_examples_that_are_not_there():
    with pytest.raises(InvalidParameter, match=r"no example 'rent'; there are rents, .*Did you mean 'rents'"):
        example("rent")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_study_of_an_example_runs(name):
    found, task = example(name), TASKS[name]
    model = MODELS.get(task, "linear")
    result = Study(found.table, **found.options, effort="quick", models=[model]).run()
    assert result.data_sheet.task == task
    assert result.comparison.failed == ()
    assert result.comparison.best == model
    assert result.audit.leaking == ()


def test_the_noise_of_the_rents_is_found():
    result = Study(example("rents").table, "rent", effort="quick", models=["linear"]).run()
    error = result.comparison.of("linear").measures["typical error"]
    # noise of 85; the gaps in `built` (12.5 % of rows, 1.2 × its standard deviation of 36) add 0.125 × 43² ≈ 230
    assert error == pytest.approx(np.sqrt(85**2 + 230), rel=0.08)
    unused = {c.name for c in result.data_sheet.of_role("not used")}
    assert unused == {"flat_id"}


def test_breakdowns_stay_with_their_machine_and_power_with_its_time():
    found = example("breakdowns")
    problem = Study(found.table, **found.options, effort="quick", models=["poisson"]).run().problem
    for train, test in problem.splits:
        assert not set(problem.groups[train]) & set(problem.groups[test])
    day = example("power").table["day"]
    assert np.all(np.diff(day) == np.timedelta64(1, "D"))
    assert example("power").table["weekday"][0] == "Fri"
