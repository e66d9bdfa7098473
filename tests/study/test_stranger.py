"""What somebody who had never seen a study found wrong in its sentences."""

import numpy as np
import pytest

from suffice.study import Study

pytestmark = pytest.mark.slow

OPTIONS = {"models": ["linear"], "references": False, "effort": "quick"}


def walks(seed=7, n=200):
    rng = np.random.default_rng(seed)
    day = np.datetime64("2005-01-01") + np.arange(n)
    return {"day": day, "price": np.cumsum(rng.normal(size=n)), "sales": np.cumsum(rng.normal(size=n)) + 50}


def test_rows_in_the_order_of_time_are_asked_about():
    """Two random walks that know nothing of each other: folds at random find a gain."""
    said = Study(walks(), "sales", **OPTIONS).run().answer.sentences
    assert any(s.startswith("Rows near in 'day' are alike") and "--time" in s for s in said)
    said = Study(walks(), "sales", time="day", **OPTIONS).run().answer.sentences
    assert not any("Rows near in" in s for s in said)
    rng = np.random.default_rng(0)
    years = {"year": np.arange(1900, 2000), "x": rng.normal(size=100)}
    trend = years | {"y": 0.1 * years["year"] + rng.normal(size=100)}
    assert not any("Rows near in" in s for s in Study(trend, "y", **OPTIONS).run().answer.sentences)


def test_a_date_has_no_levels():
    rng = np.random.default_rng(8)
    day = np.datetime64("2020-01-01") + np.arange(300)
    table = {"day": day, "x": rng.normal(size=300), "y": 0.1 * np.arange(300) + rng.normal(size=300)}
    result = Study(table, "y", **OPTIONS).run()
    assert all(not isinstance(c.at[0], str) for c in result.chosen.curves)


def test_drivers_are_columns_that_matter():
    rng = np.random.default_rng(1)
    table = {"x": rng.normal(size=200), "z": rng.normal(size=200)}
    result = Study(table | {"y": 3 * table["x"] + rng.normal(size=200)}, "y", **OPTIONS).run()
    assert {c.column for c in result.chosen.curves} == {"x"}


def test_a_curve_of_rows_does_not_contradict_the_headline():
    rng = np.random.default_rng(2)
    x = rng.normal(size=300)
    result = Study({"x": x, "y": 0.33 * x + rng.normal(size=300)}, "y", **OPTIONS).run()
    assert result.comparison.proven
    assert "baseline" not in result.learning.sentence


def test_counts_have_no_imbalance_of_classes():
    rng = np.random.default_rng(3)
    table = {"x": rng.normal(size=200), "visits": rng.negative_binomial(1, 0.3, 200)}
    kinds = {f.kind for f in Study(table, "visits", **(OPTIONS | {"models": None})).run().audit.findings}
    assert "class imbalance" not in kinds


def test_columns_of_arrays_are_called_by_their_numbers():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 2))
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.column_stack([X, X[:, 0] + rng.normal(size=60)]))
    assert Study(frame, 2, **OPTIONS).run().problem.target == "2"


def test_too_few_rows_are_told_by_the_fewest_folds():
    with pytest.raises(ValueError, match=r"2 folds with 2 inside each need at least 4 rows"):
        Study({"x": [1.0, 2, 3], "y": [1.5, 2.5, 3.7]}, "y", **OPTIONS).run()


def test_curves_keep_to_possible_values():
    rng = np.random.default_rng(5)
    x = rng.normal(size=150)
    price = np.maximum(2 * x + rng.normal(size=150) + 1, 0.01)
    result = Study({"x": x, "price": price}, "price", **OPTIONS).run()
    (curve,) = result.chosen.curves
    assert curve.mean.min() >= 0
    assert curve.low.min() >= 0
