"""A description as one page that needs nothing else: no network, no scripts, light or dark as the reader likes."""

from typing import Any

from suffice._core.frames import require
from suffice._core.showing import visible
from suffice.prepare.looking._lines import HEADS, different, line, shown
from suffice.prepare.looking.description import ColumnDescription

MOST_CORRELATED = 40


def page(found: Any, title: str) -> str:
    """The whole page; everything that comes from the table is escaped."""
    jinja2 = require("jinja2")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("suffice.cli", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.globals |= {"bars": bars, "line": line, "facts": facts, "shown": shown, "cell": cell}
    template = environment.get_template("description.html.j2")
    return template.render(found=found, title=title, heads=HEADS, most=MOST_CORRELATED)


def bars(c: ColumnDescription, width: float = 96.0, height: float = 24.0) -> list[dict[str, float]]:
    """The bars of a histogram, in units of the picture."""
    n, most = len(c.histogram), max(c.histogram, default=0)
    if not most:
        return []
    step = width / n
    tall = [height * count / most for count in c.histogram]
    return [
        {
            "x": round(j * step, 2),
            "y": round(height - t, 2),
            "w": round(max(step - 1, 0.5), 2),
            "h": round(t, 2),
        }
        for j, t in enumerate(tall)
    ]


def facts(c: ColumnDescription) -> list[tuple[str, str]]:
    """What the table has no room for."""
    a, out = c.attribute, []
    out.append(("Type", f"{a.kind}, {a.scale}, {a.continuity}. {a.why}"))
    out.append(("Different values", different(c)))
    if c.nan or c.infinite:
        out.append(("NaN, infinite", f"{c.nan:,}, {c.infinite:,}"))
    if c.quartiles is not None:
        error = f" (ranks within {100 * c.rank_error:.2g} %)" if c.rank_error else ""
        out.append(("Minimum, quartiles, maximum", " · ".join(shown(v, 32) for v in c.quartiles) + error))
    for name, value in (
        ("Skewness", c.skewness),
        ("Excess kurtosis", c.kurtosis),
        ("Coefficient of variation", c.variation),
    ):
        if value is not None and value == value:
            out.append((name, shown(value)))
    if c.lengths is not None:
        out.append(
            ("Length of texts", f"{c.lengths[0]:,} to {c.lengths[2]:,}, mean {shown(float(c.lengths[1]))}")
        )
    if c.top and c.mode_count > 1:
        error = f" (counts may be too small by {c.frequency_error:,.0f})" if c.frequency_error else ""
        out.append(("Most frequent", ", ".join(f"{shown(v, 40)} × {n:,}" for v, n in c.top) + error))
    return out


def cell(r: float) -> tuple[str, str]:
    """A correlation as text, and the strength of its color."""
    if r != r:
        return "–", "0"
    return f"{round(r, 2) + 0.0:.2f}".replace(
        "-", "−"
    ), f"{0.6 * abs(r):.2f}"  # ink stays readable on the color
