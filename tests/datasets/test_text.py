"""Bags of words: the printed sentences, and documents that follow the law they are drawn from."""

import numpy as np
import pytest

from suffice import datasets
from suffice._core.errors import InvalidParameter
from suffice.evaluation import cross_validate
from suffice.generative import MultinomialNB


def test_order_is_forgotten():
    data = datasets.fox_sentences()
    assert data.feature_names == ("brown", "dog", "fox", "jumps", "lazy", "over", "quick", "the")
    assert data.X.tolist() == [[1, 1, 1, 1, 1, 1, 1, 2]] * 2


def test_topics_are_told_apart_by_their_own_words():
    for topics in (2, 5):
        data = datasets.topic_words(300, topics, random_state=1)
        assert data.X.sum(axis=1).mean() == pytest.approx(
            30, abs=5 * np.sqrt(30 / 300)
        )  # five standard errors
        assert len(set(data.y)) == topics
        assert cross_validate(MultinomialNB(), data.X, data.y).estimate < 0.05
    nothing = datasets.topic_words(400, common=1.0, random_state=1)
    assert (
        abs(cross_validate(MultinomialNB(), nothing.X, nothing.y).estimate - 0.5) < 0.125
    )  # five standard errors


def test_a_seed_is_a_data_set():
    a, b = (datasets.topic_words(20, random_state=4) for _ in range(2))
    assert a == b
    assert a.license.startswith("generated")


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"n": 0}, "n must be a positive integer; got 0"),
        ({"n_topics": 1}, "n_topics must be an integer of at least 2; got 1"),
        ({"n_words": 2.5}, "n_words must be an integer of at least 2; got 2.5"),
        ({"length": -1.0}, "length must be a number >= 0"),
        ({"common": 1.5}, "common must lie between 0 and 1; got 1.5"),
    ],
)
def test_bad_arguments_are_refused(arguments, match):
    with pytest.raises(InvalidParameter, match=match):
        datasets.topic_words(**arguments)
