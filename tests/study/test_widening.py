"""The intervals of a model handed over hold on rows that nobody has seen."""

import numpy as np
import pytest

import suffice
from suffice.study import Study


def table(rng, n, d):
    X = rng.normal(size=(n, d))
    y = X[:, :10].sum(axis=1) + rng.normal(size=n)
    return {f"x{j}": X[:, j] for j in range(d)} | {"y": y}


@pytest.mark.parametrize(("n", "d", "name"), [(60, 100, "ridge"), (80, 40, "lasso"), (300, 5, "ridge")])
def test_intervals_of_penalized_models_hold(n, d, name, tmp_path):
    rng = np.random.default_rng(3)
    result = Study(table(rng, n, d), "y", models=[name], references=False).run()
    model = result.model
    assert model.name == name
    new = table(rng, 4000, d)
    made = model.predict_table(new)
    inside = np.mean((new["y"] >= made["low"]) & (new["y"] <= made["high"]))
    assert 0.90 < inside < 0.99
    plain = model.model.predict_dist(model.encoder.transform(new))
    assert made["std"] == pytest.approx(model.widen * plain.std)
    said = " ".join(result.chosen.sentences)
    assert ("times as wide" in said) == (model.widen > 1)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert again.widen == model.widen
    assert again.predict_dist(new).interval()[0] == pytest.approx(made["low"])


def test_a_model_that_knows_its_spread_is_left_alone():
    rng = np.random.default_rng(0)
    model = Study(table(rng, 300, 5), "y", models=["linear"], references=False).run().model
    assert model.widen == 1.0
