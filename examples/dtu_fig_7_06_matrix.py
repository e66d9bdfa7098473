"""DTU Fig. 7.6: every measurement of 150 irises against every other, in the colors of their kinds."""

from _figure import STYLE, plt, save
from sklearn.datasets import load_iris

from suffice import plots

data = load_iris(as_frame=True)

plt.rcParams.update(STYLE)
grid = plots.matrix_plot(data.data, data.target_names[data.target])
save(grid[0, 0].figure, __file__)
