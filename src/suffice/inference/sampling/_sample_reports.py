"""What draws of a sampler look like to others: a table, a line, sentences of warning, ArviZ's containers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from suffice._core.filters import heard, repeat_warnings
from suffice._core.frames import require
from suffice.inference.sampling import _mixing as mixing
from suffice.inference.sampling import diagnostics

if TYPE_CHECKING:
    from suffice.inference.sampling.samples import Samples

FEW, NEARLY_ALL = 0.05, 0.95  # shares of proposals taken
CRAWL = 0.1  # ESS per draw, below which a sampler that takes every proposal gets nowhere
ROWS = 20  # of a printed table


# -- numbers ---------------------------------------------------------------------------------------------
def columns(samples: Samples) -> dict[str, Any]:
    """One entry per coordinate in each column."""
    quantiles = samples.quantiles([0.025, 0.5, 0.975])
    return {
        "coordinate": list(samples.names or ()),
        "mean": samples.mean,
        "sd": samples.std,
        "mcse": samples.mcse,
        **dict(zip(("2.5 %", "50 %", "97.5 %"), quantiles, strict=True)),
        "ess": samples.ess,
        "ess_tail": samples.ess_tail,
        "r_hat": samples.r_hat,
    }


def line(samples: Samples) -> str:
    """Who drew, how many, and the worst figures."""
    many = samples.n_chains, samples.n_draws, samples.dim
    size = " × ".join(_count(n, word) for n, word in zip(many, ("chain", "draw", "coordinate"), strict=True))
    worst = "worst " if samples.dim > 1 else ""
    found = f"{worst}R̂ {_number(_worst(samples.r_hat), 3)}, ESS {_number(-_worst(-samples.ess), 0)}"
    return f"{samples.how}: {size}; {found}"


def table(samples: Samples) -> str:
    """The line, and a row per coordinate."""
    cells = {title: values[:ROWS] for title, values in columns(samples).items()}
    names = [name if len(name) <= 24 else f"{name[:12]}…{name[-11:]}" for name in cells.pop("coordinate")]
    rows = [[""] + list(cells)] + [
        [name, *(_cell(title, values[i]) for title, values in cells.items())] for i, name in enumerate(names)
    ]
    wide = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    text = ["  ".join([row[0].ljust(wide[0]), *map(str.rjust, row[1:], wide[1:])]) for row in rows]
    more = [f"… and {samples.dim - ROWS} more"] if samples.dim > ROWS else []
    return "\n".join([line(samples), *text, *more])


def _cell(title: str, value: float) -> str:
    digits = {"ess": 0, "ess_tail": 0, "r_hat": 3}
    return _number(value, digits[title]) if title in digits else f"{value:.4g}"


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if abs(value) < 1e6 else f"{value:.3g}"


def _count(n: int, word: str) -> str:
    return f"{n} {word}{'' if n == 1 else 's'}"


def _worst(values: np.ndarray) -> float:
    """The largest; NaN only where all are."""
    return float(np.fmax.reduce(values))


# -- sentences -------------------------------------------------------------------------------------------
def problems(samples: Samples, most_r_hat: float, ess_per_chain: float) -> Iterator[str]:
    """Reasons not to rely upon the draws, each with its figure and the next step."""
    if samples.n_draws < diagnostics.LEAST:
        yield (
            f"{_count(samples.n_draws, 'draw')} per chain cannot tell whether the chains have converged. "
            f"Draw at least {diagnostics.LEAST}, better some hundreds."
        )
        return
    stuck = np.flatnonzero((samples.draws == samples.draws[:, :1]).all(axis=(1, 2)))
    if len(stuck):
        yield _stuck(samples, stuck)
        return
    yield from _disagreement(samples, most_r_hat)
    yield from _too_few(samples, ess_per_chain)
    if samples.accepted is not None:
        yield from _acceptance(samples)


def _stuck(samples: Samples, chains: np.ndarray) -> str:
    which = (
        _count(len(chains), "chain") if len(chains) > 6 else f"Chain{'s' * (len(chains) > 1)} {_list(chains)}"
    )
    return (
        f"{which} of {samples.n_chains} never moved: all {samples.n_draws} draws are the same. "
        "Propose shorter steps, or begin elsewhere: all chains share their steps, and one that begins far out, or a "
        "coordinate of a much smaller scale, makes them too long for the others."
    )


def _disagreement(samples: Samples, most: float) -> Iterator[str]:
    single = samples.n_chains == 1
    found = _halved(samples) if single else samples.r_hat
    worst = int(np.argmax(np.where(np.isnan(found), -np.inf, found)))
    if not found[worst] > most:
        return
    who = "the halves of the only chain disagree" if single else "the chains disagree"
    yield (
        f"R̂ of {_named(samples, worst, found > most)} is {_number(found[worst], 4)}, above {most:g}: {who}. "
        "Draw longer or burn in longer, begin elsewhere, and look at suffice.plots.chain_trace."
    )


def _halved(samples: Samples) -> np.ndarray:
    """R̂ of a single chain, from its halves."""
    halves = lambda x: mixing.ranked(mixing.halves(x))  # noqa: E731
    with np.errstate(invalid="ignore", divide="ignore"):
        return diagnostics.each(lambda x: mixing.agreement(r := halves(x), mixing.scores(r)), samples.draws)


def _too_few(samples: Samples, per_chain: float) -> Iterator[str]:
    found = np.fmin(samples.ess, samples.ess_tail)
    needed = per_chain * samples.n_chains
    worst = int(np.argmin(np.where(np.isnan(found), np.inf, found)))
    if found[worst] < needed:
        which = "bulk" if samples.ess[worst] <= samples.ess_tail[worst] else "tail"
        yield (
            f"The effective sample size ({which}) of {_named(samples, worst, found < needed)} is {found[worst]:.0f} "
            f"out of {samples.n_chains * samples.n_draws} draws; {needed:.0f} are wanted. "
            f"Draw about {np.ceil(needed / found[worst]):.0f} times as many, or find a better proposal."
        )


def _acceptance(samples: Samples) -> Iterator[str]:
    rates = samples.acceptance_rate
    low, high = int(np.argmin(rates)), int(np.argmax(rates))
    if rates[low] < FEW:
        yield (
            f"Chain {low} took {100 * rates[low]:.1f} % of its proposals: its steps are too long. "
            "Propose shorter ones (a smaller covariance), begin nearer to the bulk, or raise burn_in."
        )
    per_draw = np.fmin.reduce(samples.ess) / (samples.n_chains * samples.n_draws)
    if rates[high] > NEARLY_ALL and per_draw < CRAWL:
        yield (
            f"Chain {high} took {100 * rates[high]:.1f} % of its proposals and yet its draws hardly differ: its steps "
            "are too short, or the density has no end (is it proper?). Propose longer ones, or raise burn_in."
        )


def _named(samples: Samples, worst: int, bad: np.ndarray) -> str:
    others = int(np.count_nonzero(bad)) - 1
    also = f" (and {_count(others, 'other')} of {samples.dim} coordinates)" if others else ""
    return f"{(samples.names or ())[worst]!r}{also}"


def _list(numbers: np.ndarray) -> str:
    *rest, last = (str(n) for n in numbers)
    return f"{', '.join(rest)} and {last}" if rest else last


# -- ArviZ -----------------------------------------------------------------------------------------------
def to_arviz(samples: Samples) -> Any:
    """InferenceData or DataTree, by what is installed."""
    with heard() as said:
        az = require("arviz")
    # it announces its own next version
    repeat_warnings([w for w in said if not issubclass(w.category, FutureWarning)])
    posterior = {name: samples.draws[:, :, j] for j, name in enumerate(samples.names or ())}
    kept = {"lp": samples.log_density, "accepted": samples.accepted}
    groups = {"posterior": posterior, "sample_stats": {k: v for k, v in kept.items() if v is not None}}
    groups = {group: values for group, values in groups.items() if values}
    first = int(az.__version__.partition(".")[0])
    return az.from_dict(groups) if first >= 1 else az.from_dict(**groups)
