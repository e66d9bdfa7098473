"""DTU Fig. 7.7: three measurements of the irises in space, all four as lines over the columns; how the columns go
together.

On paper the depth of the first picture is lost. The lines show it without: the kinds part at the petals.
"""

from _figure import STYLE, plt, save
from sklearn.datasets import load_iris

from suffice import plots

data = load_iris(as_frame=True)
kinds = data.target_names[data.target]

plt.rcParams.update(STYLE)
fig = plt.figure(figsize=(16.5, 4.9), layout="constrained")
plots.scatter_3d(data.data, by=kinds, ax=fig.add_subplot(1, 3, 1, projection="3d"))
plots.parallel_coordinates(data.data, kinds, ax=fig.add_subplot(1, 3, 2))
plots.correlation_map(data.data, ax=fig.add_subplot(1, 3, 3))
save(fig, __file__)
