"""What is saved comes back, and goes on."""

from __future__ import annotations

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import suffice
from suffice._core.errors import SufficeError, Unsupported
from suffice._core.records import same

from ..case import Case, saved
from ..checking import check
from ..conditions import adds, made_of_functions, repeats, storable
from ..registry.data import rows


def _is_number(value) -> bool:
    return np.asarray(value).dtype.kind in "fc"


@check(made_of_functions)
def functions_are_not_saved(case: Case) -> None:
    with TemporaryDirectory() as folder:
        with pytest.raises(Unsupported, match="functions and foreign objects are code"):
            suffice.save(case.fitted, Path(folder) / "model.suffice")
        assert not list(Path(folder).iterdir())


@check(storable)
def saved_model_gives_the_same_numbers(case: Case) -> None:
    for model in (case.fitted, case.model().fit(case.data.X, case.data.other_y)):
        again = saved(model)
        assert type(again) is type(model)
        mine, theirs = model.get_params(), again.get_params()
        assert mine.keys() == theirs.keys()
        assert all(same(mine[k], theirs[k]) for k in mine)
        a, b = case.answers_of(model), case.answers_of(again)
        # Numbers are stored to the bit; products of them may differ in the last one, as memory is aligned.
        for k in a:
            unit = max(1.0, np.nanmax(np.abs(a[k])))
            np.testing.assert_allclose(b[k], a[k], rtol=1e-14, atol=1e-15 * unit)
        stored = {k: v for k, v in model.fitted().items() if isinstance(v, np.ndarray | float)}
        assert all(np.array_equal(v, again.fitted()[k], equal_nan=_is_number(v)) for k, v in stored.items())
        assert again.fitted().keys() == model.fitted().keys()
        if adds(case):
            assert again.statistics_ == model.statistics_


@check(storable)
def saved_model_has_every_attribute_that_was_there(case: Case) -> None:
    """Also those that are no field, and those that are worked out when asked for."""
    again = saved(case.fitted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what asking costs is said elsewhere
        assert _fitted_names(again) == _fitted_names(case.fitted)
    assert vars(again).keys() >= {k for k in vars(case.fitted) if k.endswith("_")}


def _fitted_names(model) -> set[str]:
    """Public attributes with a trailing underscore that have a value."""

    def there(name):
        try:
            getattr(model, name)
        except (AttributeError, SufficeError):
            return False
        return True

    return {k for k in dir(model) if k.endswith("_") and not k.startswith("_") and there(k)}


@check(storable, adds)
def saved_model_goes_on(case: Case) -> None:
    half = saved(case.fit(slice(30)))
    case.assert_same(half.partial_fit(rows(case.data.X, slice(30, None)), case.data.y[30:]), 1e-9)


@check(storable, repeats)
def unfitted_model_can_be_saved(case: Case) -> None:
    case.assert_same(saved(case.model()).fit(case.data.X, case.data.y), 0.0)
