"""What is special about classes: labels, ties, probability zero, and order where there is one."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.distributions import Categorical

ANIMALS = Categorical([0.2, 0.5, 0.3], classes=["cat", "dog", "ant"])


def test_labels():
    assert ANIMALS.mode == "dog"
    assert ANIMALS.prob("ant") == pytest.approx(0.3, rel=1e-15)
    np.testing.assert_allclose(
        ANIMALS.prob([["dog", "cat"], ["cat", "ant"]]), [[0.5, 0.2], [0.2, 0.3]], rtol=1e-15
    )
    assert set(ANIMALS.sample(50, rng=0).tolist()) == {"cat", "dog", "ant"}
    assert ANIMALS.sample(rng=0) in ("cat", "dog", "ant")
    as_objects = np.array(["dog", "ant"], dtype=object)
    np.testing.assert_allclose(ANIMALS.prob(as_objects), [0.5, 0.3], rtol=1e-15)


def test_ties_go_to_the_first():
    assert Categorical([0.4, 0.2, 0.4], classes=["z", "y", "x"]).mode == "z"


@pytest.mark.parametrize(
    ("d", "label"),
    [
        (ANIMALS, "cow"),
        (ANIMALS, 1),
        (Categorical([0.5, 0.5]), 2),
        (Categorical([0.5, 0.5]), 0.5),
        (Categorical([0.5, 0.5]), "1"),
        (Categorical([0.5, 0.5], classes=["1", "2"]), 1),
        (Categorical([0.5, 0.5]), -1),
    ],
)
def test_unknown_labels_are_named(d, label):
    with pytest.raises(InvalidInput, match=f"Unknown label {label!r}; the classes are"):
        d.log_prob([d.classes[0], label] if isinstance(label, type(d.classes[0].item())) else label)


def test_not_all_of_many_classes_are_named():
    with pytest.raises(InvalidInput, match=r"Unknown label 0\.5; the classes are \[0, 1, [^…]*, 11, …\]\."):
        Categorical(np.full(2000, 1 / 2000)).log_prob(0.5)


def test_labels_of_any_kind():
    mixed = Categorical([0.5, 0.5], classes=np.array(["a", 1], dtype=object))
    assert mixed.prob(np.array([1, "a"], dtype=object)).tolist() == [0.5, 0.5]
    truth = Categorical([0.25, 0.75], classes=[False, True])
    assert truth.mean == 0.75
    assert truth.prob(True) == 0.75
    assert Categorical([0.25, 0.75]).prob(1.0) == 0.75


def test_probability_zero():
    d = Categorical([0.0, 1.0, 0.0])
    assert d.log_prob([0, 1, 2]).tolist() == [-np.inf, 0.0, -np.inf]
    assert d.entropy() == 0.0
    assert d.quantile([0.0, 0.5, 1.0]).tolist() == [1, 1, 1]
    assert d.log_cdf(0) == -np.inf
    assert set(d.sample(100, rng=0).tolist()) == {1}


def test_order_is_of_the_values():
    d = Categorical([0.5, 0.2, 0.3], classes=[10.0, -1.0, 3.0])
    assert d.cdf([-2, -1, 0, 3, 9.99, 10, np.inf]).tolist() == pytest.approx([0, 0.2, 0.2, 0.5, 0.5, 1, 1])
    assert d.sf(3) == 0.5
    assert d.quantile([0.0, 0.2, 0.21, 0.5, 0.51, 1.0]).tolist() == [-1, -1, 3, 3, 10, 10]
    assert d.between(-1, 3) == pytest.approx(0.3)
    assert d.interval(0.5) == (3.0, 10.0)
    assert np.isnan(d.cdf(np.nan))


def test_small_upper_tail_is_exact():
    d = Categorical([1 - 1e-20, 1e-20])
    assert d.sf(0) == 1e-20
    assert d.between(0, 1) == 1e-20


@pytest.mark.parametrize("name", ["mean", "var", "std"])
def test_names_have_no_moments(name):
    with pytest.raises(Unsupported, match=r"needs classes that are numbers; got .*cat.*Use \.mode"):
        getattr(ANIMALS, name)


def test_names_have_no_order():
    for call in (lambda: ANIMALS.cdf("cat"), lambda: ANIMALS.log_sf("cat"), lambda: ANIMALS.quantile(0.5)):
        with pytest.raises(Unsupported, match="needs classes that are numbers"):
            call()
    with pytest.raises(Unsupported, match="needs classes that are numbers"):
        ANIMALS.between("ant", "cat")
    with pytest.raises(Unsupported, match="needs classes that are numbers"):
        ANIMALS.interval()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.5, 0.6],), r"must sum to one; they sum to 1\.1"),
        (([-0.1, 1.1],), r"probabilities must be >= 0; got -0\.1"),
        (([np.nan, 1.0],), "probabilities must be >= 0; got nan"),
        ((0.5,), r"must have shape \(..., K\)"),
        (([],), "K >= 1"),
        (([0.5, 0.5], ["a"]), "one label per probability, 2"),
        (([0.5, 0.5], ["a", "a"]), "must differ from each other"),
    ],
)
def test_domains(arguments, message):
    with pytest.raises(InvalidParameter, match=message):
        Categorical(*arguments)


def test_almost_normalized_is_normalized():
    d = Categorical(np.array([0.3, 0.7]) * (1 + 5e-9))
    assert d.probabilities.sum() == pytest.approx(1, abs=1e-15)
    assert Categorical(d.probabilities) == d  # normalizing again changes nothing
    p = np.random.default_rng(0).dirichlet(np.ones(30), size=200) * (1 + 1e-9)
    once = Categorical(p)
    assert Categorical(once.probabilities) == once


def test_batches():
    p = np.random.default_rng(0).dirichlet(np.ones(3), size=4)
    d = Categorical(p, classes=["a", "b", "c"])
    assert d.batch_shape == (4,)
    np.testing.assert_allclose(d.prob(["a", "b", "c", "a"]), p[range(4), [0, 1, 2, 0]], rtol=1e-14)
    np.testing.assert_allclose(d.prob("b"), p[:, 1], rtol=1e-14)
    np.testing.assert_allclose(d.prob(np.array([["a"], ["b"], ["c"]])), p.T, rtol=1e-14)
    assert d.sample(5, rng=0).shape == (5, 4)
    assert d[2].mode == "abc"[np.argmax(p[2])]
    with pytest.raises(InvalidInput, match=r"\(2,\) does not broadcast with the batch \(4,\)"):
        d.log_prob(["a", "b"])


def test_sample_frequencies_in_a_batch():
    p = np.array([[0.1, 0.0, 0.9], [0.3, 0.3, 0.4]])
    x = Categorical(p).sample(20_000, rng=1)
    for k in range(3):
        gap = np.abs((x == k).mean(axis=0) - p[:, k])
        assert np.all(gap <= 5 * np.sqrt(p[:, k] * (1 - p[:, k]) / 20_000))  # five standard errors


def test_fit():
    d = Categorical.fit(["b", "a", "b"], weight=[1, 2, 5])
    assert d == Categorical([0.25, 0.75], classes=["a", "b"])
    wider = Categorical.fit(["b", "a"], classes=["a", "b", "c"])
    assert wider.prob("c") == 0
    assert wider.n_parameters == 2


def test_logits():
    d = Categorical.from_logits([1000.0, 1000.0 + np.log(3)])
    np.testing.assert_allclose(d.probabilities, [0.25, 0.75], rtol=1e-12)


def test_repr():
    assert repr(Categorical([0.25, 0.75])) == "Categorical(probabilities=[0.25, 0.75], classes=[0, 1])"
    assert "&#x27;cat&#x27;" in ANIMALS._repr_html_()
