"""FCML Comment 1.2: where the gradient is zero, the second derivative says what is there.

Three functions with their derivatives; each turning point is classified by `turning_point` from the function alone.
A zero second derivative decides nothing: 2w³ goes on rising.
"""

import numpy as np
from _figure import BLUE, GREEN, GREY, INK, ORANGE, figure, save

from suffice.inference import turning_point

functions = {
    "2w²": (lambda w: 2 * w**2, lambda w: 4 * w, lambda w: 4 + 0 * w),
    "10 − 2w²": (lambda w: 10 - 2 * w**2, lambda w: -4 * w, lambda w: -4 + 0 * w),
    "2w³": (lambda w: 2 * w**3, lambda w: 6 * w**2, lambda w: 12 * w),
}
w = np.linspace(-2, 2, 200)
fig, axes = figure(1, 3, size=(13, 3.9))
for ax, (name, (f, slope, curvature)) in zip(axes, functions.items(), strict=True):
    point = turning_point(f, 0.0)
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.plot(w, f(w), color=BLUE, label="f(w)")
    ax.plot(w, slope(w), "--", color=ORANGE, label="f′(w)")
    ax.plot(w, curvature(w), ":", color=GREEN, label="f″(w)")
    ax.plot(0, point.value, "o", color=INK, zorder=5)
    ax.set(
        xlabel="w",
        title=f"f(w) = {name}: {point.kind}, f″(0) = {float(point.hessian[0, 0]):.0f}".replace("-", "−"),
    )
axes[0].legend(loc="lower right")
save(fig, __file__)
