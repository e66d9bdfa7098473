"""FCML Figs 2.17–2.18: how sure is the fitted function, and where?

t = 5x³ − x² + x with noise of variance 1000 and no data in 0 < x < 2. Erratum: the text draws ± the predictive
*variance*; these bands are ± one standard deviation, in the units of t. Below: functions drawn from the
distribution of the weights, magnified around the gap.
"""

import numpy as np
from _figure import BLUE, GREY, INK, band, figure, points, save

from suffice.bases import Polynomial
from suffice.datasets import cubic_curve
from suffice.distributions import MultivariateNormal
from suffice.linear import LinearRegression

data = cubic_curve(30, 1000**0.5, gap=(0, 2), random_state=9)
x = np.linspace(-3.5, 4.2, 300)[:, None]
truth = np.polynomial.polynomial.polyval(x[:, 0], (0, 1, -1, 5))
near = np.linspace(-1.2, 3.2, 200)[:, None]
titles = (
    "Order 1: sure, and wrong",
    "Order 3: unsure only without data",
    "Order 6: unsure wherever data are thin",
)

fig, axes = figure(2, 3, size=(13, 7))
for top, bottom, order, title in zip(*axes, (1, 3, 6), titles, strict=True):
    fit = LinearRegression(basis=Polynomial(order)).fit(data.X, data.y)
    d = fit.predict_dist(x, noise=False)
    top.plot(x, truth, color=GREY, linestyle=":", label="truth")
    top.plot(x, d.mean, label="fit")
    band(top, x, d.mean - d.std, d.mean + d.std, "± 1 standard deviation")
    points(top, data, None, s=14)
    top.set(title=title, xlabel="x", ylabel="t", xlim=(-3.5, 4.2), ylim=(-220, 400))
    top.legend(loc="upper left")

    weights = MultivariateNormal(np.append(fit.intercept_, fit.coef_), fit.cov_params_).sample(20, rng=2)
    design = np.hstack([np.ones_like(near), fit.basis_(near)])
    bottom.plot(near, design @ weights.T, color=BLUE, alpha=0.35, linewidth=0.9)
    bottom.plot(
        near, np.polynomial.polynomial.polyval(near[:, 0], (0, 1, -1, 5)), ":", color=INK, label="truth"
    )
    points(bottom, data, None, s=14)
    bottom.axvspan(0, 2, color=GREY, alpha=0.12, label="no data")
    bottom.set(xlabel="x", ylabel="t", xlim=(-1.2, 3.2), ylim=(-130, 200))
    bottom.set_title(f"20 sampled functions, order {order}")
    bottom.legend(loc="upper left")
save(fig, __file__)
