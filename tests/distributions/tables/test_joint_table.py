"""Tables of joint probability: their rules, their labels, and what they refuse."""

import numpy as np
import pytest

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter
from suffice.distributions import Event, JointTable, equally_likely
from suffice.distributions.tables.joint_table import Bayes, ConditionalTable

ORIGINS, CYLINDERS = ["France", "Germany", "USA"], [4, 6, 8]
COUNTS = np.array([[11, 10, 9], [17, 12, 2], [28, 21, 32]])
CARS = JointTable.from_counts(COUNTS, {"origin": ORIGINS, "cylinders": CYLINDERS})
CUBE = JointTable(np.arange(24).reshape(2, 3, 4) / 276, ["a", "b", "c"])


def test_names_and_labels_in_every_form():
    same = JointTable(COUNTS / 142, ["origin", "cylinders"], [ORIGINS, CYLINDERS])
    assert same == CARS
    assert hash(same) == hash(CARS)
    assert CUBE.labels == ((0, 1), (0, 1, 2), (0, 1, 2, 3))
    assert JointTable([0.5, 0.5], "coin").names == ("coin",)
    assert JointTable([0.5, 0.5], {"n": np.array([3, 4])}).labels == ((3, 4),)
    with pytest.raises(ValueError, match="read-only"):
        CARS.values[0, 0] = 1


def test_marginals_in_any_order():
    np.testing.assert_allclose(CARS.marginal("cylinders"), COUNTS.sum(0) / 142, rtol=1e-15)
    turned = CUBE.marginal("c", "a")
    assert turned.names == ("c", "a")
    np.testing.assert_allclose(turned.values, CUBE.values.sum(axis=1).T, rtol=1e-15)
    np.testing.assert_array_equal(CUBE.marginal("b", "c", "a").values, np.moveaxis(CUBE.values, 0, 2))


def test_conditionals():
    given_eight = CARS.conditional("origin", given={"cylinders": 8})
    np.testing.assert_allclose(given_eight, np.array([9, 2, 32]) / 43, rtol=1e-14)
    rows = CARS.conditional("cylinders", given="origin")
    np.testing.assert_allclose(rows, COUNTS / COUNTS.sum(1, keepdims=True), rtol=1e-14)
    np.testing.assert_allclose(rows.at({"origin": "USA"}), COUNTS[2] / 81, rtol=1e-14)
    both = CUBE.conditional(["c", "a"], given=["b"])
    assert (both.given, both.names) == (("b",), ("c", "a"))
    np.testing.assert_allclose(both.values.sum(axis=(1, 2)), 1, rtol=1e-14)
    assert CUBE.condition({"a": 1, "c": 2}).names == ("b",)


def test_product_rule_in_every_form():
    prior, rows = CARS.marginal("origin"), CARS.conditional("cylinders", given="origin")
    for joint in (prior * rows, rows.joint(prior), JointTable.from_conditional(prior, rows)):
        np.testing.assert_allclose(joint, CARS, rtol=1e-14)
    plain = JointTable.from_conditional(prior, np.asarray(rows), {"cylinders": CYLINDERS})
    assert plain == prior * rows
    back = CUBE.marginal("c", "a") * CUBE.conditional("b", given=["a", "c"])
    np.testing.assert_allclose(back.marginal("a", "b", "c"), CUBE, rtol=1e-13)


def test_a_chain_is_built_from_its_links():
    x = JointTable([0.3, 0.7], ["x"])
    y = ConditionalTable([[0.9, 0.1], [0.2, 0.8]], ["y"], ["x"])
    z = ConditionalTable([[0.6, 0.4], [0.5, 0.5]], ["z"], ["y"])
    chain = x * y * z
    expected = np.einsum("i,ij,jk->ijk", x.values, y.values, z.values)
    np.testing.assert_allclose(chain, expected, rtol=1e-15)
    assert chain.independent("x", "z", given="y")
    assert not chain.independent("x", "z")


def test_independence_and_conditional_independence_imply_neither():
    coins = equally_likely([0, 1], "x") * equally_likely([0, 1], "y")
    parity = ConditionalTable([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], ["odd"], ["x", "y"])
    joint = coins * parity
    assert joint.independent("x", "y")
    assert not joint.independent("x", "y", given="odd")
    assert not joint.independent("x", "y", given={"odd": 1})
    assert joint.independent("odd", "x")
    assert not joint.independent("odd", ["x", "y"])


def test_independence_given_skips_what_cannot_happen():
    z = JointTable([1.0, 0.0], ["z"])
    x = ConditionalTable([[0.5, 0.5], [0.1, 0.9]], ["x"], ["z"])
    y = ConditionalTable([[0.2, 0.8], [1.0, 0.0]], ["y"], ["z"])
    assert (z * x * y).independent("x", "y", given="z")


