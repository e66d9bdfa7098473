"""Sections to one HTML page: templates print the records, figures are drawn where a template asks for one."""

from __future__ import annotations

from base64 import b64encode
from functools import partial
from typing import TYPE_CHECKING, Any

from suffice import plots
from suffice._core.frames import require
from suffice.plots._style import svg
from suffice.study import _numbers
from suffice.study._registry import BASELINE

if TYPE_CHECKING:
    from suffice.study.result import StudyResult


MOST_DOTS = 5000


def every(n: int) -> int:
    """One row in how many is drawn."""
    return -(-n // MOST_DOTS)


# -- figures: drawn on axes of a size in inches --------------------------------------------------------
def _comparison(r: StudyResult, ax: Any) -> None:
    named = {m.title: r.validations[m.name] for m in r.comparison.models}
    best = r.comparison.of(r.comparison.best).title
    plots.comparison(named, baseline=BASELINE.title, best=best, ax=ax)
    ax.set_xlim(left=max(0.0, ax.get_xlim()[0]))


def _effects(r: StudyResult, ax: Any) -> None:
    label = f"change in {r.data_sheet.target} for one standard deviation of the column"
    plots.coefficients(r.chosen.effects, label=label, ax=ax)


def _curve(r: StudyResult, ax: Any) -> None:
    y = require("polars").Series(r.data_sheet.target, r.data.y)
    plots.predictive(r.model, r.data.X, y, level=r.chosen.confidence, ax=ax)


def _agreement(r: StudyResult, ax: Any) -> None:
    h = r.heldout.thinned(every(r.predictive.n))
    plots.agreement(h.observed, h.predicted, h.low, h.high, level=r.predictive.level, ax=ax)


def _residuals(r: StudyResult, ax: Any) -> None:
    h = r.heldout.thinned(every(r.predictive.n))
    plots.residuals(h.observed, h.predicted, ax=ax)


FIGURES = {
    "comparison": _comparison,
    "effects": _effects,
    "curve": _curve,
    "agreement": _agreement,
    "residuals": _residuals,
}


def figure(result: StudyResult, name: str, width: float, height: float, rows: int = 0) -> str:
    """One figure as a data address; `rows` of dots make it taller."""
    image = svg(lambda ax: FIGURES[name](result, ax), (width, height + 0.29 * rows))
    return "data:image/svg+xml;base64," + b64encode(image).decode("ascii")


def render(result: StudyResult) -> str:
    """The whole page."""
    jinja2 = require("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("suffice.study", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals["every"] = every
    for name in ("number", "span", "within", "percent", "decimals"):
        environment.filters[name] = getattr(_numbers, name)
    page = environment.get_template("report.html.j2")
    return page.render(result=result, figure=partial(figure, result))
