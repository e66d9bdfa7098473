"""Several classifiers that vote, and a model that learns whom to trust."""

from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_wine(return_X_y=True)
logistic = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-9, max_iter=1000))
members = [("bayes", GaussianNB()), ("plane", LinearDiscriminantAnalysis()), ("logistic", logistic)]
for model in (
    VotingClassifier(members, voting="soft"),
    VotingClassifier(members, voting="hard"),
    StackingClassifier(members, final_estimator=LogisticRegression(tol=1e-9, max_iter=1000)),
):
    scores = cross_val_score(model, X[:, :4], y, cv=5)
    print(type(model).__name__, f"{scores.mean():.6g} +/- {scores.std():.6g}")
