"""DTU Fig. 7.4: four methods on eight data sets, drawn badly and better; then the test of whether they differ.

Bars hide the order; sorted data sets, lines and a legend in the order of quality show it; greying the competitors makes
one point. Last, the critical-difference diagram. Accuracies by five-fold cross-validation on data sets that come with
scikit-learn and six generated ones (the numbers of the text are not printed).
"""

import numpy as np
import pandas as pd
from _figure import figure, save
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from suffice import plots
from suffice.evaluation import friedman

methods = {
    "neighbors": KNeighborsClassifier(15),
    "logistic": LogisticRegression(),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}
sets = {"wine": load_wine(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True)}
for i in range(6):
    options = {"n_features": 8, "n_informative": 3 + i // 2, "flip_y": 0.05 * i, "class_sep": 1.1 - 0.12 * i}
    sets[f"made {i + 1}"] = make_classification(400, random_state=i, **options)
accuracy = {
    name: [cross_val_score(make_pipeline(StandardScaler(), model), *data).mean() for data in sets.values()]
    for name, model in methods.items()
}
table = pd.DataFrame(accuracy, index=list(sets))

fig, axes = figure(2, 2, size=(14, 9))
for j, name in enumerate(table):
    axes[0, 0].bar(np.arange(len(sets)) + 0.2 * j - 0.3, table[name], 0.18, label=name)
axes[0, 0].set_xticks(range(len(sets)), list(sets), rotation=38, ha="right", rotation_mode="anchor")
axes[0, 0].set(ylabel="accuracy")
axes[0, 0].legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=4, fontsize=8.5)
axes[0, 0].set_title("Bars in the order of the files", pad=26)
plots.sorted_methods(table, label="accuracy", ax=axes[0, 1])
axes[0, 1].set_title("Sorted, joined, the best on top", pad=66)
plots.sorted_methods(table, label="accuracy", highlight="neighbors", ax=axes[1, 0])
axes[1, 0].set_title("One method and its competitors", pad=66)
plots.critical_difference(friedman(table), ax=axes[1, 1])
axes[1, 1].set_title("Eight data sets tell few methods apart")
save(fig, __file__)