def test_bayes_in_parts():
    rule = CARS.bayes("origin", {"cylinders": 8})
    assert isinstance(rule, Bayes)
    np.testing.assert_allclose(rule.likelihood, [9 / 30, 2 / 31, 32 / 81], rtol=1e-14)
    assert rule.evidence == pytest.approx(43 / 142, rel=1e-14)
    np.testing.assert_allclose(rule, np.array([9, 2, 32]) / 43, rtol=1e-14)
    np.testing.assert_allclose(rule.posterior, CARS.conditional("origin", {"cylinders": 8}), rtol=1e-14)
    pair = CUBE.bayes(["a", "b"], {"c": 3})
    np.testing.assert_allclose(pair, CUBE.values[..., 3] / CUBE.values[..., 3].sum(), rtol=1e-14)
    assert "posterior" in repr(rule)
    assert "Germany" in rule._repr_html_()


def test_a_hypothesis_of_prior_zero_stays_impossible():
    table = JointTable([[0.5, 0.5], [0.0, 0.0]], ["h", "e"])
    rule = table.bayes("h", {"e": 0})
    assert np.isnan(rule.likelihood[1])
    assert rule.posterior.values.tolist() == [1.0, 0.0]


def test_expectations():
    die = equally_likely(range(1, 7), "face")
    assert die.expectation("face") == pytest.approx(3.5, rel=1e-15)
    assert die.expectation(lambda face: face**2) == pytest.approx(91 / 6, rel=1e-15)
    assert die.covariance("face") == pytest.approx(35 / 12, rel=1e-14)
    np.testing.assert_allclose(die.expectation(lambda face: [face, 1]), [3.5, 1], rtol=1e-15)
    assert CARS.expectation("cylinders", given={"origin": "Germany"}) == pytest.approx(
        (17 * 4 + 12 * 6 + 2 * 8) / 31, rel=1e-14
    )
    assert CARS.expectation(lambda origin, cylinders: origin == "USA") == pytest.approx(81 / 142, rel=1e-14)


def test_covariance_and_correlation():
    table = JointTable([[0.4, 0.1], [0.0, 0.5]], {"x": [0, 1], "y": [10, 30]})
    x, y, p = np.array([0, 0, 1, 1]), np.array([10, 30, 10, 30]), table.values.ravel()
    expected = np.cov(np.stack([x, y]), aweights=p, ddof=0)
    got = [[table.covariance(a, b) for b in "xy"] for a in "xy"]
    np.testing.assert_allclose(got, expected, rtol=1e-13)
    assert table.correlation("x", "y") == pytest.approx(
        expected[0, 1] / np.sqrt(expected[0, 0] * expected[1, 1]), rel=1e-13
    )
    one_to_one = JointTable(np.eye(3) / 3, {"x": [1, 2, 3], "y": [5, 3, 1]})
    assert one_to_one.correlation("x", "y") == pytest.approx(-1, rel=1e-14)
    with pytest.raises(InvalidInput, match="undefined: one of them is constant"):
        JointTable([[0.4], [0.6]], ["x", "y"]).correlation("x", "y")
    with pytest.raises(InvalidInput, match=r"origin needs labels that are numbers; it has \['France'"):
        CARS.expectation("origin")


def test_distribution_of_a_function():
    dice = equally_likely(range(1, 7), "a") * equally_likely(range(1, 7), "b")
    total = dice.derived(lambda a, b: a + b, "total")
    assert total.P({"total": 7}) == pytest.approx(1 / 6, rel=1e-14)
    assert total.expectation("total") == pytest.approx(7, rel=1e-14)
    assert total.covariance("total") == pytest.approx(35 / 6, rel=1e-14)


def test_from_data_counts_rows():
    columns = {"colour": ["red", "blue", "red", "red"], "size": [1, 2, 2, 1]}
    table = JointTable.from_data(columns)
    assert table.labels == (("blue", "red"), (1, 2))
    np.testing.assert_allclose(table, [[0, 0.25], [0.5, 0.25]], rtol=1e-15)
    np.testing.assert_allclose(
        JointTable.from_data(columns, weight=[1, 1, 0, 2]), [[0, 0.25], [0.75, 0]], rtol=1e-15
    )
    with pytest.raises(InvalidInput, match="vectors of one length"):
        JointTable.from_data({"a": [1, 2], "b": [1]})
    with pytest.raises(InvalidInput, match="'a' has NaN at row 1"):
        JointTable.from_data({"a": [1.0, np.nan]})
    with pytest.raises(InvalidInput, match="total weight is 0"):
        JointTable.from_data({"a": [1, 2]}, weight=[0, 0])


def test_samples_have_the_frequencies_of_the_table():
    draws = CARS.sample(20_000, rng=0)
    seen = JointTable.from_data(draws)
    assert seen.labels == (tuple(ORIGINS), tuple(CYLINDERS))
    # five standard errors of a frequency
    assert np.all(np.abs(seen.values - CARS.values) < 5 * np.sqrt(CARS.values / 20_000))
    assert CARS.sample(rng=0)["origin"] in ORIGINS
    pairs = JointTable([0.5, 0.5], {"pair": [(1, 2), "x"]}).sample(5, rng=0)["pair"]
    assert set(pairs) <= {(1, 2), "x"}


