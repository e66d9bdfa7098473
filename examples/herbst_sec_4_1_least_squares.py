"""Herbst & du Preez §4.1.3 (PRML Figs. 4.4, 4.5): least squares as a classifier, and the perceptron beside it.

Left: rows far on the right side of the boundary pull it away from where the classes meet; the perceptron, which asks
for the side only, stays. Middle: of three classes along a line least squares hardly sees the middle one, while linear
discriminants from the same statistics do. Right: mistakes of the perceptron per pass, and Novikoff's bound on all of
them together.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, PINK, figure, save, whole_numbers

from suffice.generative import LeastSquaresClassifier, LinearDiscriminantAnalysis, Perceptron

rng = np.random.default_rng(2)
COLORS = np.array([BLUE, ORANGE, GREEN])
fig, (left, middle, right) = figure(1, 3, size=(14, 4.4))


def boundary(ax, model, color, label, **style):
    x = np.linspace(-3, 12, 2)
    (w,), (b,) = model.coef_, model.intercept_
    ax.plot(x, -(b + w[0] * x) / w[1], color=color, label=label, **style)


y = np.repeat([0, 1], 60)
X = rng.multivariate_normal([0, 0], 0.3 * np.eye(2), 120) + np.where(y[:, None] == 1, [2.0, -2.0], 0.0)
far = rng.multivariate_normal([9.0, -9.0], 0.3 * np.eye(2), 30)
both, labels = np.vstack([X, far]), np.append(y, np.ones(30, dtype=int))
left.scatter(*both.T, s=14, c=COLORS[labels], alpha=0.7)
boundary(left, LeastSquaresClassifier().fit(X, y), GREY, "least squares without the far rows", linestyle="--")
boundary(left, LeastSquaresClassifier().fit(both, labels), PINK, "least squares")
boundary(left, Perceptron().fit(both, labels), INK, "perceptron")
left.set(xlim=(-2.5, 11), ylim=(-11, 2.5), title="Rows no one could get wrong do harm")
left.legend(loc="lower left", fontsize=8.5)

k = np.repeat([0, 1, 2], 200)
Z = 0.35 * rng.standard_normal((600, 2)) + k[:, None] * [2.0, 2.0]
squares, normal = LeastSquaresClassifier().fit(Z, k), LinearDiscriminantAnalysis().fit(Z, k)
along = np.linspace(-1, 5, 200)
for c in range(3):
    outputs = squares.outputs(np.c_[along, along])[:, c]
    middle.plot(along, outputs, color=COLORS[c], label=f"output of class {c + 1}")
    middle.scatter(Z[k == c].mean(axis=1), np.full(200, -0.55 - 0.08 * c), s=6, color=COLORS[c], alpha=0.4)
rates = [np.mean(m.predict(Z) == k) for m in (squares, normal)]
middle.set(xlabel="along the line of the means", ylim=(-0.85, 1.6))
middle.set_title(f"Right: {rates[0]:.0%} by least squares, {rates[1]:.0%} by LDA")
middle.legend(fontsize=8.5)

U = rng.uniform(0, 2, (300, 2))
side = U @ [0.6, 0.8] - 1.5
apart = np.abs(side) > 0.04
model = Perceptron(tol=None).fit(U[apart], side[apart] > 0)
right.bar(np.arange(1, 1 + len(model.trace_)), model.trace_.objective, color=BLUE, width=0.7)
right.set(xlabel="pass over the rows", ylabel="mistakes")
right.set_title(f"{model.mistakes_[0]} mistakes; the bound is {model.bound_[0]:,.0f}")
whole_numbers(right)
save(fig, __file__)
