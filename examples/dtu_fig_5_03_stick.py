"""DTU Figs. 5.3 and 5.4: a silly die, and how to roll it with a stick.

The die has the faces −2, 1, 1, 4, 4, 10. Break a stick of length one into pieces as long as the probabilities;
a uniform number falls on one of them, and its value is the roll. After 600 rolls the shares are close to the
probabilities: bars show the shares, rings the probabilities with two standard errors.
"""

import numpy as np
from _figure import BLUE, GOLD, GREEN, INK, ORANGE, mosaic, save

from suffice.distributions import Categorical, inverse_cdf_sample

faces, p, n = np.array([-2, 1, 4, 10]), np.array([1, 2, 2, 1]) / 6, 600
die, colors = Categorical(p, classes=faces), (BLUE, ORANGE, GREEN, GOLD)
fig, axes = mosaic([["die", "rolls"], ["stick", "stick"]], size=(11, 6), height_ratios=[1.6, 1])
axes["die"].bar(faces, p, width=0.7, color=colors)
axes["die"].set(xlabel="x", ylabel="probability", ylim=(0, 0.42))
axes["die"].set_title(f"Mean {die.mean:g}, variance {die.var:g}")

rolls = inverse_cdf_sample(p, n, rng=16, values=faces)  # the first twelve show every face
axes["rolls"].bar(faces, [np.mean(rolls == face) for face in faces], width=0.7, color=colors, alpha=0.55)
bars = {"yerr": 2 * np.sqrt(p * (1 - p) / n), "fmt": "o", "mfc": "white", "capsize": 4}
axes["rolls"].errorbar(faces, p, color=INK, **bars)
axes["rolls"].set(xlabel="x", ylabel="share", ylim=(0, 0.42), title=f"{n} rolls")

u = np.random.default_rng(16).random(n)[:12]  # the numbers behind the first rolls
starts = np.cumsum(p) - p
for face, start, length, color in zip(faces, starts, p, colors, strict=True):
    axes["stick"].barh(0, length, left=start, height=0.5, color=color, edgecolor="white", linewidth=2)
    middle = start + length / 2
    axes["stick"].annotate(
        f"x = {face}".replace("-", "−"), (middle, 0), ha="center", va="center", color="white", weight="bold"
    )
for at, roll in zip(u, rolls, strict=False):
    axes["stick"].annotate(
        "", (at, 0.26), (at, 0.62), arrowprops={"arrowstyle": "-|>", "color": colors[list(faces).index(roll)]}
    )
axes["stick"].set(xlabel="u", xlim=(0, 1), ylim=(-0.35, 0.7), yticks=[])
axes["stick"].set_xticks([0, *np.cumsum(p)], ["0", "1/6", "3/6", "5/6", "1"])
axes["stick"].spines["left"].set_visible(False)
axes["stick"].set_title("Twelve uniform numbers fall on the stick")
axes["stick"].grid(visible=False)
save(fig, __file__)
