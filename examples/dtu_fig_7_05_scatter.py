"""DTU Fig. 7.5: sepals and petals of 150 irises, in the colors of their kinds.

Both axes are in centimeters, so one is as long on both. Of the petals two kinds overlap a little, of the sepals much.
"""

from _figure import figure, save
from sklearn.datasets import load_iris

from suffice import plots

data = load_iris(as_frame=True)
kinds = data.target_names[data.target]

fig, axes = figure(1, 2, size=(11.6, 4.8))
for part, ax in zip(("sepal", "petal"), axes, strict=True):
    plots.scatter_by_class(data.data, f"{part} length (cm)", f"{part} width (cm)", by=kinds, ax=ax)
save(fig, __file__)
