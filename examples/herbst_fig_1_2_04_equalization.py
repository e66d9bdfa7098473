"""Herbst & du Preez Figs. 1.2.3 and 1.2.4: an image before and after its grey levels are spread.

Levels move and merge but never split, so the new histogram is as flat as it can be, not flat. The picture of
the notes is not printed; this one is a dim landscape made of normal densities.
"""

import numpy as np
from _figure import BLUE, figure, save

from suffice.distributions import histogram_equalize

rng = np.random.default_rng(0)
y, x = np.mgrid[0:1:180j, 0:1:240j]
hills = sum(
    h * np.exp(-((x - c) ** 2 / w + (y - 0.75) ** 2 / 0.05))
    for c, w, h in [(0.2, 0.03, 1), (0.65, 0.08, 0.7)]
)
sun = np.exp(-((x - 0.8) ** 2 + (y - 0.2) ** 2) / 0.004)
dim = np.clip(60 + 45 * hills + 40 * sun - 20 * y + rng.normal(0, 3, x.shape), 0, 255).astype(int)
result = histogram_equalize(dim)

fig, axes = figure(2, 2, size=(10.5, 6.4), width_ratios=[1, 1.25])
for row, image, title in ((axes[0], dim, "Before"), (axes[1], result.rounded, "After")):
    row[0].imshow(image, cmap="gray", vmin=0, vmax=255)
    row[0].set(xticks=[], yticks=[], title=title)
    row[0].grid(visible=False)
    counts = np.bincount(image.ravel(), minlength=256)
    row[1].bar(np.arange(256), counts, width=1.0, color=BLUE)
    row[1].set(
        xlabel="grey level", ylabel="pixels", xlim=(0, 255), title=f"{np.count_nonzero(counts)} levels in use"
    )
save(fig, __file__)
