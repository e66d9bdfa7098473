"""A rare class, with and without weights that balance it."""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, precision_recall_fscore_support, roc_auc_score
from sklearn.model_selection import train_test_split

X, y = make_classification(n_samples=600, weights=[0.93], n_informative=3, class_sep=0.8, random_state=5)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
for weights in (None, "balanced", {0: 1, 1: 5}):
    model = LogisticRegression(class_weight=weights, tol=1e-10, max_iter=1000).fit(X_train, y_train)
    found = model.predict(X_test)
    precision, recall, _, _ = precision_recall_fscore_support(y_test, found, average="binary")
    area = roc_auc_score(y_test, model.decision_function(X_test))
    print(f"{weights}: precision {precision:.6g}, recall {recall:.6g}, area {area:.6g}")
    print(f"balanced accuracy {balanced_accuracy_score(y_test, found):.6g}")
