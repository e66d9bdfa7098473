"""FCML Figs 6.11 and 6.12: the likelihood of the rows grows with K and chooses nothing; that of held-out rows does.

Left: L over K. Middle: ten components on the three groups, several on each: smaller ellipses are higher densities.
Right: mean and standard deviation over ten folds of the log likelihood of rows held out, with the fewest components
within one standard error of the best. As in the text, folds give a range and not a number.
"""

import warnings

from _figure import BLUE, figure, save, whole_numbers
from _three_groups import three_groups

from suffice import plots
from suffice.mixtures import GaussianMixture
from suffice.mixtures.select_components import select_components

X = three_groups()
with warnings.catch_warnings(action="ignore"):  # ten components on a hundred rows sit on few of them
    found = select_components(GaussianMixture(reg_covar=0.01), X, range(1, 11), n_init=10, random_state=0)
    many = GaussianMixture(10, reg_covar=0.01, n_init=10, random_state=0).fit(X)
print(found)

fig, (left, middle, right) = figure(1, 3, size=(16, 4.8))
counts = [c.n_components for c in found.candidates]
left.plot(counts, found.log_likelihoods, "o-", color=BLUE)
left.set(xlabel="components", ylabel="log likelihood of the rows", title="L only grows")
whole_numbers(left)
plots.mixture_ellipses(many, X, levels=[2], ax=middle)
middle.get_legend().remove()
middle.set_title("K = 10: several on each group")
plots.component_selection(found, ax=right)
save(fig, __file__)
