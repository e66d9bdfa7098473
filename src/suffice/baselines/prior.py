r"""The shares of the classes, whatever the columns say.

P(y = c) = n_c / n,   n_c = Σ w [y = c];   decision argmax_c n_c (DTU eq. 11.13)
"""

from __future__ import annotations

from typing import final

import numpy as np

from suffice._core.records import estimator
from suffice.baselines._labels import LabelBaseline


@final
@estimator
class PriorClassifier(LabelBaseline):
    """Predicts the most frequent class, with the shares of all classes as probabilities.

    What a classifier with probabilities has to beat: among models that ignore the columns, the shares have
    the smallest log loss on the rows they were counted in.

    Examples
    --------
    >>> from suffice.baselines import PriorClassifier
    >>> model = PriorClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["dog", "cat", "dog", "dog"])
    >>> model.predict_proba([[5.0]])
    array([[0.25, 0.75]])
    >>> model.predict_dist([[5.0]]).mode
    array(['dog'], dtype='<U3')
    """

    def _probabilities(self) -> np.ndarray:
        return self.class_prior_
