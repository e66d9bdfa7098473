"""Rows equal in all features stay in one fold; ties of coarse columns are no copies; and what is said of leaks."""

import numpy as np
import pytest

from suffice.study.options import Options
from suffice.study.reading.copies import copies, copies_remark
from suffice.study.reading.problem import make_problem
from suffice.study.reading.source import read
from suffice.study.steps.leaks import leak_sentence
from suffice.study.steps.table import audit_section

RNG = np.random.default_rng(4)
PERSON = np.repeat(np.arange(150), 4)
BODY = {
    "age": RNG.integers(20, 80, 150)[PERSON],
    "sex": RNG.integers(0, 2, 150)[PERSON],
    "bmi": RNG.normal(25, 4, 150).round(1)[PERSON],
}
Y = RNG.normal(size=600)


def problem(table, **options):
    return make_problem(read(table), Options("y", **{"effort": "quick", **options}))


def told(table, **options):
    return " ".join(problem(table, **options).remarks)


# -- copies -----------------------------------------------------------------------------------------------
def different(*columns):
    return len(np.unique(np.column_stack(columns), axis=0))


def test_persons_seen_several_times_stay_in_one_fold():
    found = problem(BODY | {"y": Y})
    again = 600 - different(*BODY.values())
    assert (
        f"{again} of 600 rows equal an earlier one in all features; such rows are kept in one fold."
        in found.remarks
    )
    assert copies_remark(found.remarks).startswith(f"{again} of 600 rows")
    assert copies_remark(problem(BODY | {"x": Y**2, "z": RNG.normal(size=600), "y": Y}).remarks) is None
    for train, test in found.splits:
        assert not set(PERSON[found.rows[train]]) & set(PERSON[found.rows[test]])


def test_one_column_may_differ():
    visits = BODY | {"visit": np.tile(np.arange(4), 150), "y": Y}
    assert "rows equal an earlier one in all features but 'visit'; such rows" in told(visits)
    moments = np.datetime64("2024-01-01") + RNG.integers(0, 900, 600)
    assert "in all features but 'seen'" in told(BODY | {"seen": moments, "y": Y})


def test_copies_with_the_target_but_coarse_features():
    table = {"x": np.repeat(RNG.integers(0, 2, 300), 2), "y": np.repeat(RNG.normal(size=300), 2)}
    assert "300 of 600 rows equal an earlier one in all features and the target" in told(table)


def test_copies_by_chance_are_copies():
    drawn = RNG.integers(0, 500, 700)
    Z = RNG.normal(size=(500, 4))[drawn]
    found = copies(Z, RNG.normal(size=700))
    assert (found.same, found.differs) == ("all features", None)
    assert found.n_different == len(np.unique(drawn))
    assert found.n_repeated == 700 - len(np.unique(drawn))


@pytest.mark.parametrize("n", [60, 400, 3000])
def test_ties_of_coarse_columns_are_no_copies(n):
    z = RNG.normal(size=n)
    answers = np.column_stack([np.clip(np.round(3 + z + 0.5 * RNG.normal(size=n)), 1, 5) for _ in range(5)])
    assert copies(answers, z) is None
    assert copies(np.column_stack([answers, RNG.normal(size=n)]), z) is None
    assert copies((answers > 3).astype(float), z) is None
    assert copies(np.round(z[:, None], 1), z) is None


def test_a_designed_experiment_has_no_copies():
    a, b, c = (v.ravel().astype(float) for v in np.meshgrid(range(4), range(5), range(3)))
    assert copies(np.tile(np.column_stack([a, b, c]), (3, 1)), RNG.normal(size=180)) is None


def test_tables_of_others():
    sm = pytest.importorskip("statsmodels.api")
    data = sm.datasets.randhie.load_pandas().data
    found = copies(data.drop(columns="mdvis").to_numpy(), data["mdvis"].to_numpy())
    assert found.sentence == "17,430 of 20,190 rows equal an earlier one in all features"
    fair = sm.datasets.fair.load_pandas().data
    assert copies(fair.drop(columns="affairs").to_numpy(), fair["affairs"].to_numpy()) is None


# -- leaks ------------------------------------------------------------------------------------------------
A, B, C, D = RNG.normal(size=(4, 200))


def sentence(table, **options):
    source = read(table)
    found = make_problem(source, Options("y", effort="quick", **options))
    return leak_sentence("y", audit_section(source, "y", found))


def test_the_gravest_leak_is_told_with_its_number():
    said = sentence({"copy": 2 * A + 1, "a": A - B, "b": B, "x": C, "y": A})
    assert said.startswith(
        "Column 'copy' determines y: with correlation 1.00000, it predicts 200 rows it has not seen"
    )
    assert "an error of less than 0.001 % of the spread. Unless it is known before y, leave it out" in said
    assert said.endswith("'a', 'b' leak as well; the audit says how.")


def test_parts_of_a_sum_are_told_together():
    said = sentence({"a": A, "b": B, "x": C, "y": A - B})
    assert said.startswith(
        "Columns 'a' and 'b' determine y together: 'a' − 'b' predicts 200 rows it has not seen"
    )
    assert "Unless they are known before y, leave one of them out (ignore) and run again." in said
    assert sentence({"a": A, "b": B, "x": C, "y": A - B}, ignore=["b"]) is None


def test_nothing_is_said_of_strong_features():
    assert sentence({"a": A + 0.15 * D, "b": B, "y": A}) is None


def test_rows_that_share_a_measurement_stay_together():
    """Strikes of one year share the output of that year; doses of an experiment, and ages by steps, do not."""
    rng = np.random.default_rng(0)
    year = np.repeat(np.arange(9), [8, 6, 3, 11, 2, 18, 3, 9, 2])
    output = rng.normal(size=9)[year]
    found = problem({"output": output, "y": rng.normal(size=62)})
    assert "53 of 62 rows equal an earlier one in all features" in copies_remark(found.remarks)
    for train, test in found.splits:
        assert not set(output[found.rows[train]]) & set(output[found.rows[test]])
    dose = np.log([1.0, 2, 5, 10, 20, 50])[np.arange(60) % 6]
    assert copies_remark(problem({"dose": dose, "y": rng.normal(size=60)}).remarks) is None
    age = np.array([17.5, 22, 27, 32, 37, 42, 47])[rng.integers(0, 7, 60)]
    assert copies_remark(problem({"age": age, "y": rng.normal(size=60)}).remarks) is None
