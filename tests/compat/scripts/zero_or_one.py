"""Thresholds, one-hot columns and gaps, alone and in frames."""

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import Binarizer, OneHotEncoder

table = pd.DataFrame({"size": ["s", "m", "s", "l"], "color": ["red", "blue", "blue", "red"]})
encoder = OneHotEncoder(sparse_output=False).set_output(transform="pandas").fit(table)
print(encoder.transform(table).to_string())
print([c.tolist() for c in encoder.categories_], encoder.inverse_transform(encoder.transform(table))[2])
numbers = np.array([[1.0, np.nan], [3.0, 4.0], [np.nan, 8.0]])
filled = SimpleImputer(strategy="mean", add_indicator=True).fit_transform(numbers)
print(filled, Binarizer(threshold=3.5).fit_transform(filled[:, :2]))
