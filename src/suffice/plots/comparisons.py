"""Dots with intervals, row by row: models, weights, differences of models; and how probable each model is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from suffice._core.errors import InvalidInput
from suffice.evaluation import Finding, Validation
from suffice.evaluation.evidence import EvidenceComparison
from suffice.evaluation.findings import chance, number, percent
from suffice.evaluation.setups import SETUPS, Comparison
from suffice.plots._labels import cut, finite, subtitle
from suffice.plots._several import check_record
from suffice.plots._style import BLUE, INK, MUTED, PALE, axes, legend, note_at, plain
from suffice.plots.fits import HUES

ROW = 0.34


def comparison(
    validations: Mapping[str, Validation],
    *,
    baseline: str | None = None,
    best: str | None = None,
    ax: Any = None,
) -> Any:
    """The loss of each model with its interval; the baseline is a dashed line, `best` stands out.

    Examples
    --------
    >>> from suffice import baselines, datasets, evaluation, linear, plots
    >>> data = datasets.olympic_100m_men()
    >>> models = {"mean": baselines.MeanRegressor(), "line": linear.LinearRegression()}
    >>> results = {name: evaluation.cross_validate(m, data.X, data.y) for name, m in models.items()}
    >>> ax = plots.comparison(results, baseline="mean")
    """
    if not validations:
        raise InvalidInput("There are no validations to compare.")
    for role, name in (("baseline", baseline), ("best", best)):
        if name is not None and name not in validations:
            raise InvalidInput(f"{role} must be one of {list(validations)}; got {name!r}.")
    first = next(iter(validations.values()))
    ax = axes(
        ax,
        x=f"{first.loss} loss on rows not seen, {100 * first.confidence:g} % interval",
        **_tall(validations),
    )
    if baseline is not None:
        ax.axvline(validations[baseline].estimate, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    for i, (name, v) in enumerate(validations.items()):
        low, high = v.interval or (v.estimate, v.estimate)
        _row(ax, i, v.estimate, low, high, MUTED if name == baseline else BLUE, best is None or name == best)
    _rows(ax, list(validations), bold=best)
    return ax


def coefficients(summary: Any, *, most: int = 30, label: str = "weight", ax: Any = None) -> Any:
    """Weights with their intervals, in the order of the columns; those whose interval excludes zero are filled.

    `summary` has `term`, `estimate`, `low` and `high`, as `LinearRegression.summary()` does. A first term
    "intercept" is left out, and so are all but the `most` largest weights. Where there is a function per class, as in
    `SoftmaxRegression.summary()`, a column has one row with a dot for each of up to seven classes.

    Examples
    --------
    >>> from suffice import datasets, linear, plots
    >>> data = datasets.diabetes()
    >>> ax = plots.coefficients(linear.LinearRegression(standardize=True).fit(data.X, data.y).summary())
    """
    if 1 < len(set(getattr(summary, "function", ()))) <= len(HUES):
        return _by_class(summary, most, label, ax)
    owners = getattr(summary, "function", ()) or ("",) * len(summary.term)
    constants = {"intercept", *(f"{c}: intercept" for c in owners if c)}
    heads = [i == 0 or owners[i] != owners[i - 1] for i in range(len(owners))]
    weights = np.flatnonzero([not (h and t in constants) for h, t in zip(heads, summary.term, strict=True)])
    if not len(weights):
        raise InvalidInput("There are no weights to draw.")
    largest = weights[np.argsort(-np.abs(np.asarray(summary.estimate))[weights], kind="stable")[:most]]
    shown = np.sort(largest)
    more = "" if len(shown) == len(weights) else f", the {len(shown)} largest of {len(weights)}"
    ax = axes(ax, x=label + more, **_tall(shown))
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    for i, j in enumerate(shown):
        w, low, high = summary.estimate[j], summary.low[j], summary.high[j]
        sure = low > 0 or high < 0
        _row(ax, i, w, low, high, BLUE if sure or np.isnan(low) else MUTED, sure)
    _rows(ax, [summary.term[j] for j in shown])
    return ax


def forest(
    findings: Comparison | Finding | Iterable[Finding] | Mapping[str, Finding],
    *,
    label: str = "effect",
    ax: Any = None,
) -> Any:
    """Effects with their intervals, a line at zero, and p-values beside; filled where the interval excludes zero.

    A `Comparison` has a row for each pair, with p-values after Holm's correction where there are several; left of zero
    the first of a pair is better. Findings are named by themselves or by a mapping; `label` says what their effects
    are.

    Examples
    --------
    >>> from suffice import datasets, evaluation, linear, plots
    >>> data = datasets.diabetes()
    >>> models = {"ols": linear.LinearRegression(), "ridge": linear.Ridge(100.0)}
    >>> result = evaluation.two_layer(models, data.X, data.y, outer=5)
    >>> ax = plots.forest(result.compare(setup="II"))
    >>> [name.get_text() for name in ax.get_yticklabels()]
    ['ols − ridge', 'ols − baseline', 'ridge − baseline']
    """
    named, p_values, head = _effects(findings)
    levels = {percent(f.confidence) for f in named.values() if f.interval is not None}
    if isinstance(findings, Comparison):
        label = f"difference of {findings.loss} loss"
    ax = axes(ax, x=", ".join([label, *(f"{level} interval" for level in sorted(levels))]), **_tall(named))
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    for i, f in enumerate(named.values()):
        low, high = finite(f.interval or (np.nan, np.nan))
        _row(ax, i, f.estimate, low, high, BLUE, bool(low > 0 or high < 0))
    _rows(ax, list(named))
    _words_at_right(
        ax, head, ["" if p is None else chance(p).removeprefix("p ").removeprefix("= ") for p in p_values]
    )
    if isinstance(findings, Comparison):
        scope = SETUPS[findings.setup].partition(" (")[0]
        subtitle(ax, f"Setup {findings.setup}, {scope}; below zero the first is better")
    return ax


def evidence(found: EvidenceComparison, *, ax: Any = None) -> Any:
    """Posterior probabilities of models as bars; beside them the log Bayes factor against the best, in words too.

    Examples
    --------
    >>> from suffice import bases, datasets, evaluation, linear, plots
    >>> data = datasets.sinusoid_10()
    >>> models = {
    ...     f"order {m}": linear.BayesianLinearRegression(0.005, noise_precision=11.1, basis=bases.Polynomial(m)).fit(
    ...         data.X, data.y
    ...     )
    ...     for m in (1, 3, 9)
    ... }
    >>> ax = plots.evidence(evaluation.compare_evidence(models))
    """
    check_record(found, EvidenceComparison)
    ax = axes(ax, x="posterior probability", **_tall(found.names))
    places = np.arange(len(found.names))
    colors = [BLUE if name == found.best else PALE for name in found.names]
    ax.barh(places, found.probabilities, height=0.62, color=colors)
    words = zip(found.log_bayes_factors, found.kass_raftery, strict=True)
    _rows(ax, list(found.names), bold=found.best)
    ax.set_xlim(0, 1)
    labels = [
        word if word == "best" else f"{number(factor)}: {word}".replace("-", "−", 1) for factor, word in words
    ]
    _words_at_right(ax, "log Bayes factor, evidence against it", labels)
    return ax


def _by_class(summary: Any, most: int, label: str, ax: Any) -> Any:
    """A row per column, in it a dot per class; columns are as large as their largest weight."""
    classes = list(dict.fromkeys(summary.function))
    terms = [t.removeprefix(f"{c}: ") for t, c in zip(summary.term, summary.function, strict=True)]
    names = terms[: len(terms) // len(classes)]
    first = int(names[0] == "intercept")
    if not names[first:]:
        raise InvalidInput("There are no weights to draw.")
    w, low, high = (np.reshape(v, (len(classes), -1)) for v in (summary.estimate, summary.low, summary.high))
    order = np.argsort(-np.abs(w[:, first:]).max(axis=0), kind="stable")[:most] + first
    shown = np.sort(order)
    more = "" if len(shown) == len(names) - first else f", the {len(shown)} largest of {len(names) - first}"
    tall = max(len(shown) * max(len(classes) / 2, 1.0), 2)
    ax = axes(ax, x=label + more, grid="x", size=(6.4, 1.2 + ROW * tall))
    ax.axvline(0, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
    for c, (name, color) in enumerate(zip(classes, HUES, strict=False)):
        for i, j in enumerate(shown):
            at = i + 0.7 * ((c + 0.5) / len(classes) - 0.5)
            _row(ax, at, w[c, j], low[c, j], high[c, j], color, bool(low[c, j] > 0 or high[c, j] < 0))
        ax.plot([], [], "o-", color=color, label=cut(name, 24))
    _rows(ax, [names[j] for j in shown])
    legend(ax)
    return ax


# -- rows from the top down ----------------------------------------------------------------------------
def _tall(items: Any) -> dict[str, Any]:
    return {"grid": "x", "size": (6.4, 1.0 + ROW * max(len(items), 2))}


def _row(ax: Any, i: float, at: float, low: float, high: float, color: str, filled: bool) -> None:
    ax.plot([low, high], [i, i], color=color, linewidth=2.2, alpha=0.45, solid_capstyle="round", zorder=2)
    face = color if filled else "white"
    ax.plot(
        at, i, "o", markersize=7, markerfacecolor=face, markeredgecolor=color, markeredgewidth=1.6, zorder=3
    )


def _rows(ax: Any, names: list[str], bold: str | None = None) -> None:
    ax.set_yticks(range(len(names)), [plain(name) for name in names])
    for tick, name in zip(ax.get_yticklabels(), names, strict=True):
        tick.set(color=INK, fontweight="bold" if name == bold else "normal", fontsize=9.5)
    ax.set_ylim(len(names) - 0.4, -0.6)


def _words_at_right(ax: Any, head: str, words: list[str]) -> None:
    """A column of words right of the axes, under a heading."""
    look: dict[str, Any] = {"annotation_clip": False, "va": "center"}
    if any(words):
        note_at(ax, head, (1, 1), (10, 5), xycoords="axes fraction", **look)
    for i, word in enumerate(words):
        note_at(ax, word, (1, i), (10, 0), xycoords=("axes fraction", "data"), color=INK, **look)


# -- findings ------------------------------------------------------------------------------------------
def _effects(findings: Any) -> tuple[dict[str, Finding], list[float | None], str]:
    """Findings by name, p-values, and what these are."""
    if isinstance(findings, Comparison):
        named = {
            f"{cut(a)} − {cut(b)}": f for (a, b), f in zip(findings.pairs, findings.findings, strict=True)
        }
        return named, [float(p) for p in findings.adjusted], "p (Holm)" if len(named) > 1 else "p"
    named = _by_name(findings)
    if not named:
        raise InvalidInput("There are no findings to draw.")
    for name, f in named.items():
        if not isinstance(f, Finding):
            raise InvalidInput(f"This figure draws findings; got {type(f).__name__} under {name!r}.")
    return named, [f.p_value for f in named.values()], "p"


def _by_name(findings: Any) -> dict[str, Any]:
    """As given, or by the name of each finding; equal names are numbered."""
    if isinstance(findings, Mapping):
        return {str(name): f for name, f in findings.items()}
    listed = [findings] if isinstance(findings, Finding) else list(findings)
    names = [str(getattr(f, "name", i)) for i, f in enumerate(listed)]
    return {
        name if names.count(name) == 1 else f"{name} {names[:i].count(name) + 1}": f
        for i, (name, f) in enumerate(zip(names, listed, strict=True))
    }
