"""Numbers with gaps and words side by side: a column transformer before a classifier, on a data frame."""

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

rng = np.random.default_rng(11)
n = 300
table = pd.DataFrame(
    {
        "age": np.where(rng.random(n) < 0.1, np.nan, rng.uniform(18, 80, n).round()),
        "fare": rng.lognormal(3, 1, n),
        "port": rng.choice(["north", "south", "west"], n),
        "class": rng.choice(["first", "second"], n, p=[0.3, 0.7]),
    }
)
y = (rng.random(n) < np.where(table["class"] == "first", 0.7, 0.3)).astype(int)
numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
words = OneHotEncoder(handle_unknown="ignore")
prepare = ColumnTransformer([("num", numbers, ["age", "fare"]), ("cat", words, ["port", "class"])])
model = Pipeline([("prepare", prepare), ("classify", LogisticRegression(tol=1e-10, max_iter=1000))])
X_train, X_test, y_train, y_test = train_test_split(table, y, test_size=0.3, random_state=0)
model.fit(X_train, y_train)
print(list(model[:-1].get_feature_names_out()))
print(np.round(model[-1].coef_[0], 5), f"score {model.score(X_test, y_test):.6g}")
print(np.round(model.predict_proba(X_test)[:3, 1], 5))
