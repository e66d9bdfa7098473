"""A class that is told apart from all others is named in any order of columns, where steps are rounding too."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from suffice._core.errors import Separated
from suffice.glm import LogisticRegression

X = np.array(
    [
        [3.48169, 2.18411, 1.55577, -1.77394, 1], [1.61067, -2.39484, 1.8385, -0.671314, 2],
        [3.211, 0.379839, -0.498829, -0.768122, 3], [1.56704, 1.57513, 1.27936, 0.639296, 1],
        [3.00465, 1.11815, -0.0510027, 1.17015, 2], [2.23962, 0.776106, -0.029969, 0.893956, 2],
        [2.07044, 1.49599, 0.962573, -0.504444, 4], [1.12144, -1.76307, 1.37565, -1.47202, 4],
        [2.14205, 2.19265, -1.79278, 0.875902, 2], [2.65308, 1.28993, 0.544728, -0.302677, 0],
        [1.30131, 0.267746, 1.19032, -0.719565, 3], [3.93199, 0.112998, -0.859109, -0.405043, 4],
        [-0.461617, 0.0789945, -0.609497, -0.259354, 3], [2.28237, 0.909739, 0.126776, -0.505669, 4],
        [2.58926, 0.400476, 0.042344, 1.34572, 4], [0.875501, 1.44779, -0.692345, -1.66031, 3],
        [1.88958, 1.59385, -1.39871, 0.823926, 3], [3.25062, 1.28964, 0.557624, -0.00166439, 4],
    ]
)  # fmt: skip
Y = np.array([2, 0, 1, 0, 1, 1, 1, 2, 0, 2, 1, 1, 2, 0, 1, 2, 0, 0])


@pytest.mark.parametrize("turn", list(permutations(range(5)))[::13])
def test_a_separated_class_is_named(turn):
    with pytest.warns(Separated, match="grows without end"):
        LogisticRegression(prior_precision=0.0).fit(X[:, turn], Y)
