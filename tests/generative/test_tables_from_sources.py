"""Models that read columns of any kind themselves get them from any source as they are."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from suffice import engine
from suffice._core.errors import InvalidParameter
from suffice.evaluation import cross_validate
from suffice.generative import JointTableClassifier, MixedNB

rng = np.random.default_rng(0)
KIND = rng.choice(["a", "b"], 400)
TABLE = pd.DataFrame(
    {
        "color": np.where(rng.random(400) < 0.3 + 0.4 * (KIND == "a"), "red", "blue"),
        "flag": rng.random(400) < 0.2 + 0.5 * (KIND == "a"),
        "size": np.where(np.arange(400) % 17 == 0, np.nan, rng.standard_normal(400) + (KIND == "a")),
        "kind": KIND,
    }
)
INPUTS = TABLE.drop(columns="kind")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    TABLE.to_parquet(folder / "t.parquet", row_group_size=90)
    TABLE.to_csv(folder / "t.csv", index=False)
    return {
        "parquet": str(folder / "t.parquet"),
        "csv": str(folder / "t.csv"),
        "pandas": TABLE,
        "polars": pl.from_pandas(TABLE),
        "batches": [TABLE[a : a + 90] for a in range(0, 400, 90)],
    }


@pytest.mark.parametrize("name", ["parquet", "csv", "pandas", "polars", "batches"])
def test_a_mixed_model_of_a_source_is_that_of_the_table(sources, name):
    here = MixedNB().fit(INPUTS, KIND)
    there = engine.fit(MixedNB(), sources[name], "kind")
    assert there.kinds_ == here.kinds_ == {"color": "categorical", "flag": "bernoulli", "size": "gaussian"}
    np.testing.assert_allclose(
        there.predict_log_proba(INPUTS), here.predict_log_proba(INPUTS), rtol=1e-10, atol=1e-12
    )


@pytest.mark.parametrize("name", ["parquet", "polars"])
def test_its_folds_are_refits(sources, name):
    result = engine.cross_validate(MixedNB(), sources[name], "kind", folds=5)
    fold = engine.hashing.folds_of_rows(0, 0, 400, 5, 0)
    splits = [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(5)]
    refits = cross_validate(MixedNB(), INPUTS, KIND, cv=splits)
    assert result.estimate == pytest.approx(refits.estimate, rel=1e-12)
    np.testing.assert_allclose(result.fold_losses, refits.fold_losses, rtol=1e-12)


def test_a_joint_table_of_text_and_flags(sources):
    here = JointTableClassifier().fit(INPUTS[["color", "flag"]], KIND)
    there = engine.fit(JointTableClassifier(), sources["parquet"], "kind", ["color", "flag"])
    cells = INPUTS[["color", "flag"]].drop_duplicates()
    np.testing.assert_allclose(there.predict_proba(cells), here.predict_proba(cells), rtol=1e-12)


def test_conditions_choose_rows_and_categories_are_refused(sources):
    some = engine.fit(MixedNB(), sources["csv"], "kind", where=[("size", ">", 0.0)])
    rows = TABLE["size"] > 0
    here = MixedNB().fit(INPUTS[rows], KIND[rows])
    np.testing.assert_allclose(some.predict_proba(INPUTS), here.predict_proba(INPUTS), rtol=1e-9)
    with pytest.raises(
        InvalidParameter, match=r"categories=\['color'\]: this model reads columns of text itself"
    ):
        engine.fit(MixedNB(), sources["csv"], "kind", categories=["color"])
