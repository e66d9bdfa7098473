"""FCML §4.3 and Fig. 4.3: Newton's steps to the most probable weights, and where whole steps go wrong.

Left and middle: from w = 0 the steps climb the log posterior of two clouds (σ² = 10) in a handful of steps, as the text
says (it counts nine on its own data, which it does not print). Right: the text lets the start be any; on overlapping
clouds whole steps from (5, −5) run away and never come back, and steps that are halved until they climb arrive.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save, whole_numbers

from suffice import plots
from suffice.datasets import two_clouds
from suffice.glm import LogisticRegression, posterior_surface

fig, (left, middle, right) = figure(1, 3, size=(16, 4.8))
data = two_clouds(random_state=1)
model = LogisticRegression.book(1 / 10).fit(data.X, data.y)
surface = posterior_surface(model, data.X, data.y, first=(-1, 8), second=(-1, 8))
plots.posterior_surface(surface, path=True, wide=True, laplace=False, ax=left)
left.set(xlabel="w₁", ylabel="w₂")
left.set_title("From w = 0 to the top", pad=24)

for j, color in enumerate((BLUE, ORANGE)):
    middle.plot(surface.path[:, j], "o-", color=color, markersize=4, label=f"w{'₁₂'[j]}")
    middle.axhline(surface.peak[j], color=color, linewidth=0.8, linestyle=":")
middle.set(xlabel="step", ylabel="weight")
middle.set_title(f"The same, step by step: {len(surface.path) - 1} steps to the last digit", pad=24)
middle.legend(loc="lower right")
whole_numbers(middle)

data = two_clouds(100, (0.4, 0.4), random_state=0)
model = LogisticRegression.book(1 / 10).fit(data.X, data.y)
options = {"start": (5.0, -5.0), "first": (-9, 9), "second": (-9, 9)}
halved = posterior_surface(model, data.X, data.y, **options)
whole = posterior_surface(model, data.X, data.y, control="none", max_iter=200, **options)
plots.posterior_surface(halved, wide=True, laplace=False, ax=right)
far = np.linalg.norm(whole.path - np.array(whole.peak), axis=1)
right.plot(*whole.path[:12].T, "s--", color=ORANGE, markersize=4, linewidth=1.1, label="whole steps")
right.plot(*halved.path.T, "o-", color=INK, markersize=4, label=f"halved: there in {len(halved.path) - 1}")
right.set(xlabel="w₁", ylabel="w₂")
right.set_title(f"From (5, −5): whole steps end {far[-1]:,.0f} away", pad=24)
right.legend(loc="lower left", bbox_to_anchor=(-0.02, 0.99), ncols=4, fontsize=8.5, columnspacing=1.2)
save(fig, __file__)
