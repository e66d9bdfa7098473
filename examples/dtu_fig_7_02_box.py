"""DTU Fig. 7.2: the four measurements of 150 irises as boxes and as the points themselves.

A whisker reaches 1.5 box lengths, or to the last flower (eqs 7.1 and 7.2): that of the sepal widths ends at 4.05, where
no flower is. The boxes cannot show what the points do, that the petals come in two sizes.
"""

from _figure import figure, save
from sklearn.datasets import load_iris

from suffice import plots

data = load_iris(as_frame=True)
kinds = data.target_names[data.target]

fig, axes = figure(1, 2, size=(12.4, 4.6))
plots.box_plot(data.data, ax=axes[0])
plots.jitter(data.data, by=kinds, ax=axes[1])
save(fig, __file__)
