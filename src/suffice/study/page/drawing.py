"""A matplotlib figure as SVG that follows the page: colours are CSS variables, dots have tooltips.

matplotlib writes colours as #rrggbb. Those of the library's palette become `var(--name, #rrggbb)`, so that one drawing
serves light and dark, on the page (which sets the variables) and as a file of its own (which brings them along).
Letters stay letters in the reader's own font, so that names in any script can be read. Nothing from the data reaches
the SVG as markup: names and tooltips are text nodes, comments are dropped.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

from suffice._core.filters import heard, repeat_warnings
from suffice._core.frames import require
from suffice._core.showing import visible
from suffice.plots import _style

SVG, LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
WIDE, MIDDLE, HALF = 5.6, 5.2, 4.2  # inches, of a figure alone and of one of a pair
SCALE = 1.62  # pixels to a point, at most
LETTER = 5.2  # points, mean width of a letter
REACH = 6.0  # points around a dot that show its tooltip
LIGHT = {
    "ink": _style.INK,
    "soft": _style.MUTED,
    "rule": _style.RULE,
    "blue": _style.BLUE,
    "orange": _style.ORANGE,
    "green": _style.GREEN,
    "pale": _style.PALE,
    "paper": "#ffffff",
}
DARK = {
    "ink": "#e4e9ee",
    "soft": "#a3b1bf",
    "rule": "#303a44",
    "blue": "#63b8ea",
    "orange": "#f0883a",
    "green": "#45c79c",
    "pale": "#23475c",
    "paper": "#14191f",
}
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif'
FAMILY = re.compile(r"font-family:[^;]*;? ?")
DIGITS = re.compile(r"(\.\d\d)\d+")  # a hundredth of a point is enough
NAMES = {color: name for name, color in LIGHT.items()}

Draw = Callable[[Any], Any]
Spot = tuple[float, float, str]


@dataclass(frozen=True)
class Figure:
    """A drawing, what it shows in words for those who cannot see it, and what stands below it.

    `lit` figures are pictures of shades, which stay on white paper in the dark too.
    """

    name: str
    tree: Any
    alt: str
    caption: str
    lit: bool = False
    half: bool = False

    def inline(self) -> str:
        """For an HTML page, which sets the colours."""
        widest = f"max-width: {SCALE * float(self.tree.attrib['viewBox'].split()[2]):.0f}px"
        attributes = {"role": "img", "aria-label": self.alt, "class": "chart", "style": widest}
        return _written(self.tree, attributes, page=True)

    def file(self) -> str:
        """A file of its own, in light and dark."""
        dark = "" if self.lit else f"@media (prefers-color-scheme: dark) {{ svg {{ {variables(DARK)} }} }}"
        paper = " background: #fff;" if self.lit else ""
        light = f"svg {{ {variables(LIGHT)}{paper} }}"
        style = f"* {{ stroke-linejoin: round; }} text {{ font-family: {FONT}; fill: var(--ink); }} {light} {dark}"
        return _written(self.tree, {"role": "img", "aria-label": self.alt}, page=False, style=style)


def variables(palette: dict[str, str]) -> str:
    """CSS that sets the colours."""
    return " ".join(f"--{name}: {color};" for name, color in palette.items())


def printable(text: object) -> str:
    """A name in characters that fonts and XML have: others are written as escapes."""
    return visible(str(text))


def brief(text: object, most: int) -> str:
    """A name in few letters, without its middle: columns often differ only in the last ones."""
    words = printable(" ".join(str(text).split()))
    return words if len(words) <= most else words[: most - most // 2 - 1] + "…" + words[-(most // 2) :]


def draw(name: str, paint: Draw, size: tuple[float, float]) -> Any:
    """What `paint(ax)` draws, as a tree of SVG; where it returns spots (x, y, words), these are tooltips."""
    matplotlib = require("matplotlib")
    from matplotlib.figure import Figure as Canvas

    figure, out = Canvas(figsize=size, layout="constrained"), io.BytesIO()
    ax = figure.subplots()
    with (
        _style.alone,
        heard() as caught,
        matplotlib.rc_context({"svg.hashsalt": "suffice", "svg.fonttype": "none"}),
    ):
        spots = list(paint(ax) or ())
        _write_ticks(ax)
        _keep_label_inside(ax, 72 * size[0])
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    repeat_warnings(
        [w for w in caught if "missing from" not in str(w.message)]
    )  # measured with one font, shown in another
    root = ET.fromstring(printable(out.getvalue().decode("utf-8", "replace")))
    _cleaned(root, name)
    _add_spots(root, ax, spots)
    return root


def _write_ticks(ax: Any) -> None:
    """Numbers beside the axes in the format of the page: 20,190 and 1896; at places that the layout cannot move."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, ScalarFormatter

    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_formatter(), ScalarFormatter) and axis.get_scale() == "linear":
            low, high = sorted(axis.get_view_interval())
            axis.set_major_locator(FixedLocator([t for t in axis.get_majorticklocs() if low <= t <= high]))
            if 1e4 <= max(abs(low), abs(high)) < 1e7:
                axis.set_major_formatter(FuncFormatter(lambda value, _: _written_tick(value)))


