"""DTU Fig. 7.13: the same problem seen through pairs of principal components; each panel tells the error of a
logistic regression on its two columns.

The wines are the 178 of three kinds that come with scikit-learn (the text has another table); errors are of the rows
the model was fitted to, as in the figure, and by five-fold cross-validation.
"""

from itertools import combinations

import numpy as np
from _figure import BLUE, GREEN, ORANGE, figure, save
from matplotlib.colors import ListedColormap
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler

from suffice.evaluation import confusion

X, y = load_wine(return_X_y=True)
parts = PCA(4).fit_transform(StandardScaler().fit_transform(X))
colors = (BLUE, ORANGE, GREEN)

fig, axes = figure(2, 3, size=(13.5, 8))
for (i, j), ax in zip(combinations(range(4), 2), axes.flat, strict=True):
    pair = parts[:, [i, j]]
    model = LogisticRegression().fit(pair, y)
    x, up = (np.linspace(column.min() - 0.5, column.max() + 0.5, 160) for column in pair.T)
    regions = model.predict(np.stack(np.meshgrid(x, up), axis=-1).reshape(-1, 2)).reshape(160, 160)
    ax.pcolormesh(x, up, regions, cmap=ListedColormap(colors), alpha=0.14, shading="nearest", rasterized=True)
    for kind, color in enumerate(colors):
        ax.scatter(*pair[y == kind].T, color=color, s=14, label=f"wine {kind}")
    seen, new = (confusion(y, said) for said in (model.predict(pair), cross_val_predict(model, pair, y)))
    ax.set(xlabel=f"component {i + 1}", ylabel=f"component {j + 1}")
    ax.set_title(f"error {float(seen.error):.3f}, on new rows {new.error}")
axes[0, 0].legend(fontsize=8.5)
save(fig, __file__)
