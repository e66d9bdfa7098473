"""BasisTransformer: the columns of the equations, fitted state, nested parameters, names."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression as PlainRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import suffice
from suffice._core.errors import InvalidInput, InvalidParameter, Unsupported
from suffice.bases import CustomBasis, GaussianBasis, Polynomial
from suffice.linear import LinearRegression
from suffice.prepare import BasisTransformer

rng = np.random.default_rng(2)
X = rng.uniform(-2, 3, (30, 2))
NEW = rng.uniform(-5, 5, (6, 2))


# -- columns ------------------------------------------------------------------------------------------
def test_powers_as_the_equations_write_them():
    a, b = NEW.T
    out = BasisTransformer(Polynomial(3)).fit(X).transform(NEW)
    np.testing.assert_allclose(out, np.column_stack([a, b, a**2, b**2, a**3, b**3]), rtol=1e-14)
    out = BasisTransformer(Polynomial(2, interactions=True)).fit(X).transform(NEW)
    np.testing.assert_allclose(out, np.column_stack([a, b, a**2, b**2, a * b]), rtol=1e-14)


def test_powers_are_raw_also_where_the_inputs_are_large():
    years = np.array([[1896.0], [1900.0], [2008.0]])
    out = BasisTransformer(Polynomial(3)).fit(years).transform(years)
    assert np.array_equal(out, years ** [1, 2, 3])


def test_bumps_are_placed_by_the_fit():
    model = BasisTransformer(GaussianBasis(3, width=0.8)).fit(X)
    centers = [np.linspace(x.min(), x.max(), 3) for x in X.T]
    by_hand = [np.exp(-0.5 * ((x[:, None] - c) / 0.8) ** 2) for x, c in zip(NEW.T, centers, strict=True)]
    np.testing.assert_allclose(model.transform(NEW), np.hstack(by_hand), rtol=1e-13)
    assert model.transform(NEW[:1]).tolist() == model.transform(NEW)[:1].tolist()  # nothing is taken from NEW


def test_nothing_is_changed_without_a_basis():
    model = BasisTransformer().fit(X)
    assert np.array_equal(model.transform(NEW), NEW)
    assert model.get_feature_names_out(["a", "b"]).tolist() == ["a", "b"]
    assert model.state_ is None


def test_sum_of_bases_and_functions_of_several_columns():
    basis = Polynomial(1) + CustomBasis([np.sin, radius])
    model = BasisTransformer(basis).fit(X)
    expected = np.column_stack([NEW, np.sin(NEW), np.hypot(*NEW.T)])
    np.testing.assert_allclose(model.transform(NEW), expected, rtol=1e-14)
    assert model.get_feature_names_out().tolist() == ["x0", "x1", "sin[0]", "sin[1]", "radius"]


def radius(X):
    return np.hypot(X[:, 0], X[:, 1])


def test_no_columns_at_all():
    assert BasisTransformer(Polynomial(0)).fit(X).transform(NEW).shape == (6, 0)


def test_sparse_and_single_precision():
    model = BasisTransformer(Polynomial(2)).fit(sparse.csr_array(X))
    np.testing.assert_allclose(model.transform(sparse.csr_array(NEW)), model.transform(NEW), rtol=1e-15)
    narrow = NEW.astype(np.float32)
    assert np.array_equal(model.transform(narrow), model.transform(narrow.astype(float)))


# -- state and parameters -----------------------------------------------------------------------------
def test_state_is_the_resolved_basis():
    basis = GaussianBasis(4, width=1.0)
    model = BasisTransformer(basis).fit(X)
    assert model.basis is basis
    assert model.basis.centers == 4
    assert model.state_ is model.basis_
    assert model.basis_.centers.shape == (8, 2)
    assert not hasattr(BasisTransformer(basis), "state_")


def test_nested_parameters():
    shared = Polynomial(2)
    model = BasisTransformer(shared)
    assert model.get_params()["basis__degree"] == 2
    model.set_params(basis__degree=4, basis__interactions=True)
    assert model.basis == Polynomial(4, interactions=True)
    assert shared == Polynomial(2)
    with pytest.raises(InvalidParameter, match="degree must be an integer >= 0; got -1"):
        model.set_params(basis__degree=-1)
    total = BasisTransformer(Polynomial(1) + GaussianBasis([0.0], width=1.0)).set_params(basis__0__degree=3)
    assert total.fit(X).transform(NEW).shape == (6, 8)


def test_search_over_the_degree_finds_the_cubic():
    x = np.linspace(-1, 1, 60)[:, None]
    y = 4 * x[:, 0] ** 3 - 2 * x[:, 0] + 0.01 * rng.standard_normal(60)
    pipe = make_pipeline(BasisTransformer(Polynomial(1)), PlainRegression())
    degrees = {"basistransformer__basis__degree": [1, 2, 3]}
    search = GridSearchCV(pipe, degrees, cv=5, scoring="neg_mean_squared_error").fit(x, y)
    assert search.best_params_ == {"basistransformer__basis__degree": 3}


def test_in_front_of_a_model_is_the_basis_inside_it():
    y = np.sin(X[:, 0]) + X[:, 1]
    for basis in (Polynomial(2), GaussianBasis(3, width=1.0)):
        piped = make_pipeline(BasisTransformer(basis), LinearRegression()).fit(X, y)
        np.testing.assert_allclose(
            piped.predict(NEW), LinearRegression(basis=basis).fit(X, y).predict(NEW), rtol=1e-8
        )


@pytest.mark.parametrize(
    "basis", [None, Polynomial(3), GaussianBasis(3, width=1.0), Polynomial(1) + Polynomial(2)]
)
def test_saved_and_loaded(basis, tmp_path):
    model = BasisTransformer(basis).fit(X)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert again.state_ == model.state_
    assert np.array_equal(again.transform(NEW), model.transform(NEW))
    assert list(again.get_feature_names_out()) == list(model.get_feature_names_out())


def test_functions_are_code(tmp_path):
    with pytest.raises(Unsupported, match="functions and foreign objects are code"):
        suffice.save(BasisTransformer(CustomBasis([np.sin])).fit(X), tmp_path / "m.suffice")


# -- names --------------------------------------------------------------------------------------------
def test_names():
    import pandas

    model = BasisTransformer(Polynomial(2)).fit(X)
    assert model.get_feature_names_out().tolist() == ["x0", "x1", "x0^2", "x1^2"]
    assert model.get_feature_names_out(["u", "v"]).tolist() == ["u", "v", "u^2", "v^2"]
    with pytest.raises(ValueError, match="input_features should have length equal"):
        model.get_feature_names_out(["u"])
    named = BasisTransformer(Polynomial(2)).fit(pandas.DataFrame(X, columns=["a", "b"]))
    assert named.get_feature_names_out().tolist() == ["a", "b", "a^2", "b^2"]
    with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
        named.get_feature_names_out(["b", "a"])


# -- what is refused ----------------------------------------------------------------------------------
@pytest.mark.parametrize("basis", [3, "cubic", Polynomial, np.sin])
def test_what_is_no_basis(basis):
    with pytest.raises(InvalidParameter, match=r"basis must be a basis of suffice\.bases or None; got"):
        BasisTransformer(basis).fit(X)


def test_columns_that_are_not_numbers():
    model = BasisTransformer(CustomBasis([np.sqrt])).fit(np.abs(X))
    with pytest.raises(InvalidInput, match="basis yields nan in its column 'sqrt"):
        model.transform([[-1.0, 1.0]])
    with pytest.raises(InvalidInput, match="basis yields inf in its column 'x0\\^2'"):
        BasisTransformer(Polynomial(3)).fit(X).transform([[1e200, 0.0]])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_cells_that_are_not_numbers(value):
    table = X.copy()
    table[3, 1] = value
    with pytest.raises(InvalidInput, match="at row 3, column"):
        BasisTransformer(Polynomial(2)).fit(table)
    with pytest.raises(InvalidInput, match="at row 3, column"):
        BasisTransformer(Polynomial(2)).fit(X).transform(table)


def test_lists_are_tables():
    assert BasisTransformer(Polynomial(2)).fit([[1], [2]]).transform([[3]]).tolist() == [[3.0, 9.0]]
    with pytest.raises(ValueError, match="Expected 2D array"):
        BasisTransformer(Polynomial(2)).fit([1.0, 2.0])
