"""From a linear predictor to a mean, and from weights with an uncertainty to a probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput, as_numbers, check_number
from suffice.plots._labels import cut
from suffice.plots._style import INK, MUTED, axes, legend
from suffice.plots.fits import DASHED, HUES, STROKES

WAYS = {  # of integrating over the weights, or not: color and stroke
    "plug_in": (MUTED, "-"),
    "probit": (HUES[0], STROKES[1]),
    "quadrature": (HUES[1], "-"),
    "sampled": (HUES[2], ":"),
}


def link_functions(likelihoods: Any, *, low: float = -5.0, high: float = 5.0, ax: Any = None) -> Any:
    """The mean that belongs to each value of the linear predictor, one curve per likelihood (FCML Fig. 4.2).

    Parameters
    ----------
    likelihoods
        By name: likelihoods, links, or functions from a to the mean. A single one needs no name.
    low, high
        Ends of a.

    Examples
    --------
    >>> from suffice import plots
    >>> from suffice.likelihoods import BernoulliLogit, BernoulliProbit
    >>> ax = plots.link_functions({"logit": BernoulliLogit(), "probit": BernoulliProbit()})
    """
    named = likelihoods if isinstance(likelihoods, Mapping) else {type(likelihoods).__name__: likelihoods}
    check_number("low", low)
    check_number("high", high)
    if not named or not low < high:
        raise InvalidInput(f"There is nothing to draw: {len(named)} functions between {low:g} and {high:g}.")
    ax = axes(ax, x="a", y="E[y | a]")
    a = np.linspace(low, high, 401)
    for i, (name, of) in enumerate(named.items()):
        mean = np.asarray(_inverse(of)(a), dtype=float)
        if mean.shape != a.shape:
            raise InvalidInput(f"{name!r} has no single mean: it gave shape {mean.shape} for {a.shape}.")
        stroke = STROKES[i // len(HUES) % len(STROKES)]
        ax.plot(a, mean, color=HUES[i % len(HUES)], linestyle=stroke, linewidth=1.8, label=cut(name, 24))
    ax.set_xlim(low, high)
    legend(ax)
    return ax


def _inverse(of: Any) -> Callable[[np.ndarray], Any]:
    """a → mean: a likelihood's `mean`, a link's `inverse`, or the function itself."""
    found = getattr(of, "mean", None) or getattr(of, "inverse", None) or of
    if not callable(found):
        raise InvalidInput(f"A likelihood, a link or a function is drawn; got {of!r:.60}.")
    return found


def prediction_comparison(found: Any, x: Any = None, *, label: str = "x", ax: Any = None) -> Any:
    """Probabilities by plug-in, probit approximation, quadrature and sampling, along x or against the plug-in ones.

    Parameters
    ----------
    found
        A record with `plug_in`, `probit`, `quadrature` and `sampled`, one number per row each; those that are missing
        or None are left out.
    x
        A number per row to draw along. Without it the others are drawn against the plug-in probability: what
        integrates over the weights lies nearer to one half.
    label
        Of that axis.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from suffice import plots
    >>> found = SimpleNamespace(plug_in=[0.5, 0.7, 0.9], probit=[0.5, 0.67, 0.83], quadrature=[0.5, 0.67, 0.84])
    >>> ax = plots.prediction_comparison(found, [0.0, 1.0, 3.0])
    """
    given = {name: getattr(found, name, None) for name in WAYS}
    known = {name: as_numbers(name, p) for name, p in given.items() if p is not None}
    if "plug_in" not in known:
        raise InvalidInput(f"This figure draws a record with plug_in; got {type(found).__name__}.")
    n = known["plug_in"].shape
    at = known["plug_in"] if x is None else as_numbers("x", x)
    for name, values in {**known, "x": at}.items():
        if values.ndim != 1 or values.shape != n:
            raise InvalidInput(f"{name} must be one number per row, {n}; got shape {values.shape}.")
    ax = axes(ax, x="plug-in probability" if x is None else label, y="probability")
    order = np.argsort(at, kind="stable")
    for name, values in known.items():
        (color, stroke), label = WAYS[name], name.replace("_", "-")
        if x is not None:
            ax.plot(
                at[order],
                values[order],
                color=color,
                linestyle=stroke,
                linewidth=1.8,
                label=label,
            )
        elif name != "plug_in":
            ax.plot(at, values, "o", color=color, markersize=4, alpha=0.7, label=label)
    if x is None:
        ax.plot([0, 1], [0, 1], color=INK, linewidth=1, linestyle=DASHED)
    ax.set_ylim(-0.02, 1.02)
    legend(ax)
    return ax
