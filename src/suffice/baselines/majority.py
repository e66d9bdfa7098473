r"""The most frequent class, whatever the columns say (DTU eq. 11.13).

c* = argmax_c n_c,   n_c = Σ w [y = c];   P(y = c) = [c = c*]
"""

from __future__ import annotations

from typing import final

import numpy as np

from suffice._core.records import estimator
from suffice.baselines._labels import LabelBaseline


@final
@estimator
class MajorityClassifier(LabelBaseline):
    """Predicts the most frequent class of y, the first in sorted order of several.

    Notes
    -----
    `predict_proba` and `predict_dist` put all probability on that class: the decision, taken at its word.
    Any other label then has an infinite log loss. `PriorClassifier` makes the same decision and says how
    often it will be wrong.

    Examples
    --------
    >>> from suffice.baselines import MajorityClassifier
    >>> model = MajorityClassifier().fit([[0.0], [1.0], [2.0]], ["dog", "cat", "dog"])
    >>> model.predict([[5.0]]), model.predict_proba([[5.0]])
    (array(['dog'], dtype='<U3'), array([[0., 1.]]))
    """

    def _probabilities(self) -> np.ndarray:
        return np.eye(len(self.classes_))[np.argmax(self.class_prior_)]
