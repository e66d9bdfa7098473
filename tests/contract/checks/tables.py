"""Tables of any kind give the numbers of arrays; sparse, narrow and strided ones too."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from suffice._core.errors import InvalidInput

from ..case import Case, answer, columns
from ..checking import Check, check
from ..conditions import array, columned, numeric, repeats, transforms
from ..registry import is_density


def tables(table) -> dict:
    import pandas
    import polars
    import pyarrow

    data = columns(table)
    n = len(next(iter(data.values())))
    return {
        "pandas": pandas.DataFrame(data, index=np.arange(n)[::-1]),
        "polars": polars.DataFrame(data),
        "pyarrow": pyarrow.table(data),
    }


def misnamed(table, kind: str):
    """The second column has another name, or the last if there is one alone."""
    names = list(table.column_names if kind == "pyarrow" else table.columns)
    names[min(1, len(names) - 1)] = "c9"
    if kind == "pandas":
        return table.set_axis(names, axis=1)
    if kind == "pyarrow":
        return table.rename_columns(names)
    return table.rename(dict(zip(table.columns, names, strict=True)))


def _tables_give_the_numbers_of_arrays(kind: str) -> Check:
    def run(case: Case) -> None:
        table, new = tables(case.data.X)[kind], tables(case.data.new)[kind]
        named = case.model().fit(table, case.data.y)
        assert list(named.feature_names_in_) == list(columns(case.data.X))
        assert hasattr(case.fitted, "feature_names_in_") != case.data.is_array
        np.testing.assert_allclose(answer(named, new), case.answers["answer"], rtol=1e-13, atol=1e-13)
        wrong = misnamed(new, kind)
        with pytest.raises(ValueError, match="feature names should match|The table lacks"):
            answer(named, wrong)
        if case.can.predict_dist:
            column = {"target": next(iter(columns(case.data.X)))} if is_density(named) else {}
            with pytest.raises(ValueError, match="feature names should match|The table lacks"):
                named.predict_dist(wrong, **column)

    run.__name__ = f"tables_of_{kind}_give_the_numbers_of_arrays"
    return check(columned, repeats)(run)


KINDS = [_tables_give_the_numbers_of_arrays(kind) for kind in ("pandas", "polars", "pyarrow")]


def _transformers_give_back_the_kind_of_table(kind: str) -> Check:
    def run(case: Case) -> None:
        table, model = tables(case.data.new)[kind], case.model()
        if sparse.issparse(case.fitted.transform(case.data.new)):
            return  # which is a kind of its own
        out = model.set_output(transform=kind).fit(tables(case.data.X)[kind]).transform(table)
        assert type(out) is type(table)
        assert list(out.columns) == list(model.get_feature_names_out())
        np.testing.assert_allclose(
            np.asarray(out, dtype=float), case.answers["answer"], rtol=1e-13, atol=1e-13
        )
        if kind == "pandas":
            assert list(out.index) == list(table.index)

    run.__name__ = f"transformers_give_back_tables_of_{kind}"
    return check(transforms, columned)(run)


OUTPUTS = [_transformers_give_back_the_kind_of_table(kind) for kind in ("pandas", "polars")]


def in_one_pass(case: Case) -> bool:
    """Pieces give the answer of one fit unless that goes through the rows again, or in another order."""
    model = case.model()
    passes = getattr(model, "epochs", getattr(model, "max_iter", 1) if case.entry.ordered else 1)
    return passes == 1 and not getattr(model, "shuffle", False)


def _sparse_is_dense(kind) -> Check:
    def run(case: Case) -> None:
        X, y, new = case.data.X, case.data.y, case.data.new
        if not case.model().__sklearn_tags__().input_tags.sparse:
            with pytest.raises(InvalidInput, match="[Ss]parse"):
                case.model().fit(kind(np.eye(len(y), X.shape[1])), y)
            return
        holes = np.where(np.abs(X) < 0.4, 0.0, X)
        a, b = case.model().fit(kind(holes), y), case.model().fit(holes, y)
        case.assert_same(a, 1e-12, b=b)
        out = answer(a, kind(new))
        np.testing.assert_allclose(out, answer(b, new), rtol=1e-12)
        if case.can.partial_fit and in_one_pass(case):
            part = case.model().fit(kind(holes[:30]), y[:30]).partial_fit(kind(holes[30:]), y[30:])
            case.assert_same(part, 1e-9, b=b)

    run.__name__ = f"{kind.__name__}_is_dense"
    return check(numeric, repeats)(run)


SPARSE = [_sparse_is_dense(kind) for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array)]


@check(numeric, repeats)
def single_precision_is_cast_not_computed_with(case: Case) -> None:
    narrow, y = case.data.X.astype(np.float32), case.data.y
    a = case.model().fit(narrow, y)
    if case.can.statistics:
        arrays = [v for v in vars(a.statistics_).values() if isinstance(v, np.ndarray)]
        assert all(v.dtype == np.float64 for v in arrays if v.dtype.kind == "f")
    case.assert_same(a, 1e-12, b=case.model().fit(narrow.astype(float), y))


@check(array, repeats)
def strides_and_memory_order_do_not_matter(case: Case) -> None:
    X, y = case.data.X, case.data.y
    case.assert_same(case.model().fit(np.asfortranarray(X), y), 1e-13)
    case.assert_same(case.model().fit(np.repeat(X, 2, axis=0)[::2], np.repeat(y, 2)[::2]), 1e-13)
