"""Do forecasts keep their promises? Probabilities against frequencies, the PIT of distributions, coverage.

Top: naive Bayes is sure of itself where it should not be, logistic regression is not (569 tumors that come with
scikit-learn, five-fold cross-validation). Bottom: least squares on the progression of diabetes, and what happens to the
histogram and to the coverage when its spread is halved.
"""

import numpy as np
from _figure import figure, save
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from suffice import plots
from suffice.datasets import diabetes
from suffice.distributions import Normal
from suffice.evaluation import calibration
from suffice.linear import LinearRegression

X, y = load_breast_cancer(return_X_y=True)
models = {"naive Bayes": GaussianNB(), "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.1))}
forecast = {
    name: cross_val_predict(model, X[:, :10], y, cv=5, method="predict_proba")[:, 1]
    for name, model in models.items()
}
data = diabetes()
order = np.random.default_rng(0).permutation(len(data.y))
seen, new = order[:221], order[221:]
honest = LinearRegression().fit(data.X[seen], data.y[seen]).predict_dist(data.X[new])
bold = Normal(honest.mean, honest.std / 2)
judged = {"as fitted": calibration(data.y[new], honest), "half the spread": calibration(data.y[new], bold)}

fig, axes = figure(2, 3, size=(15, 9.4))
for (name, p), ax in zip(forecast.items(), axes[0], strict=False):
    plots.calibration(calibration(y, p, bins=8), ax=ax)
    ax.set_title(name, pad=26)
both = {name: calibration(y, p, bins=8) for name, p in forecast.items()}
plots.calibration(both, ax=axes[0, 2])
axes[0, 2].set_title("Both", pad=44)
for (name, found), ax in zip(judged.items(), axes[1], strict=False):
    plots.pit(found, ax=ax)
    ax.set_ylabel(f"outcomes, {name}")
plots.interval_coverage(judged, ax=axes[1, 2])
axes[1, 2].set_title("Promised and kept", pad=44)
save(fig, __file__)
