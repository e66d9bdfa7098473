r"""Mixtures of categories: latent class analysis.

Model        p(x) = Σ_k π_k Π_d p_kd(x_d)                              columns are independent within a class
Shares       r_nk ∝ π_k Π_d p_kd(x_nd) over the known cells                                     (FCML 6.18)
Step         π_k = n_k/n,  p_kd(v) = (Σ_n r_nk [x_nd = v] + α_dv − 1) / (n_kd + Σ_u (α_du − 1))

n_kd counts the rows in which column d is known. With α = 1 that is maximum likelihood, which gives a value never seen
in a class the probability zero; a prior above one keeps every value possible.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, final

import numpy as np

from suffice._components.kinds.table import TableKind
from suffice._components.product import Product
from suffice._core.records import storable
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixtureShell


@final
@storable
@dataclass(eq=False, repr=False)
class CategoricalMixture(MixtureShell):
    """Rows of categories from one of several latent classes, each with its own shares of the values.

    Takes a table of anything: text, numbers, booleans, categories; NaN and None are missing cells.

    Parameters
    ----------
    n_components
        How many classes; `select_components` compares.
    categories
        The values of the columns, a list per column or a mapping by name or number, where the rows may not show all of
        them; a pandas category or polars Enum lists them itself.
    unknown
        What a value is that the fit has not seen: "missing", with a warning that names it, or "raise".
    tol
        The iteration ends when the log likelihood per row (with the log prior, if any) grows by at most this.
    max_iter
        The most steps; with 0 the start is the fit.
    n_init
        Starts, of which the best is kept; `restarts_` has what each reached.
    init_params
        "kmeans", "k-means++", "random_from_data" or "random".
    weights_init, probabilities_init
        Parts of the start; probabilities as a list of (components, values), as in `probabilities_`.
    random_state
        Seed of starts and draws.
    warm_start
        Go on from the last fit.
    hard
        Give every row to its most probable class alone.
    prior
        A Dirichlet prior of the shares: a number for all values, a `Dirichlet` with an entry per value, or a mapping
        from columns to such.
    weights_prior
        Concentration of a Dirichlet prior on the weights, at least 1: a number, or one per class.

    Attributes
    ----------
    weights_
        The share of each component, π_k.
    categories_
        The sorted values of each column.
    probabilities_
        For each column, P(value | class) as (components, values).
    mixing_
        Weights and components as the record that densities are computed from.
    converged_, n_iter_
        Whether the kept start ended by `tol`, and after how many steps.
    lower_bound_, lower_bounds_
        The log likelihood per row (with the log prior, if any) that the last step, and every step, began with.
    restarts_
        What each start reached; one entry after `engine.fit`.
    trace_
        Likelihood and bound after every step, to the parameters returned.
    n_parameters_
        Free numbers: the weights but one, and those of the components.
    distribution_
        p(x) as a distribution of rows.

    Notes
    -----
    Rows that do not fit in memory come from files: `engine.fit(model, "rows/*.parquet")`.

    Examples
    --------
    >>> from suffice.mixtures import CategoricalMixture
    >>> X = [["cat", "milk"], ["cat", "milk"], ["dog", "bone"], ["dog", "bone"], ["dog", None], ["cat", "fish"]]
    >>> model = CategoricalMixture(2, prior=1.5, random_state=0).fit(X)
    >>> print(model.predict(X), model.categories_[1], model.probabilities_[1].round(2).max(axis=1))
    [1 1 0 0 0 1] ['bone' 'fish' 'milk'] [0.66 0.54]
    """

    n_components: int = 1
    _: KW_ONLY
    categories: Any = None
    unknown: str = "missing"
    probabilities_init: Any = None

    categories_: list[np.ndarray] = field(init=False)
    probabilities_: list[np.ndarray] = field(init=False)

    @property
    def _kind(self) -> TableKind:
        return TableKind(
            "categorical",
            self.categories,
            self.unknown,
            self.prior,
            probabilities_init=self.probabilities_init,
            one_prior=True,
        )

    def _write(self, mixing: Mixing) -> None:
        coding = mixing.components.plan.coding
        self.categories_ = list(coding.categories.values())
        self.probabilities_ = tables_of(mixing.components)


def tables_of(product: Product) -> list[np.ndarray]:
    """P(value | class) of every column, (K, values)."""
    found: dict[int, np.ndarray] = {}
    for part, place in zip(product.parts, product.places, strict=True):
        found |= dict(zip(place, map(np.array, part.probabilities), strict=True))
    return [found[j] for j in sorted(found)]
