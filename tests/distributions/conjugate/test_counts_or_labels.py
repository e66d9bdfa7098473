"""What could be labels or counts is refused, with both readings as code; each reading is there under its name."""

import numpy as np
import pytest

from suffice._core.errors import InvalidInput
from suffice.distributions import (
    Categorical,
    Dirichlet,
    MixtureDistribution,
    Multinomial,
    ProductDistribution,
    kl,
)
from suffice.generative import BayesClassifier
from suffice.statistics import Counts

FLAT = Dirichlet([1.0, 1.0, 1.0])


@pytest.mark.parametrize("data", [[2, 1, 0], np.array([2, 1, 0]), (0, 0, 2), [5.0, 3.0, 2.0], [1, 1, 1]])
def test_as_many_numbers_as_classes_are_refused(data):
    text = ", ".join(f"{v:g}" for v in data)
    both = (
        rf"\[{text}\] could be 3 labels or the counts of 3 classes. Write posterior\(labels=\[{text}\]\) or "
    )
    with pytest.raises(InvalidInput, match=both):
        FLAT.posterior(data)
    with pytest.raises(InvalidInput, match="could be 3 labels or the counts"):
        FLAT.log_evidence(data)


def test_each_reading_by_name():
    assert (
        FLAT.posterior(labels=[2, 1, 0]) == Dirichlet([2.0, 2.0, 2.0]) == FLAT.posterior(Counts.of([2, 1, 0]))
    )
    assert FLAT.posterior(counts=[2, 1, 0]) == Dirichlet([3.0, 2.0, 1.0]) == FLAT.posterior([[2, 1, 0]])
    assert FLAT.posterior(labels=[0, 0], weight=[1.0, 2.0]) == Dirichlet([4.0, 1.0, 1.0])
    assert FLAT.log_evidence(counts=[2, 1, 0]) == FLAT.log_evidence([2, 1, 0], n=3)
    assert FLAT.log_evidence(labels=[2, 1, 0]) == pytest.approx(np.log(1 / 60), rel=1e-12)
    assert FLAT.posterior([2, 1]) == Dirichlet([1.0, 2.0, 2.0])  # too few for counts
    for wrong in ({}, {"data": [1], "labels": [1]}, {"labels": [1], "counts": [1, 1, 1]}):
        with pytest.raises(InvalidInput, match="Give the data once"):
            FLAT.posterior(**wrong)


def test_one_hot_rows_are_refused():
    d = Categorical([0.2, 0.5, 0.3])
    both = (
        r"\[0, 1, 0\] could be 3 labels or one .*d.prob\(\[0, 1, 0\], labels=True\).*Multinomial\(1, d.prob"
    )
    for x in ([0, 1, 0], np.array([0.0, 1.0, 0.0]), [[0, 1, 0], [0, 0, 1]], [False, True, False]):
        with pytest.raises(InvalidInput, match=both):
            d.prob(x)
    with pytest.raises(InvalidInput, match=r"\[1, 0\] could be 2 labels"):
        Categorical([0.25, 0.75]).log_prob([1, 0])
    np.testing.assert_allclose(d.prob([0, 1, 0], labels=True), [0.2, 0.5, 0.2], rtol=1e-15)
    assert Multinomial(1, d.probabilities).prob([0, 1, 0]) == pytest.approx(0.5, rel=1e-14)


def test_what_is_no_row_of_one_label_is_as_before():
    d, two = Categorical([0.2, 0.5, 0.3]), Categorical([0.25, 0.75])
    np.testing.assert_allclose(d.prob([0, 1, 2]), [0.2, 0.5, 0.3], rtol=1e-15)
    np.testing.assert_allclose(d.prob([0, 1, 1]), [0.2, 0.5, 0.5], rtol=1e-15)
    np.testing.assert_allclose(two.prob([0, 1]), [0.25, 0.75], rtol=1e-15)
    np.testing.assert_allclose(Categorical([[0.2, 0.8], [0.5, 0.5]]).prob([1, 0]), [0.8, 0.5], rtol=1e-15)


def test_columns_of_rows_are_labels():
    d = Categorical([0.2, 0.5, 0.3])
    column = np.array([0.0, 1.0, 0.0])
    wanted = d.log_prob(column, labels=True)
    np.testing.assert_allclose(ProductDistribution([d]).log_prob(column[:, None]), wanted, rtol=1e-15)
    np.testing.assert_allclose(MixtureDistribution([0.5, 0.5], [d, d]).log_prob(column), wanted, rtol=1e-14)
    assert kl(Categorical([0.5, 0.5]), Categorical([0.25, 0.75])) > 0
    X, y = np.array([[0], [1], [2], [0], [1], [2]]), np.array(list("aaabbb"))
    model = BayesClassifier(Categorical).fit(X, y)
    assert model.predict_proba(np.array([[0], [1], [0]])) == pytest.approx(np.full((3, 2), 0.5), rel=1e-12)
