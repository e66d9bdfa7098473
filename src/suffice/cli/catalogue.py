"""The catalogue of models as plain values, and how it is printed: a list of all, a card of one.

Candidates of `suffice.study.models` ─▶ card(candidate) ─▶ JSON as it is, `print_catalogue` or `print_card` for people
"""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

from sklearn.base import is_classifier

from suffice.cli.terminal import console, counted, plain_table

SAMPLE_ROWS = 1000  # of the table whose grid a card shows
MOST_VALUES = 4
GROUPS = ("Numbers and counts", "Labels", "From outside, for orientation")


def catalogue() -> dict[str, Any]:
    """Every candidate by name, the outside references last."""
    from suffice.study.models import CANDIDATES, CATALOGUE

    return {c.name: c for c in (*CATALOGUE, *CANDIDATES)}


def entry(c: Any) -> dict[str, Any]:
    """What the list tells of a model."""
    return {
        "name": c.name,
        "title": c.title,
        "description": c.description,
        "kind": c.kind,
        "needs": c.needs,
        "generative": c.generative,
        "tasks": [] if c.study is None else list(c.study.tasks),
        "for": places(c),
        "book": list(c.book),
        "class": class_of(c.build()),
    }


def card(c: Any) -> dict[str, Any]:
    """The same with its parameters, and the values that a study tries."""
    model = c.build()
    details = parameter_sentences(type(model))
    return entry(c) | {
        "about": paragraph(type(model)),
        "parameters": [
            {"name": name, "value": shown(value), "about": details.get(name, "")}
            for name, value in model.get_params(deep=False).items()
        ],
        "grid": grid(c),
        "grid_rows": SAMPLE_ROWS,
    }


def places(c: Any) -> list[str]:
    """Where the model can be used."""
    return [
        *(["study"] if c.study is not None else []),
        *(["fit"] if c.files else []),
        *(["Python"] if c.study is None and not c.files else []),
    ]


def class_of(model: Any) -> str:
    """Where to import the estimator from."""
    cls = type(model)
    rooms = [part for part in cls.__module__.split(".") if not part.startswith("_")]
    return ".".join([*rooms[:2], cls.__name__])


# -- what the estimator says ----------------------------------------------------------------------------------------
def paragraph(cls: type) -> str:
    """The first paragraph of its docstring."""
    return " ".join((inspect.getdoc(cls) or "").partition("\n\n")[0].split())


def parameter_sentences(cls: type) -> dict[str, str]:
    """The first sentence about each parameter, from the section `Parameters` of its docstring."""
    _, _, rest = (inspect.getdoc(cls) or "").partition("Parameters\n----------\n")
    section = re.split(r"\n\w[^\n]*\n-{3,}\n", rest)[0]
    found: dict[str, str] = {}
    for head, body in re.findall(r"^(\S[^\n]*)\n((?:[ \t]+[^\n]*\n?|\n(?=[ \t]))+)", section, re.M):
        sentence = first_sentence(body)
        for name in head.partition(":")[0].split(","):
            found[name.strip()] = sentence
    return found


def first_sentence(body: str) -> str:
    """Of a description: without lists, directives and the marks of reStructuredText."""
    lead = re.split(r"\n\s*(?=[-*] |\.\. )", "\n" + body)[0]
    sentence = re.split(r"(?<=\.)\s+(?=[A-Z\"`:])", " ".join(lead.split()))[0]
    plain = re.sub(r":\w+:`~?([^`<]*?)\s*(?:<[^`]*>)?`", r"\1", sentence).replace("``", "`")
    return re.sub(r"\s*:$", ".", plain)


def shown(value: Any) -> str:
    """A default as Python writes it, in one line."""
    return " ".join(repr(value).split())


# -- what a study tries ---------------------------------------------------------------------------------------------
def grid(c: Any) -> dict[str, list[Any]]:
    """Values of each parameter that a study chooses among, on a table of `SAMPLE_ROWS` rows."""
    if c.study is None:
        return {}
    found = c.study.grid(sample(c.study.tasks[0]))
    return {name: [plain(v) for v in values] for name, values in found.items()}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    value = value.item() if hasattr(value, "item") else value
    return value if value is None or isinstance(value, bool | int | float | str) else shown(value)


