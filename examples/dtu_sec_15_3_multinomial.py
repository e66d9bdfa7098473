"""DTU §15.3: more than two classes, by softmax (a function per class) or multinomial regression (a reference class).

Left: where each of three classes is decided for. Middle: the weights of softmax regression, which sum to zero over the
classes. Right: those of multinomial regression (§15.3.3) are log odds against the last class, which has none. The two
have the same probabilities. The rows are ours; the text prints none.
"""

import numpy as np
from _figure import figure, save
from _three_classes import three_classes

from suffice import plots
from suffice.glm import SoftmaxRegression

X, y = three_classes(60)
names = np.array(["east", "south", "west"])[y - 1]
full = SoftmaxRegression(prior_precision=0).fit(X, names)
reduced = SoftmaxRegression(prior_precision=0, parametrization="reduced").fit(X, names)
gap = np.abs(full.predict_proba(X) - reduced.predict_proba(X)).max()
assert gap < 1e-9

fig, (left, middle, right) = figure(1, 3, size=(17, 4.9), width_ratios=[1.2, 1, 1])
plots.class_regions(full, X, names, ax=left)
left.set_title(f"Decisions: {(full.predict(X) != names).mean():.1%} wrong", pad=24)
for ax, model, title in (
    (middle, full, "Softmax: weights of each class"),
    (right, reduced, f"Multinomial: log odds against “{full.classes_[-1]}”"),
):
    plots.coefficients(model.summary(), ax=ax)
    ax.set_yticks(range(2), ["x₁", "x₂"])
    ax.set_title(title, pad=24)
left.set(xlabel="x₁", ylabel="x₂")
save(fig, __file__)
