r"""Mixtures of tables whose columns are of different kinds: numbers, counts, yes and no, categories.

Model        p(x) = Σ_k π_k Π_g p_g(x_g | θ_kg)         groups g of columns, independent within a component
Shares       r_nk ∝ π_k Π_g p_g(x_ng | θ_kg), over the known cells                             (FCML 6.18)
Step         every group by itself from its own sums                                          (FCML §6.3.7)

Any family with a log density and a weighted fit can be a component. A group is a column, or a tuple of columns that
vary together.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import combinations
from typing import Any, final

import numpy as np

from suffice._components.families import FamilyColumn
from suffice._components.kinds.table import TableKind
from suffice._components.normal.columns import ColumnNormals
from suffice._components.normal.dense import DenseNormals
from suffice._core.errors import AtBound, NoInformation, warn
from suffice._core.records import same, storable
from suffice.mixtures._shell.collapse import warn_collapsed
from suffice.mixtures._shell.mixing import Mixing
from suffice.mixtures._shell.model import MixtureShell


@final
@storable
@dataclass(eq=False, repr=False)
class MixtureModel(MixtureShell):
    """Rows of a mixed table from one of several components, nobody knows which.

    Takes arrays and pandas, polars and Arrow tables; NaN and None are missing cells, in columns of any kind.

    Parameters
    ----------
    components
        Which family produces a column: one for all, a list with one per column, or a mapping from columns (by name or
        number) to families; columns that it does not name are inferred. Families are "gaussian", "bernoulli" (0 and 1),
        "poisson" (counts), "categorical", and Gamma, InverseGamma, Beta and NegativeBinomial of
        `suffice.distributions`. A tuple of columns is "gaussian" with a full covariance, or "multinomial"; under any
        other family its columns are independent. "infer" takes text and categories as categorical, booleans and columns
        of zeros and ones as bernoulli, and other numbers as gaussian: it never guesses that numbers are counts.
    n_components
        How many components; `select_components` compares.
    categories
        Values of categorical columns by name or number, where the rows may not show all of them.
    unknown
        What a category is that the fit has not seen: "missing", with a warning that names it, or "raise".
    tol
        The iteration ends when the log likelihood per row (with the log prior, if any) grows by at most this.
    max_iter
        The most steps; with 0 the start is the fit.
    reg_covar
        Added to the variances of gaussian columns in every step. That is no step upwards; with 0 the likelihood never
        falls.
    n_init
        Starts, of which the best is kept; `restarts_` has what each reached.
    init_params
        "kmeans", "k-means++", "random_from_data" or "random". Every column weighs about the same in distances.
    weights_init
        The weights of the start.
    random_state
        Seed of starts and draws.
    warm_start
        Go on from the last fit.
    hard
        Give every row to its most probable component alone.
    prior
        A mapping from columns, or the tuples of `components`, to priors: a Normal or NormalInverseWishart of a
        gaussian, a Beta of a bernoulli, a Gamma of a poisson column; a number or a Dirichlet for the shares of others.
    weights_prior
        Concentration of a Dirichlet prior on the weights, at least 1: a number, or one per component.

    Attributes
    ----------
    weights_
        The share of each component, π_k.
    families_
        The family of each column in words.
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
        p(x) as a distribution of rows, unless columns that vary together stand beside other families.

    Notes
    -----
    Rows that do not fit in memory come from files: `engine.fit(model, "rows/*.parquet")`.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from suffice.mixtures import MixtureModel
    >>> rng = np.random.default_rng(0)
    >>> town = rng.random(300) < 0.5
    >>> table = pd.DataFrame({
    ...     "rent": rng.normal(np.where(town, 15.0, 8.0), 2.0),
    ...     "cars": rng.poisson(np.where(town, 0.5, 2.0)),
    ...     "heating": np.where(rng.random(300) < np.where(town, 0.9, 0.2), "district", "oil"),
    ... })
    >>> table.loc[::5, "rent"] = np.nan
    >>> model = MixtureModel({"cars": "poisson"}, random_state=0).fit(table)
    >>> print(model.families_)
    {'rent': 'gaussian', 'cars': 'poisson', 'heating': 'categorical'}
    >>> new = pd.DataFrame({"rent": [np.nan, 14.0], "cars": [4, 0], "heating": ["oil", None]})
    >>> odd = model.predict_proba(new)[0].argmin()
    >>> model.predict_proba(new)[:, odd].round(2)
    array([0., 1.])
    """

    components: Any = "infer"
    _: KW_ONLY
    n_components: int = 2
    categories: Any = None
    unknown: str = "missing"
    reg_covar: float = 1e-6

    families_: dict[str, str] = field(init=False)

    @property
    def _kind(self) -> TableKind:
        return TableKind(self.components, self.categories, self.unknown, self.prior, self.reg_covar)

    def _write(self, mixing: Mixing) -> None:
        product, names = mixing.components, self._names
        self.families_ = dict(zip(names, product.plan.coding.words, strict=True))
        for part, place in zip(product.parts, product.places, strict=True):
            if isinstance(part, DenseNormals | ColumnNormals):
                columns = tuple(names[j] for j in place)
                warn_collapsed(replace(mixing, components=part), columns, "another family, or a prior")
            if isinstance(part, FamilyColumn):
                _warn_narrow(part, mixing.weights, names[place[0]])
        _warn_identical(mixing)


def _warn_narrow(part: FamilyColumn, weights: np.ndarray, name: str) -> None:
    """Name components of a class of distributions that sit on one value."""
    narrow = [f"component {k} (weight {weights[k]:.3g})" for k in part.collapsed if weights[k] > 0]
    if narrow:
        more = f" and {len(narrow) - 4} more" if len(narrow) > 4 else ""
        warn(
            f"The mixture collapses: a floor holds up the standard deviation of {'; '.join(narrow[:4])}{more} along "
            f"{name!r}, which sits on equal values: choose fewer components, or a family of counts or categories.",
            AtBound,
        )


def _warn_identical(mixing: Mixing) -> None:
    """Name two components that are the same, which no step can ever tell apart."""
    alone = [mixing.components.ordered(np.array([k])).parts for k in range(mixing.n_components)]
    for a, b in combinations(np.flatnonzero(mixing.weights > 0).tolist(), 2):
        if same(alone[a], alone[b]):
            warn(
                f"Components {a} and {b} are identical, and steps never part such components: choose fewer, or another "
                "init_params or random_state.",
                NoInformation,
            )
            return
