"""Studies of every table that ships with scikit-learn and statsmodels and has a sensible target.

Each record says what a sensible person expects, so that a surprising answer can be judged by eye. Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets
from statsmodels.api import datasets as statsmodels_datasets

Table = pd.DataFrame


@dataclass(frozen=True)
class TableStudy:
    """One table, what is predicted in it, and how its rows depend on each other."""

    name: str
    load: Callable[[], Table]
    target: str
    expects: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def group(self) -> str | None:
        return self.options.get("group")

    @property
    def time(self) -> str | None:
        return self.options.get("time")


# -- scikit-learn ---------------------------------------------------------------------------------------------
def bundled(loader: Callable[..., Any]) -> Table:
    """The features and the target of a bundled set; labels by their names."""
    found = loader(as_frame=True)
    table = found.frame.copy()
    if "target_names" in found and "target" in table and len(found.target_names) == table["target"].nunique():
        table["target"] = [str(found.target_names[i]) for i in table["target"]]
    return table


def exercises(target: str) -> Table:
    """Three exercises, and one of the physiological measures."""
    return bundled(datasets.load_linnerud)[["Chins", "Situps", "Jumps", target]]


# -- statsmodels ----------------------------------------------------------------------------------------------
def packaged(name: str) -> Table:
    """A table of statsmodels as it comes."""
    return getattr(statsmodels_datasets, name).load_pandas().data.copy()


def indexed(name: str, column: str) -> Table:
    """A table of statsmodels whose index is a column of its own."""
    return packaged(name).rename_axis(column).reset_index()


def quarterly(name: str) -> Table:
    """Year and quarter as one time stamp."""
    table = packaged(name)
    month = 3 * table["quarter"].astype(int) - 2
    stamp = pd.to_datetime({"year": table["year"].astype(int), "month": month, "day": 1})
    return table.drop(columns=["year", "quarter"]).assign(quarter=stamp)


def affairs_yes_no() -> Table:
    """Whether a woman of the survey had an affair at all."""
    table = packaged("fair")
    return table.drop(columns="affairs").assign(affair=np.where(table["affairs"] > 0, "yes", "no"))


def smoking_counts() -> Table:
    """The eight 2 × 2 tables with one row per cell."""
    table = indexed("china_smoking", "city").melt("city", var_name="cell", value_name="people")
    cells = table.pop("cell").str.extract(r"smoking_(?P<smoking>\w+)_cancer_(?P<cancer>\w+)")
    return pd.concat([table, cells], axis=1)


def monthly_sea_temperature() -> Table:
    """El Niño temperatures with one row per month."""
    table = packaged("elnino").melt("YEAR", var_name="name", value_name="temperature")
    stamp = table["YEAR"].astype(int).astype(str) + " " + table["name"].str.title()
    table = table.assign(month=pd.to_datetime(stamp, format="%Y %b"))
    return table[["month", "temperature"]].sort_values("month").reset_index(drop=True)


def fertility_later() -> Table:
    """The fertility of 2011 by that of ten years, 1960 to 2005; countries whose 2011 is known."""
    table = packaged("fertility").rename(columns={"Country Name": "country"})
    years = [str(year) for year in range(1960, 2006, 5)]
    return table[["country", *years, "2011"]].dropna(subset=["2011"]).reset_index(drop=True)


def share_above_median() -> Table:
    """The share of pupils above the national median, without the counts it is made of."""
    table = packaged("star98")
    share = table["NABOVE"] / (table["NABOVE"] + table["NBELOW"])
    return table.drop(columns=["NABOVE", "NBELOW"]).assign(share=share)


def chosen_mode() -> Table:
    """One row per traveller: how they went, and what each way would have cost."""
    table = packaged("modechoice")
    names = {1.0: "air", 2.0: "train", 3.0: "bus", 4.0: "car"}
    wide = table.pivot(index="individual", columns="mode", values=["ttme", "invc", "invt", "gc"])
    wide.columns = [f"{what}_{names[mode]}" for what, mode in wide.columns]
    once = table.groupby("individual")[["hinc", "psize"]].first()
    chosen = table[table["choice"] == 1.0].set_index("individual")["mode"].map(names)
    return wide.join(once).assign(chosen=chosen).reset_index(drop=True)


def _of(name: str) -> Callable[[], Table]:
    return lambda: packaged(name)


STUDIES: tuple[TableStudy, ...] = (
    TableStudy("iris", lambda: bundled(datasets.load_iris), "target", "nearly perfect"),
    TableStudy(
        "iris width",
        lambda: bundled(datasets.load_iris).drop(columns="target"),
        "petal width (cm)",
        "petal length predicts it well",
    ),
    TableStudy("wine", lambda: bundled(datasets.load_wine), "target", "nearly perfect"),
    TableStudy("cancer cells", lambda: bundled(datasets.load_breast_cancer), "target", "about 97 % right"),
    TableStudy(
        "digits",
        lambda: bundled(datasets.load_digits).astype({"target": int}).astype({"target": str}),
        "target",
        "about 95 % right with lines",
    ),
    TableStudy("diabetes", lambda: bundled(datasets.load_diabetes), "target", "half the variance"),
    TableStudy(
        "exercise weight", lambda: exercises("Weight"), "Weight", "20 rows: little or nothing is known"
    ),
    TableStudy("exercise pulse", lambda: exercises("Pulse"), "Pulse", "20 rows: nothing is known"),
    TableStudy(
        "anes96 vote", _of("anes96"), "vote", "party identity predicts the vote well", {"task": "binary"}
    ),
    TableStudy(
        "anes96 party",
        lambda: packaged("anes96").drop(columns="vote"),
        "PID",
        "views predict party identity, better than chance, far from perfectly",
        {"task": "multi-class"},
    ),
    TableStudy("anes96 news", _of("anes96"), "TVnews", "older people watch more; a small gain"),
    TableStudy("cancer counts", _of("cancer"), "cancer", "counts in proportion to the population"),
    TableStudy("credit cards", _of("ccard"), "AVGEXP", "72 skewed rows; income helps a little, perhaps"),
    TableStudy(
        "smoking counts",
        smoking_counts,
        "people",
        "eight cities; the city's size decides and is not known for a new one",
        {"group": "city"},
    ),
    TableStudy(
        "co2", lambda: indexed("co2", "week"), "co2", "trend and season beat the last value", {"time": "week"}
    ),
    TableStudy("committee", _of("committee"), "BILLS104", "20 counts; bills of the last congress predict"),
    TableStudy(
        "copper",
        _of("copper"),
        "WORLDCONSUMPTION",
        "25 years that trend; hard to beat last year",
        {"time": "TIME"},
    ),
    TableStudy("executions", _of("cpunish"), "EXECUTIONS", "17 rows, one huge: nothing is known"),
    TableStudy(
        "danish money",
        lambda: indexed("danish_data", "period"),
        "lrm",
        "55 quarters; a hard one",
        {"time": "period"},
    ),
    TableStudy("el niño", monthly_sea_temperature, "temperature", "season and last month", {"time": "month"}),
    TableStudy("el niño december", _of("elnino"), "DEC", "autumn predicts December well", {"time": "YEAR"}),
    TableStudy("engel", _of("engel"), "foodexp", "income predicts it well; a few rich households decide"),
    TableStudy("affairs", _of("fair"), "affairs", "a skewed rate with many zeros; a small gain"),
    TableStudy("affair yes or no", affairs_yes_no, "affair", "AUC about 0.74; no leak"),
    TableStudy(
        "fertility", fertility_later, "2011", "2005 predicts 2011 nearly perfectly", {"ignore": ("country",)}
    ),
    TableStudy("grunfeld", _of("grunfeld"), "invest", "11 firms; one giant decides", {"group": "firm"}),
    TableStudy(
        "grunfeld years", _of("grunfeld"), "invest", "value, capital and firm predict", {"time": "year"}
    ),
    TableStudy("heart", _of("heart"), "survival", "69 censored times; little is known"),
    TableStudy(
        "interest",
        lambda: quarterly("interest_inflation"),
        "R",
        "hard to beat the last value",
        {"time": "quarter"},
    ),
    TableStudy(
        "german inflation",
        lambda: quarterly("interest_inflation"),
        "Dp",
        "strong season",
        {"time": "quarter"},
    ),
    TableStudy("longley", _of("longley"), "TOTEMP", "16 years that trend together", {"time": "YEAR"}),
    TableStudy(
        "us inflation",
        lambda: quarterly("macrodata"),
        "infl",
        "infl = tbilrate - realint, an identity: nearly perfect, and a leak to be named",
        {"time": "quarter"},
    ),
    TableStudy(
        "us inflation clean",
        lambda: quarterly("macrodata").drop(columns=["realint"]),
        "infl",
        "rates help a little",
        {"time": "quarter"},
    ),
    TableStudy(
        "us unemployment",
        lambda: quarterly("macrodata"),
        "unemp",
        "last value is hard to beat",
        {"time": "quarter"},
    ),
    TableStudy(
        "us consumption",
        lambda: quarterly("macrodata"),
        "realcons",
        "income of the same quarter",
        {"time": "quarter"},
    ),
    TableStudy(
        "mode choice",
        _of("modechoice"),
        "choice",
        "210 people with four rows each; a clear gain",
        {"group": "individual", "task": "binary"},
    ),
    TableStudy("mode chosen", chosen_mode, "chosen", "a clear gain"),
    TableStudy(
        "nile",
        _of("nile"),
        "volume",
        "a shift in 1898; the last value and the mean are near",
        {"time": "year"},
    ),
    TableStudy("doctor visits", _of("randhie"), "mdvis", "20,190 counts with copies; a small sure gain"),
    TableStudy("scotland", _of("scotland"), "YES", "32 rows; a clear gain"),
    TableStudy("spector", _of("spector"), "GRADE", "32 students; a gain on the edge", {"task": "binary"}),
    TableStudy("stack loss", _of("stackloss"), "STACKLOSS", "21 days; a clear gain"),
    TableStudy("school share", share_above_median, "share", "a clear gain"),
    TableStudy("school counts", _of("star98"), "NABOVE", "NBELOW gives the size; a clear gain"),
    TableStudy("murder", lambda: indexed("statecrime", "state"), "murder", "51 states; a clear gain"),
    TableStudy("violence", lambda: indexed("statecrime", "state"), "violent", "51 states; a clear gain"),
    TableStudy("strikes", _of("strikes"), "duration", "little is known from one column; equal within years"),
    TableStudy(
        "sunspots", _of("sunspots"), "SUNACTIVITY", "lags beat the last value clearly", {"time": "YEAR"}
    ),
)

FEW = ("iris", "scotland", "spector", "cancer counts", "nile", "exercise pulse")  # small ones, for every run


def study_named(name: str) -> TableStudy:
    """The study of that name."""
    return next(study for study in STUDIES if study.name == name)
