"""The projection on the line that joins the class means, which ignores how the classes scatter (Herbst §4.1.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.generative.fisher_discriminant import FisherDiscriminant


def mean_difference(X: Any, y: Any, sample_weight: Any = None) -> np.ndarray:
    """w ∝ m₂ − m₁, of unit length: a vector for two classes, K − 1 columns for K.

    What Fisher's direction is contrasted with; `FisherDiscriminant(method="mean_difference")` is the classifier.

    Examples
    --------
    >>> import numpy as np
    >>> from suffice.generative import mean_difference
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 4.0], [1.0, 4.0], [0.0, 5.0]])
    >>> mean_difference(X, ["low", "low", "low", "tall", "tall", "tall"])
    array([0., 1.])
    """
    model = FisherDiscriminant(method="mean_difference").fit(X, y, sample_weight)
    directions = np.array(model.directions_)
    return directions[:, 0] if len(model.classes_) == 2 else directions
