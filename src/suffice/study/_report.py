"""Sections to one HTML page: templates print the records, figures are drawn where a template asks for one."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from suffice import plots
from suffice._core.frames import require
from suffice.plots._style import svg
from suffice.study import _numbers
from suffice.study._registry import BASELINE

if TYPE_CHECKING:
    from suffice.study.result import StudyResult


# -- figures: (draw on axes, size in inches) -----------------------------------------------------------
def _comparison(r: StudyResult) -> tuple[Callable[[Any], Any], tuple[float, float]]:
    best = r.comparison.of(r.comparison.best).title
    draw = lambda ax: plots.comparison(r.validations, baseline=BASELINE.title, best=best, ax=ax)  # noqa: E731
    return draw, (7.2, 1.0 + 0.36 * max(len(r.validations), 2))


def _effects(r: StudyResult) -> tuple[Callable[[Any], Any], tuple[float, float]]:
    effects = r.chosen.effects
    assert effects is not None
    label = f"change in {r.data_sheet.target} for one standard deviation of the column"
    draw = lambda ax: plots.coefficients(effects, label=label, ax=ax)  # noqa: E731
    return draw, (7.2, 1.0 + 0.32 * min(max(len(effects.term), 2), 30))


def _curve(r: StudyResult) -> tuple[Callable[[Any], Any], tuple[float, float]]:
    y = require("polars").Series(r.data_sheet.target, r.data.y)
    level = r.chosen.confidence
    return lambda ax: plots.predictive(r.model, r.data.X, y, level=level, ax=ax), (7.2, 3.9)


def _agreement(r: StudyResult) -> tuple[Callable[[Any], Any], tuple[float, float]]:
    h, level = r.heldout, r.predictive.level
    return lambda ax: plots.agreement(h.observed, h.predicted, h.low, h.high, level=level, ax=ax), (5.0, 4.5)


def _residuals(r: StudyResult) -> tuple[Callable[[Any], Any], tuple[float, float]]:
    return lambda ax: plots.residuals(r.heldout.observed, r.heldout.predicted, ax=ax), (5.0, 4.5)


FIGURES = {
    "comparison": _comparison,
    "effects": _effects,
    "curve": _curve,
    "agreement": _agreement,
    "residuals": _residuals,
}


def figure(result: StudyResult, name: str) -> str:
    """One figure as a data address."""
    draw, size = FIGURES[name](result)
    return "data:image/svg+xml;base64," + b64encode(svg(draw, size)).decode("ascii")


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
    for name in ("number", "span", "within", "percent", "decimals"):
        environment.filters[name] = getattr(_numbers, name)
    page = environment.get_template("report.html.j2")
    return page.render(result=result, figure=lambda name: figure(result, name))
