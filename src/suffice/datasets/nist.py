"""NIST Statistical Reference Datasets, linear least squares: data and certified values, typed in `nist.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from suffice.datasets._records import Certified


@cache
def _printed() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _certified(key: str) -> Certified:
    """The data set of that name; no degree means columns as they are."""
    printed = dict(_printed()[key])
    table = np.array(printed.pop("rows"))
    return Certified(
        X=table[:, 1:],
        y=table[:, 0],
        source=f"NIST Statistical Reference Datasets, linear least squares: {printed.pop('name')}",
        license="public domain (U.S. government work)",
        degree=printed.pop("degree", None),
        **printed,
    )


def nist_norris() -> Certified:
    """Calibration of ozone monitors: a line through 36 points; lower difficulty."""
    return _certified("norris")


def nist_pontius() -> Certified:
    """Load cell calibration: a parabola through 40 points, inputs up to three million; lower difficulty."""
    return _certified("pontius")


def nist_noint1() -> Certified:
    """A line through the origin, 11 points; average difficulty."""
    return _certified("noint1")


def nist_noint2() -> Certified:
    """A line through the origin, three points; average difficulty."""
    return _certified("noint2")


def nist_longley() -> Certified:
    """U.S. employment 1947–1962 on six collinear economic series; higher difficulty."""
    return _certified("longley")


def nist_filip() -> Certified:
    """A polynomial of degree ten through 82 points, on inputs far from zero; higher difficulty."""
    return _certified("filip")


def nist_wampler1() -> Certified:
    """Degree five without noise, all coefficients one; higher difficulty."""
    return _certified("wampler1")


def nist_wampler2() -> Certified:
    """Degree five without noise, coefficients 1, 0.1, …, 0.00001; higher difficulty."""
    return _certified("wampler2")


def nist_wampler3() -> Certified:
    """Wampler 1 with small noise that is orthogonal to the powers; higher difficulty."""
    return _certified("wampler3")


def nist_wampler4() -> Certified:
    """The noise of Wampler 3 times a hundred; higher difficulty."""
    return _certified("wampler4")


def nist_wampler5() -> Certified:
    """The noise of Wampler 3 times ten thousand; higher difficulty."""
    return _certified("wampler5")
