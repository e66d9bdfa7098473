"""FCML §1.4, behind Fig. 1.11: how a = 2660 and b = 4.3 are found.

For each pair (a, b) the best line plus sin((x − a)/b) has a summed loss; the text's pair is the best of the first grid.
"""

import numpy as np
from _figure import INK, ORANGE, figure, points, save

from suffice.bases import CustomBasis, Polynomial, search_basis
from suffice.datasets import olympic_100m_men


def line_and_wave(a, b):
    """Columns x and sin((x − a)/b)."""
    return Polynomial(1) + CustomBasis([lambda X: np.sin((X[:, 0] - a) / b)])


men = olympic_100m_men()
text = {"a": np.linspace(2650, 2670, 21), "b": np.linspace(2, 6, 41)}
near = {"a": np.linspace(1935, 1970, 71), "b": np.linspace(2, 6, 81)}
fig, (*surfaces, right) = figure(1, 3, size=(15, 4.2))
for ax, grid, title in zip(surfaces, (text, near), ("a as in the text", "a among the games"), strict=True):
    found = search_basis(line_and_wave, men.X, men.y, grid)
    picture = ax.pcolormesh(
        grid["b"], grid["a"], found.surface, shading="nearest", cmap="viridis", vmin=1.09, vmax=1.36
    )
    a, b = found.parameters["a"], found.parameters["b"]
    ax.plot(b, a, "o", color="white", markeredgecolor=INK)
    ax.set(xlabel="b", ylabel="a", title=f"{title}: best {a:g}, {b:.2f}")
    ax.grid(False)
    if grid is text:
        years = np.linspace(1892, 2016, 800)
        right.plot(years, found(years), label=f"best near the text's a: {found.loss:.4f}")
fig.colorbar(picture, ax=surfaces, label="summed loss of the best weights")
finer = search_basis(line_and_wave, men.X, men.y, bounds={"a": (1936, 1952), "b": (4, 5)}, refine=4)
label = f"a = {finer.parameters['a']:.2f}, b = {finer.parameters['b']:.3f}: {finer.loss:.4f}"
right.plot(years, finer(years), "--", color=ORANGE, label=label)
points(right, men, "winning time, men")
right.set(xlabel="year", ylabel="seconds", title="The functions that the searches leave")
right.legend()
save(fig, __file__)
