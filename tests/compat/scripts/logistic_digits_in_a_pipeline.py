"""Handwritten digits: scaling, then logistic regression, judged on half of the images."""

from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, confusion_matrix, log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_digits(n_class=4, return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
model = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, tol=1e-9, max_iter=1000))
model.fit(X_train, y_train)
print(f"accuracy {accuracy_score(y_test, model.predict(X_test)):.6g}")
print(f"log loss {log_loss(y_test, model.predict_proba(X_test)):.6g}")
print(confusion_matrix(y_test, model.predict(X_test)))
print("n_features_in_", model[-1].n_features_in_, "decisions", model.decision_function(X_test).shape)
