"""Numbers written as text, by one convention per column: what is read must be the numbers that were written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import polars
import pyarrow

from suffice.prepare import TableEncoder

from .trial import Skip, Trial


def plain(v: float, places: int) -> str:
    return f"{v:.{places}f}"


def comma(v: float, places: int) -> str:
    return plain(v, places).replace(".", ",")


def grouped(v: float, places: int) -> str:
    return f"{v:,.{places}f}"


def continental(v: float, places: int) -> str:
    return grouped(v, places).translate(str.maketrans(",.", ".,"))


def spaced(v: float, places: int) -> str:
    return grouped(v, places).replace(",", " ").replace(".", ",")


def scientific(v: float, places: int) -> str:
    return f"{v:.{places}e}"


WRITTEN = {f.__name__: f for f in (plain, comma, grouped, continental, spaced, scientific)}
MARK = {"plain": ".", "comma": ",", "grouped": ".", "continental": ",", "spaced": ",", "scientific": "."}
AROUND = {"bare": "{}", "euros": "{} €", "padded": "  {} ", "signed": "+{}", "percent": "{} %"}
TABLES = {
    "dict": lambda cells: {"v": cells},
    "pandas": lambda cells: pandas.DataFrame({"v": cells}),
    "polars": lambda cells: polars.DataFrame({"v": cells}),
    "Arrow": lambda cells: pyarrow.table({"v": cells}),
}


def texts(trial: Trial) -> None:
    """A column of numbers as text, with or without its decimal mark told."""
    trial.model = "TableEncoder"
    n, places = int(trial.rng.integers(3, 30)), trial.one([0, 0, 1, 2, 3, 3, 4])
    size = trial.one([1.0, 1e3, 1e3, 1e5, 1e7])
    values = np.round(trial.rng.uniform(0 if trial.chance(0.7) else -1, 1, n) * size, places)
    name, around = trial.one(WRITTEN), trial.one(AROUND)
    if around == "signed":
        values = np.abs(values)
    if trial.chance(0.3):
        places = 3
        values = np.round(values, 3)
    cells = [AROUND[around].format(WRITTEN[name](v, places)) for v in values]
    if name == "scientific":
        values = np.array([float(WRITTEN[name](v, places)) for v in values])
    told, kind = trial.chance(0.4), trial.one(TABLES)
    trial.note(
        f"{n} numbers, {name}, {places} places, {around}, {kind}",
        f"such as {cells[:3]}",
        "mark told" if told else "",
    )
    options: dict[str, Any] = {"decimal": MARK[name]} if told else {}
    model = TableEncoder(least_rows=1, **options)
    table = TABLES[kind](cells * 4)
    out = np.asarray(trial.ask(lambda: model.fit(table).transform(TABLES[kind](cells))))
    names = list(model.get_feature_names_out())
    if names != ["v"] or out.shape[1] != 1:
        raise Skip("it stays text")
    remark = str(model.remarks_.get("v", ""))
    if "would be" in remark:
        trial.said.append(f"remark: {remark}")
    truth = values / 100 if around == "percent" and "%" in remark else values
    trial.same("numbers", out[:, 0], truth, np.maximum(np.abs(truth), 1e-3))
