"""Tables that come with scikit-learn, in the shape of this room."""

from __future__ import annotations

import numpy as np

from suffice.datasets._records import Dataset


def diabetes() -> Dataset:
    """442 diabetes patients: ten measurements at baseline and the progression of the disease a year later.

    The columns are in their own units (`sex` is coded 1 and 2), not scaled.

    Examples
    --------
    >>> data = diabetes()
    >>> data.X.shape, data.target_name
    ((442, 10), 'progression')
    """
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=False)
    source = "Efron, Hastie, Johnstone & Tibshirani (2004), Least angle regression; bundled with scikit-learn"
    names = tuple(str(name) for name in bunch.feature_names)
    y = np.asarray(bunch.target, dtype=float)
    return Dataset(bunch.data, y, names, "progression", source, "BSD-3-Clause, as part of scikit-learn")