def _keep_label_inside(ax: Any, width: float) -> None:
    """A long label below axes that long names have made narrow ends with the axes, and runs to the left."""
    names = max((len(part) for t in ax.get_yticklabels() for part in t.get_text().split("\n")), default=0)
    if LETTER * len(ax.get_xlabel()) > width - LETTER * names:
        ax.xaxis.label.set(x=1.0, horizontalalignment="right")


def _written_tick(value: float) -> str:
    text = f"{value:,.10g}" if abs(value) >= 1e4 else f"{value:.10g}"
    return text.replace("-", "−")


# -- the tree ---------------------------------------------------------------------------------------------
def _cleaned(root: Any, name: str) -> None:
    """Without what a page sets itself: metadata, style, size and font."""
    for child in list(root):
        if child.tag == f"{{{SVG}}}metadata" or child.find(f"{{{SVG}}}style") is not None:
            root.remove(child)
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    for node in root.iter():
        _renamed(node, name)
        node.tail = None
        if node.text is not None and not node.text.strip():
            node.text = None
        for attribute in {"d", "x", "y", "transform"}.intersection(node.attrib):
            node.set(attribute, DIGITS.sub(r"\1", node.attrib[attribute]))
        if "style" in node.attrib:
            node.set("style", _themed(node.attrib["style"]))


def _renamed(node: Any, name: str) -> None:
    """Names of parts are unique on a page of several figures; links use today's attribute."""
    if node.tag == f"{{{SVG}}}g":
        node.attrib.pop("id", None)
    if "id" in node.attrib:
        node.set("id", f"{name}-{node.attrib['id']}")
    link = node.attrib.pop(f"{{{LINK}}}href", None)
    if link is not None:
        node.set("href", f"#{name}-{link[1:]}" if link.startswith("#") else link)
    clip = node.attrib.get("clip-path")
    if clip is not None:
        node.set("clip-path", clip.replace("url(#", f"url(#{name}-"))


def _themed(style: str) -> str:
    def variable(match: re.Match[str]) -> str:
        color = match.group(0).lower()
        return f"var(--{NAMES[color]}, {color})" if color in NAMES else color

    return re.sub(r"#[0-9a-fA-F]{6}\b", variable, FAMILY.sub("", style))


def _add_spots(root: Any, ax: Any, spots: Iterable[Spot]) -> None:
    """Transparent discs with words, over everything else."""
    height, scale = float(root.attrib["viewBox"].split()[3]), 72 / ax.figure.dpi
    group = ET.SubElement(root, f"{{{SVG}}}g", {"class": "spots", "fill": "transparent"})
    for x, y, words in spots:
        across, up = ax.transData.transform((x, y)) * scale
        place = {"cx": f"{across:.1f}", "cy": f"{height - up:.1f}", "r": f"{REACH:g}"}
        ET.SubElement(ET.SubElement(group, f"{{{SVG}}}circle", place), f"{{{SVG}}}title").text = printable(
            words
        )


def _written(root: Any, attributes: dict[str, str], *, page: bool, style: str = "") -> str:
    """The tree as text; a page needs no names of namespaces."""
    ET.register_namespace("", SVG)
    top = ET.Element(root.tag, {**root.attrib, **attributes})
    if style:
        ET.SubElement(top, f"{{{SVG}}}style").text = style
    top.extend(root)
    text = visible(ET.tostring(top, encoding="unicode"))
    return text.replace(f' xmlns="{SVG}"', "", 1) if page else text + "\n"
