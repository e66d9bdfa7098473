"""Normal components that have collapsed, in words."""

from __future__ import annotations

import numpy as np

from suffice._core.errors import AtBound, warn
from suffice.mixtures._shell.mixing import Mixing


def warn_collapsed(
    mixing: Mixing, names: tuple[str, ...], ways: str = "a simpler covariance_type, or a prior"
) -> None:
    """Name components that vary somewhere no more than the floor, or what regularization adds, makes them."""
    normals, rule = mixing.components, mixing.components.rule
    if rule.least is None or rule.shape.name == "identity":
        return
    values, columns = normals.thinnest(np.sqrt(np.maximum(rule.least, rule.reg_covar)))
    thin = np.flatnonzero((values <= 1.5) & (mixing.weights > 0))
    if not len(thin):
        return
    places = [f"component {k} (weight {mixing.weights[k]:.3g}) along {names[columns[k]]!r}" for k in thin[:4]]
    shown = "; ".join(places) + (f" and {len(thin) - 4} more" if len(thin) > 4 else "")
    ways = f"choose fewer components, {ways}"
    where = "on a few rows, on equal rows, or on columns that are combinations of others"
    if rule.reg_covar > 0:
        text = (
            f"reg_covar={rule.reg_covar:g} makes up most of the variance of {shown}: lower it or rescale the columns, "
            f"unless such components sit {where}; then {ways}."
        )
    else:
        text = f"The mixture collapses: a floor holds up the variance of {shown}, which sits {where}: {ways}."
    warn(text, AtBound)
