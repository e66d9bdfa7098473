"""Sections to one HTML page: templates print the records, in which everything from the data is escaped.

The page needs nothing else and reaches nothing else: style, script and figures are in it, and its own policy allows
that one script, by hash, and no address outside.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from suffice._core.frames import require
from suffice._core.showing import visible
from suffice.study import numbers
from suffice.study.dates import in_words
from suffice.study.numbers import chance
from suffice.study.page.drawing import DARK, FONT, LIGHT, Figure, variables
from suffice.study.page.driver_figures import drivers_shown
from suffice.study.page.figures import figures
from suffice.study.page.order import parts
from suffice.study.page.prediction_figures import MOST_IN_TABLE
from suffice.study.page.shown import (
    MOST,
    MOST_OPEN,
    SHOWN_FINDINGS,
    corrected,
    counted,
    each_against,
    ends,
    how_tested,
    parameters,
    setting,
    show_interval,
    thresholds,
    tiles,
    value,
)

if TYPE_CHECKING:
    from suffice.study.result import StudyResult


def render(result: StudyResult, drawn: Mapping[str, Figure] | None = None) -> str:
    """The whole page."""
    environment, script = _environment(), _part("page.js")
    markup = require("markupsafe").Markup
    shown = figures(result) if drawn is None else drawn
    return environment.get_template("report.html.j2").render(
        result=result,
        figures=shown,
        drawings={name: markup(figure.inline()) for name, figure in shown.items()},
        style=markup(_style()),
        script=markup(script),
        policy=_policy(script),
        parts=parts(result, shown),
        made=in_words(result.appendix.made),
        drivers=drivers_shown(result),
        most=MOST,
        most_open=MOST_OPEN,
        shown_findings=SHOWN_FINDINGS,
        most_in_table=MOST_IN_TABLE,
        thresholds=thresholds(result),
        tiles=tiles(result),
    )


@cache
def _environment() -> Any:
    """Templates, compiled once; what they print is escaped, and what they miss is an error."""
    jinja2 = require("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("suffice.study.page", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters |= {
        "number": numbers.number,
        "span": numbers.span,
        "percent": numbers.percent,
        "chance": chance,
        "value": value,
        "known": show_interval,
        "counted": counted,
        "parameters": parameters,
        "setting": setting,
        "ends": ends,
        "corrected": corrected,
        "how_tested": how_tested,
        "each_against": each_against,
        "json": json.dumps,
    }
    return environment


def _part(name: str) -> str:
    return files("suffice.study.page").joinpath("templates", name).read_text(encoding="utf-8")


def _style() -> str:
    colors = (
        f":root {{ {variables(LIGHT)} --font: {FONT}; }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} "
        f".lit .chart {{ {variables(LIGHT)} }} }}\n"
    )
    return colors + _part("page.css")


def _policy(script: str) -> str:
    """Nothing from anywhere but this page, and of scripts this one only."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
