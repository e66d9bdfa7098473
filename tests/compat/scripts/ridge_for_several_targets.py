"""Three targets at once, with a penalty of their own each."""

import numpy as np
from sklearn.datasets import load_linnerud
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

X, Y = load_linnerud(return_X_y=True)
Z = StandardScaler().fit_transform(X)
model = Ridge(alpha=np.array([0.1, 1.0, 10.0])).fit(Z, Y)
print("weights of shape", model.coef_.shape)
for name, row, constant in zip(("weight", "waist", "pulse"), model.coef_, model.intercept_, strict=True):
    print(name, " ".join(f"{w:.6g}" for w in row), f"constant {constant:.6g}")
print(f"R2 {model.score(Z, Y):.6g}", np.round(model.predict(Z[:1]), 6))