@cache
def sample(task: str) -> Any:
    """A problem of this task: four columns, a thousand rows."""
    import numpy as np

    from suffice._core.random import generator
    from suffice.study.options import Options
    from suffice.study.reading.problem import make_problem
    from suffice.study.reading.source import StudySource

    rng = generator(0)
    columns = {f"x{j}": rng.standard_normal(SAMPLE_ROWS) for j in range(4)}
    y = {
        "regression": rng.standard_normal(SAMPLE_ROWS),
        "counts": rng.poisson(3.0, SAMPLE_ROWS),
        "binary": np.array(["no", "yes"], dtype=object)[rng.integers(0, 2, SAMPLE_ROWS)],
        "multi-class": np.array(["a", "b", "c"], dtype=object)[rng.integers(0, 3, SAMPLE_ROWS)],
    }[task]
    return make_problem(StudySource(columns | {"y": y}, "sample", "a sample"), Options("y", task=task))


# -- printing -------------------------------------------------------------------------------------------------------
def print_catalogue() -> None:
    """A few lines per model: what it is, what it needs, where it is used, where the texts have it."""
    from rich.text import Text

    out, listed = console(), list(catalogue().values())
    for group in GROUPS:
        table = plain_table(("", ""), left=2)
        table.show_header = False
        for c in listed:
            if group_of(c) == group:
                table.add_row(Text(c.name, style="bold"), Text(f"{c.title}. {c.description}"))
                table.add_row("", Text(line(c), style="dim"))
        out.print(Text(group, style="bold green"))
        out.print(table)
        out.print()
    out.print(
        Text("suffice models NAME shows one of them: its parameters, and what a study tries.", style="dim")
    )


def group_of(c: Any) -> str:
    """The heading that a model stands under."""
    return GROUPS[2] if c.kind == "reference" else GROUPS[1] if is_classifier(c.build()) else GROUPS[0]


def line(c: Any) -> str:
    """Needs, kind, use and books in one line."""
    parts = [
        f"Needs {c.needs}" if c.needs else "",
        family(c),
        "for " + ", ".join(places(c)),
        ", ".join(c.book),
    ]
    return "; ".join(part for part in parts if part) + "."


def family(c: Any) -> str:
    """Generative models have a distribution of the columns too; discriminative ones only of the target."""
    return {True: "generative", False: "discriminative", None: c.kind}[c.generative]


def print_card(c: Any) -> None:
    """Everything about one model."""
    from rich.text import Text

    out, details = console(), card(c)
    out.print(Text(c.title, style="bold"), Text(details["class"], style="dim"))
    out.print(Text(c.description))
    if details["about"] and details["about"] != c.description:
        out.print(Text(details["about"]))
    out.print()
    facts = plain_table(("", ""), left=2)
    facts.show_header = False
    rows = {
        "Needs": c.needs,
        "Kind": family(c),
        "Tasks": ", ".join(details["tasks"]) or ("labels" if is_classifier(c.build()) else "numbers"),
        "Texts": ", ".join(c.book),
        "Study": f"suffice study DATA --target COLUMN --models {c.name}" if c.study is not None else "",
        "Fit": f"suffice fit DATA --target COLUMN --model {c.name}" if c.files else "",
        "Python": "from {} import {}".format(*details["class"].rsplit(".", 1)),
    }
    for name, value in rows.items():
        if value:
            facts.add_row(name, Text(value))
    out.print(facts)
    if details["parameters"]:
        out.print()
        out.print(_parameters(details["parameters"]))
    for name, values in details["grid"].items():
        words = f"A study tries {counted(len(values), 'value')} of {name}: {brief(values)} (for {SAMPLE_ROWS:,} rows)."
        out.print(Text(words))


def _parameters(listed: list[dict[str, str]]) -> Any:
    from rich.text import Text

    table = plain_table(("parameter", "here", "what it is"), left=3)
    for p in listed:
        table.add_row(Text(p["name"]), Text(p["value"]), Text(p["about"]))
    return table


def brief(values: list[Any]) -> str:
    """All of a few values, the ends of many."""
    words = [f"{v:.3g}" if isinstance(v, float) else str(v) for v in values]
    return ", ".join(words) if len(words) <= MOST_VALUES else f"{words[0]}, {words[1]}, …, {words[-1]}"
