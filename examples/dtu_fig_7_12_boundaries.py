"""DTU Fig. 7.12: the 55 pairs of eleven columns, each with the boundary of a logistic regression on it and its error.

The wines are the 178 of three kinds that come with scikit-learn, of whose thirteen columns eleven are shown (the text
has another table); errors are of the rows that each model was fitted to, as in the figure.
"""

from _figure import STYLE, plt, save
from sklearn.datasets import load_wine

from suffice import evaluation, plots
from suffice.glm import LogisticRegression

data = load_wine(as_frame=True)
columns = list(data.data)[:11]
model = LogisticRegression(standardize=True)

plt.rcParams.update(STYLE)
grid = plots.matrix_plot(data.data, data.target, columns=columns, model=model)
fits = evaluation.fit_pairs(model, data.data[columns], data.target)
print(f"majority: error {1 - data.target.value_counts(normalize=True).max():.3f}")
print(fits.frame().head(3).to_string(index=False))
save(grid[0, 0].figure, __file__)
