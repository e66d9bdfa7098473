"""Writes the files of the current format that must load for ever: run once when a format is released.

    python tests/files/make_fixtures.py

Files of a released format are never written again; the script refuses to overwrite.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import suffice
from suffice._core.files import FORMAT
from suffice.baselines import MeanRegressor
from suffice.bases import GaussianBasis, Polynomial
from suffice.linear import BayesianLinearRegression, LinearRegression, Ridge

DATA = Path(__file__).parent / "data"


def models() -> dict[str, object]:
    rng = np.random.default_rng(1)
    X = rng.uniform(-2, 2, (25, 2))
    y = 1 + X @ [2.0, -1.0] + 0.3 * X[:, 0] ** 2 + 0.1 * rng.standard_normal(25)
    Y = np.column_stack([y, -y + rng.standard_normal(25)])
    w = rng.integers(0, 3, 25).astype(float)
    return {
        "linear_regression": LinearRegression(basis=Polynomial(2, interactions=True)).fit(X, y, w),
        "ridge": Ridge([0.5, 2.0], standardize=True, penalty_scale="mean").fit(X, Y),
        "bayesian_linear_regression": BayesianLinearRegression(
            noise_precision=4.0,
            basis=Polynomial(1) + GaussianBasis([-1.0, 0.0, 1.0], width=0.8),
            prior_cov=np.eye(8) + 0.1,
        ).fit(X, y),
        "mean_regressor": MeanRegressor().fit(X, y),
    }


def main() -> None:
    inputs = np.random.default_rng(2).uniform(-2, 2, (6, 2))
    answers = {}
    for name, model in models().items():
        path = DATA / f"format{FORMAT}_{name}.suffice"
        if path.exists():
            raise SystemExit(f"{path.name} exists; a released format is never written again.")
        suffice.save(model, path)
        d = model.predict_dist(inputs)
        answers[name] = {"class": type(model).__name__, "mean": d.mean.tolist(), "std": d.std.tolist()}
    text = json.dumps({"inputs": inputs.tolist(), "models": answers}, indent=1)
    (DATA / f"format{FORMAT}_expected.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
