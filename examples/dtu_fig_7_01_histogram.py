"""DTU Fig. 7.1: histograms of the four measurements of 150 irises, in sixteen bins.

Equal widths, and counts that sum to the number of flowers. Petals have two humps, sepals one: a first hint at which
columns tell the kinds apart. Data as bundled with scikit-learn.
"""

from _figure import figure, save
from sklearn.datasets import load_iris

from suffice import plots

irises = load_iris(as_frame=True).data

fig, axes = figure(2, 2, size=(9.6, 6.4))
for name, ax in zip(irises, axes.flat, strict=True):
    plots.histogram(irises, name, bins=16, ax=ax)
save(fig, __file__)
