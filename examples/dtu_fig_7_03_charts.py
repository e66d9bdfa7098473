"""DTU Fig. 7.3: one series of twelve values, drawn in four ways.

A bar starts at zero and so belongs to a ratio scale, as the widgets sold in a month; for a temperature in °C
`series_chart` refuses one. A line and dots show change, dots alone the values. The series is made up (that of the text
is not printed).
"""

import numpy as np
from _figure import figure, save

from suffice import plots
from suffice._core.errors import InvalidInput

months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
season = np.sin(2 * np.pi * (np.arange(12) - 3) / 12)
noise = np.random.default_rng(7).normal(0, 60, 12)
sold = {"month": months, "widgets sold": np.round(900 + 350 * season + noise)}

fig, axes = figure(2, 2, size=(11.0, 7.0))
for kind, ax in zip(("line", "dot", "bar", "line and dots"), axes.flat, strict=True):
    plots.series_chart(sold, along="month", kind=kind, scale="ratio", ax=ax)
    ax.set_title(kind)
try:
    plots.series_chart({"°C": 9 + 8 * season}, kind="bar", scale="interval")
except InvalidInput as refusal:
    print(refusal)
save(fig, __file__)
