"""FCML Figs 5.20 and 5.21: ROC curves of a support vector machine, and of every digit against the rest.

Left: Gaussian kernels that are too wide, about right and too narrow, on two interleaved half-moons (γ as in Figs
5.17–5.19; the data of the text are not printed), scored on rows the machines have not seen. Middle: the same in terms
of precision and recall. Right: there is no one curve for ten classes, but there is one for each against the rest.
"""

from _figure import figure, save
from sklearn.datasets import load_digits, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.svm import SVC

from suffice import plots
from suffice.evaluation import one_vs_rest, precision_recall, roc

X, y = make_moons(300, noise=0.35, random_state=5)
X_new, y_new = make_moons(300, noise=0.35, random_state=6)
score = {f"γ = {g:g}": SVC(C=10, gamma=g).fit(X, y).decision_function(X_new) for g in (0.01, 1.0, 50.0)}
digits = load_digits()
model = LogisticRegression(C=1e-4, max_iter=2000)
probable = cross_val_predict(model, digits.data, digits.target, cv=5, method="predict_proba")

fig, axes = figure(1, 3, size=(16, 7.2))
plots.roc({name: roc(y_new, s) for name, s in score.items()}, threshold=0.0, ax=axes[0])
axes[0].set_title("Three kernels, new rows", pad=78)
plots.precision_recall({name: precision_recall(y_new, s) for name, s in score.items()}, ax=axes[1])
axes[1].set_title("Precision and recall", pad=62)
each = one_vs_rest(digits.target, probable)
plots.roc(each, ax=axes[2])
axes[2].set(xlim=(-0.005, 0.3), ylim=(0.7, 1.005), xticks=[0, 0.1, 0.2, 0.3], yticks=[0.7, 0.8, 0.9, 1.0])
axes[2].set_title(f"Ten digits, mean area {float(each.macro_area):.3f} (a corner)", pad=80)
save(fig, __file__)