def test_display():
    assert "Germany" in repr(CARS)
    assert "total" in CARS._repr_html_()
    assert repr(CUBE).endswith("…")
    assert len(repr(CUBE).splitlines()) == 15
    assert repr(equally_likely("ab")).splitlines()[1].split() == ["outcome", "probability"]
    assert "given origin" in repr(CARS.conditional("cylinders", given="origin"))
    assert "P(cylinders | origin)" in CARS.conditional("cylinders", given="origin")._repr_html_()
    frame = CARS.frame()
    assert list(frame.columns) == ["origin", "cylinders", "probability"]
    assert frame["probability"].sum() == pytest.approx(1)


def test_saved_and_loaded(tmp_path):
    suffice.save(CARS, tmp_path / "cars.suffice")
    assert suffice.load(tmp_path / "cars.suffice") == CARS


@pytest.mark.parametrize(
    ("given", "told"),
    [({"y": 1}, "y = 1"), ({"x": 0, "y": 1}, "x = 0, y = 1")],
)
def test_a_null_event_cannot_be_conditioned_on(given, told):
    table = JointTable([[[0.5], [0.0]], [[0.5], [0.0]]], ["x", "y", "z"])
    for attempt in (
        lambda: table.condition(given),
        lambda: table.conditional("z", given),
        lambda: table.bayes("z", given),
        lambda: table.P({"z": 0}, given=given),
    ):
        with pytest.raises(InvalidInput, match=f"Cannot condition on {told}: its probability is zero"):
            attempt()
    with pytest.raises(InvalidInput, match="Cannot condition on y = 1"):
        table.conditional("x", given="y")
    with pytest.raises(InvalidInput, match="Cannot condition on not true"):
        table.P({"z": 0}, given=~Event.where())


@pytest.mark.parametrize(
    ("values", "names", "message"),
    [
        ([0.5, 0.4], ["x"], "values must sum to one; got a sum of 0.9"),
        ([1.5, -0.5], ["x"], "values must be >= 0; got -0.5"),
        ([np.nan, 0.5], ["x"], "values must be >= 0; got nan"),
        (1.0, [], "one axis per variable; got the number 1.0"),
        ([], ["x"], "values must sum to one; got a sum of 0"),
        (
            [0.5, 0.5],
            ["x", "y"],
            r"names must be 1 different strings, one per axis of values; got \['x', 'y'\]",
        ),
        ([[0.5, 0.5]], ["x", "x"], "names must be 2 different strings"),
        ([0.5, 0.5], [3], "names must be 1 different strings"),
        ([0.5, 0.5], {"x": ["a"]}, r"x needs 2 different labels, one per entry; got \['a'\]"),
        ([0.5, 0.5], {"x": ["a", "a"]}, "x needs 2 different labels"),
    ],
)
def test_bad_tables(values, names, message):
    with pytest.raises(InvalidParameter, match=message):
        JointTable(values, names)


def test_bad_labels_and_products():
    with pytest.raises(InvalidParameter, match="labels are given twice"):
        JointTable([0.5, 0.5], {"x": [1, 2]}, [[1, 2]])
    with pytest.raises(InvalidParameter, match="labels must be 1 lists, one per axis; got 2"):
        JointTable([0.5, 0.5], ["x"], [[1, 2], [3]])
    with pytest.raises(InvalidInput, match="Unknown variable 'colour'; the table has 'origin', 'cylinders'"):
        CARS.marginal("colour")
    with pytest.raises(InvalidInput, match=r"Unknown label 5 of cylinders; it has \[4, 6, 8\]"):
        CARS.condition({"cylinders": 5})
    with pytest.raises(InvalidInput, match="marginal needs different names, one at least"):
        CARS.marginal()
    with pytest.raises(InvalidInput, match="marginal needs different names"):
        CARS.marginal("origin", "origin")
    with pytest.raises(InvalidInput, match="Nothing is left"):
        CARS.condition({"origin": "USA", "cylinders": 4})
    with pytest.raises(InvalidInput, match="different labels"):
        equally_likely([1, 2], "x") * ConditionalTable([[1.0], [1.0]], ["y"], ["x"])
    with pytest.raises(InvalidParameter, match=r"each distribution must sum to one; got a sum of 1.1"):
        ConditionalTable([[0.5, 0.5], [0.5, 0.6]], ["y"], ["x"])
    with pytest.raises(InvalidParameter, match="names must say what the new variables"):
        JointTable.from_conditional(CARS, np.ones((3, 3, 1)))
    with pytest.raises(InvalidInput, match="at needs a label for each"):
        CARS.conditional("origin", given="cylinders").at({})
    with pytest.raises(InvalidInput, match="mapping from variables to labels; got 3"):
        CARS.P(3)
    with pytest.raises(InvalidInput, match="total weight is 0"):
        JointTable.from_counts([0, 0], ["x"])
    with pytest.raises(TypeError, match="unsupported operand"):
        CARS * 2
    with pytest.raises(InvalidInput, match="one outcome at least"):
        equally_likely([])
