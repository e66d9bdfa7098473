"""FCML Figs 4.1 and 4.4: two classes, the boundary at the most probable weights, and its straight contours.

There is no constant, so the boundary wᵀx = 0 passes through the origin (exercise 4.5), and every line of equal
probability is parallel to it: far from all rows the single w is as sure as near them. At (−3, 5) the text finds a
probability of about one this way, and about 0.6 after averaging over w (Fig. 4.7). The text's rows are not printed.
"""

import numpy as np
from _figure import INK, figure, save

from suffice import plots
from suffice.datasets import two_clouds
from suffice.glm import LogisticRegression

data = two_clouds(random_state=1)
X = data.X
model = LogisticRegression.book(1 / 10).fit(X, data.y)
w = model.coef_[0]
odd = np.array([[-3.0, 5.0]])
tenths = np.arange(1, 10) / 10

fig, (left, right) = figure(1, 2, size=(12, 5.2))
plots.class_regions(model, X, data.y, margin=0.5, ax=left)
x = np.array([-9.0, 9.0])
left.plot(x, -w[0] / w[1] * x, color=INK, linewidth=1.6)
left.set_title("Decisions and the boundary x₂ = −(w₁/w₂) x₁", pad=24)
plots.class_regions(model, X, data.y, of=1, levels=tenths, margin=0.5, ax=right)
right.plot(*odd[0], "X", color=INK, markersize=9)
(p,) = model.predict_proba(odd)[:, 1]
right.annotate(f"{p:.2f}", odd[0], (9, -3), textcoords="offset points", fontweight="bold")
for ax in (left, right):
    ax.set(xlabel="x₁", ylabel="x₂")
right.set_title("P(t = 1 | x) at the most probable weights", pad=24)
save(fig, __file__)
