"""`suffice models`: the catalogue, and a card of each model."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from suffice.cli.catalogue import catalogue, first_sentence, grid, paragraph, parameter_sentences
from suffice.linear import Ridge
from suffice.study.models import CANDIDATES, CATALOGUE


def test_the_list_has_every_model_with_its_facts(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    result = run("models")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80
    words = " ".join(result.output.split())
    for c in (*CATALOGUE, *CANDIDATES):
        assert c.name in words
    assert "generative; for study, fit; FCML" in words
    assert "for Python" in words


def test_json_says_the_same(run):
    tree = json.loads(run("models", "--json").stdout)
    known = {e["name"]: e for e in tree}
    assert set(known) == {c.name for c in (*CATALOGUE, *CANDIDATES)}
    assert known["ridge"]["class"] == "suffice.linear.Ridge"
    assert known["ridge"]["tasks"] == ["regression"]
    assert known["ridge"]["generative"] is False
    assert known["perceptron"]["for"] == ["Python"]
    assert known["forest"]["kind"] == "reference"


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_model_has_a_card(run, name):
    result = run("models", name, "--json")
    assert result.exit_code == 0, result.output
    tree = json.loads(result.stdout)
    model = catalogue()[name].build()
    assert [p["name"] for p in tree["parameters"]] == list(model.get_params(deep=False))
    assert tree["about"]


def test_a_card_tells_parameters_grid_and_commands(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    result = run("models", "ridge")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80
    for words in (
        "from suffice.linear import Ridge",
        "suffice fit DATA --target COLUMN --model ridge",
        "Penalty; larger values shrink the weights more.",
        "values of alpha: ",
    ):
        assert words in result.output


def test_parameters_are_read_from_the_docstring():
    told = parameter_sentences(Ridge)
    assert set(told) >= set(Ridge().get_params(deep=False)) - {"weight_kind"}
    assert all(sentence for sentence in told.values())
    assert paragraph(Ridge).endswith(".")
    values = grid(catalogue()["ridge"])["alpha"]
    assert np.all(np.diff(values) > 0)


@pytest.mark.parametrize("name", list(catalogue()))
def test_a_parameter_is_told_in_one_plain_sentence(name):
    for told in parameter_sentences(type(catalogue()[name].build())).values():
        assert not re.search(r":\w+:`|\.\. \w+|``| - If |:$", told), told


def test_lists_and_directives_are_left_out():
    body = "    How many, see :ref:`this <that>` and :meth:`fit`:\n\n    - If int, so.\n\n    .. versionadded:: 1.0\n"
    assert first_sentence(body) == "How many, see this and fit."
    assert first_sentence("    ``True`` or not. :meth:`fit` too.") == "`True` or not."


def test_an_unknown_name_is_refused_with_what_is_near(run):
    result = run("models", "rigde")
    assert result.exit_code == 2
    assert "There is no model 'rigde'. Did you mean 'ridge'" in result.output
