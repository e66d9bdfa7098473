"""DTU Fig. 7.10: look at the mistakes. Digits that logistic regression gets wrong, the most confident ones first.

Left: which digits are taken for which, by five-fold cross-validation on the 1,797 digits that come with scikit-learn.
Right: the mistakes, with what each was taken for and how probable that seemed.
"""

from _figure import mosaic, save
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from suffice import plots
from suffice.evaluation import confusion, misclassified

digits = load_digits()
model = LogisticRegression(C=1e-3, max_iter=2000)
probable = cross_val_predict(model, digits.data, digits.target, cv=5, method="predict_proba")
table = confusion(digits.target, scores=probable)
found = misclassified(digits.target, probable.argmax(axis=1), probable)

fig, axes = mosaic([["table", "gallery"]], size=(17, 9.5), width_ratios=[1, 1])
plots.confusion(table, ax=axes["table"])
worst = table.most_confused(1)[0]
told = f"{worst.true} is taken for {worst.predicted} most often"
axes["table"].set_title(
    f"Accuracy {float(table.accuracy):.3f}, of the best two {float(table.top_k(2)):.3f}; {told}"
)
plots.misclassified(found, digits.data, shape=(8, 8), most=9, ax=axes["gallery"])
axes["gallery"].set_title(f"{len(found)} mistakes, the surest of each digit")
save(fig, __file__)
