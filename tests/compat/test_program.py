"""`python -m suffice.compat`: what it says of scripts, what it makes of them, and how it ends."""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from suffice import cli, generative
from suffice.compat import check, swapped
from suffice.compat.counterparts import counterpart
from suffice.compat.program import DONE, UNUSABLE, main
from suffice.compat.report import as_json, words
from suffice.compat.sources import script_of_notebook


def verdicts(code: str) -> dict[str, str]:
    return {name.path.removeprefix("sklearn."): name.verdict for name in check(code).names}


def reasons(code: str) -> list[str]:
    return [f"{r.line}: {r.says}" for name in check(code).names for r in name.why]


class Perceptron:
    """Stands for a class of ours that does less than its namesake."""

    coef_: object

    def __init__(self, *, max_iter=1000, tol=1e-3, shuffle=True):
        self.max_iter, self.tol, self.shuffle = max_iter, tol, shuffle

    def fit(self, X, y):
        return self


@pytest.fixture(autouse=True)
def _one_that_lacks_things(monkeypatch):
    """Whatever the real one takes by now; and a window of one width."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(generative, "Perceptron", Perceptron)
    counterpart.cache_clear()
    yield
    counterpart.cache_clear()


# -- which names ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "code",
    [
        "from sklearn.linear_model import Ridge\nRidge()",
        "from sklearn.linear_model import Ridge as R\nR()",
        "import sklearn.linear_model as lm\nlm.Ridge()",
        "import sklearn.linear_model\nsklearn.linear_model.Ridge()",
        "from sklearn import linear_model\nlinear_model.Ridge()",
        "from sklearn import linear_model as lm\nlm.Ridge()",
        "import sklearn as sk\nsk.linear_model.Ridge()",
        "from sklearn.linear_model._ridge import Ridge\nRidge()",
        "def f():\n    from sklearn.linear_model import Ridge\n    return Ridge()",
        "try:\n    from sklearn.linear_model import Ridge\nexcept ImportError:\n    Ridge = None",
        "def f():\n    return lm.Ridge()\nimport sklearn.linear_model as lm",
    ],
)
def test_a_name_is_found_however_it_is_imported(code):
    assert "swap" in verdicts(code).values()
    after = swapped(code)
    assert "suffice.linear" in after
    found = {}
    exec(after, found)


def test_names_of_every_kind():
    code = (
        "from sklearn.linear_model import Ridge, Perceptron, SGDRegressor\n"
        "from sklearn.model_selection import cross_validate, train_test_split\n"
        "from sklearn.cross_validation import KFold\n"
        "import statsmodels.api as sm\n"
        "print(Perceptron(penalty='l2'), sm.OLS(y, X))\n"
    )
    assert verdicts(code) == {
        "linear_model.Ridge": "swap",
        "linear_model.Perceptron": "stays",
        "linear_model.SGDRegressor": "beside",
        "model_selection.cross_validate": "different",
        "model_selection.train_test_split": "same",
        "cross_validation": "gone",
        "statsmodels.api.OLS": "elsewhere",
    }


@pytest.mark.parametrize(
    "path", ["datasets.load_boston", "grid_search", "externals.joblib", "svm.NoSuchMachine"]
)
def test_what_the_installed_version_lacks_is_said(path):
    module, _, name = f"sklearn.{path}".rpartition(".")
    assert verdicts(f"from {module} import {name}") == {path: "gone"}
    assert "perhaps of another version" in words(check(f"from {module} import {name}"))


def test_experimental_names_are_there_once_they_are_enabled():
    enabled = "from sklearn.experimental import enable_halving_search_cv\n"
    code = enabled + "from sklearn.model_selection import HalvingGridSearchCV"
    assert verdicts(code) == {"model_selection.HalvingGridSearchCV": "same"}


@pytest.mark.parametrize("path", ["externals.array_api_compat.torch", "tests.test_nowhere", "conftest"])
def test_modules_that_need_other_packages_are_not_imported(path):
    code = f"import sklearn.{path}\nsklearn.{path}.something()\nfrom sklearn.{path} import Ridge"
    assert set(verdicts(code).values()) <= {"gone", "beside"}


def test_other_packages_and_relative_imports_are_none_of_ours():
    assert not check("import numpy as np\nfrom .linear_model import Ridge\nfrom . import Ridge").names


# -- what keeps a name ----------------------------------------------------------------------------------------------
PERCEPTRON = "from sklearn.linear_model import Perceptron\n"


@pytest.mark.parametrize(
    ("use", "line", "said"),
    [
        ("Perceptron(penalty='l1')", 2, "ours takes no penalty="),
        ("p = Perceptron().fit(X, y)\nprint(p.t_)", 3, "ours has no `t_`"),
        ("print(\n    Perceptron()\n    .fit(X, y)\n    .t_)", 5, "ours has no `t_`"),
        ("for p in [Perceptron()]:\n    print(p.t_)", 3, "`.t_` may be asked of it"),
        ("p = Perceptron()\np.fit(X, y, coef_init=w)", 3, "`fit` of ours takes no coef_init="),
        ("p = Perceptron()\np.sparsify()", 3, "ours has no `sparsify`"),
        ("Perceptron('l2', 0.1)", 2, "ours takes no arguments by position"),
        ("class Mine(Perceptron):\n    pass", 2, "a class inherits from it"),
        ("grid = {'perceptron__penalty': ['l1']}", 2, "may name its parameter `penalty`"),
        ("grid = {'penalty': ['l1']}", 2, "may name its parameter `penalty`"),
        ("pipe.set_params(p__alpha=1)", 2, "may name its parameter `alpha`"),
        ("from functools import partial\npartial(Perceptron, alpha=1)", 3, "ours takes no alpha="),
        ("from sklearn.base import clone\np = clone(Perceptron())\np.t_", 4, "ours has no `t_`"),
        (
            "class A:\n    def f(self):\n        self.p = Perceptron()\n        self.p.t_",
            5,
            "ours has no `t_`",
        ),
    ],
)
def test_a_name_stays_where_ours_would_not_do(use, line, said):
    code = PERCEPTRON + use
    found = reasons(code)
    assert any(r.startswith(f"{line}: ") and said in r for r in found), found
    assert swapped(code) == code


def test_an_attribute_of_another_meaning_keeps_the_name():
    code = "from sklearn.impute import SimpleImputer\ni = SimpleImputer().fit(X)\nfor j in [i]:\n    j.statistics_\n"
    assert reasons(code) == ["4: `.statistics_` may be asked of it, and ours is something else."]
    assert reasons(code + "i.statistics_")[-1] == "5: `statistics_` of ours is something else."


@pytest.mark.parametrize(
    "use",
    [
        "Perceptron(max_iter=5, tol=None, shuffle=False).fit(X, y).coef_",
        "p = Perceptron()\np.nonsense",
        "p = Perceptron()\nother.t_value",
        "grid = {'lasso__penalty': 1}\nfrom sklearn.linear_model import Lasso",
        "import numpy as np\na = np.zeros(3)\na.t_",
    ],
)
def test_a_name_goes_where_nothing_is_lacking(use):
    assert not [r for n in check(PERCEPTRON + use).names if n.path.endswith("Perceptron") for r in n.why]


def test_what_changes_is_said_where_it_is_used():
    code = (
        "from sklearn.linear_model import Ridge, Lasso\n"
        "from sklearn.feature_extraction.text import CountVectorizer\n"
        "Ridge(solver='sag', max_iter=9)\nRidge(**options)\n"
        "CountVectorizer(stop_words=None)\nCountVectorizer(stop_words='english')\n"
    )
    changes = [f"{r.line}: {r.says}" for name in check(code).names for r in name.changes]
    assert all(change.startswith("1: The minimum is exact") for change in changes[:2])
    assert changes[2:4] == [
        "3: solver= and max_iter= are taken without effect.",
        "4: arguments given by stars are not read.",
    ]
    assert changes[4].startswith("6: The list of English words")
    assert len(changes) == 5


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("from sklearn.linear_model import *", "hides which names are meant"),
        ("import sklearn.linear_model as lm\ngetattr(lm, name)", "takes a name at run time"),
        ("import importlib\nimportlib.import_module('sklearn.svm')", "is not followed"),
        ("__import__(name)", "whose name only a run tells"),
        ("from sklearn.utils import all_estimators\nall_estimators()", "at run time"),
        ("exec('import sklearn')", "runs text"),
    ],
)
def test_what_is_not_seen_is_said(code, said):
    assert any(said in r.says for r in check(code).unseen)


def test_eval_of_somebody_else_is_no_remark():
    assert not check("model.eval()\ndef eval(x): pass\neval(3)\ngetattr(a, b)").unseen


# -- the swapped script ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from sklearn.linear_model import (\n    Ridge,  # this\n    SGDRegressor as S,\n)  # that\nx = 1\n",
            "from sklearn.linear_model import SGDRegressor as S\nfrom suffice.linear import Ridge  # that\nx = 1\n",
        ),
        (
            "from sklearn.linear_model import Lasso as L, LogisticRegression",
            "from suffice.glm import LogisticRegression\nfrom suffice.linear import Lasso as L",
        ),
        (
            "x = 1; from sklearn.linear_model import Ridge, SGDRegressor; y = 2",
            "x = 1; from sklearn.linear_model import SGDRegressor; from suffice.linear import Ridge; y = 2",
        ),
        (
            "if a:\n\tfrom sklearn.linear_model import Ridge, SGDRegressor\n",
            "if a:\n\tfrom sklearn.linear_model import SGDRegressor\n\tfrom suffice.linear import Ridge\n",
        ),
        (
            "from sklearn import linear_model, svm\nm = linear_model.Ridge()\n",
            "from sklearn import svm\nimport suffice.linear\nm = suffice.linear.Ridge()\n",
        ),
        (
            "import sklearn.linear_model as lm\nm = [lm.Ridge(), lm.SGDRegressor()]\n",
            "import sklearn.linear_model as lm\nimport suffice.linear\n"
            "m = [suffice.linear.Ridge(), lm.SGDRegressor()]\n",
        ),
        (
            "import sklearn.linear_model\nm = sklearn . linear_model \\\n  .Ridge().coef_\n",
            "import sklearn.linear_model\nimport suffice.linear\nm = suffice.linear.Ridge().coef_\n",
        ),
        (
            "import sklearn.linear_model as lm\né = 'ü', lm.Ridge, lm.Ridge.fit\n",
            "import suffice.linear\né = 'ü', suffice.linear.Ridge, suffice.linear.Ridge.fit\n",
        ),
    ],
)
def test_the_swapped_script(before, after):
    assert swapped(before) == after
    assert swapped(after) == after
    ast.parse(after)


def test_a_name_that_is_bound_again_is_not_rewritten():
    code = "import sklearn.linear_model as lm\ndef f(lm):\n    return lm.Ridge()\n"
    assert swapped(code) == code
    said = as_json(check(code))["not_seen"]
    assert [r["line"] for r in said] == [3]
    assert "`lm` is bound again (line 2)" in said[0]["says"]


def test_a_script_without_swaps_stays_as_it_is():
    code = "\r\n".join(["import os", "from sklearn.svm import SVC", "x = 'é'", ""])
    assert swapped(code) == code.replace("\r\n", "\n")
    assert swapped("") == ""


# -- files ----------------------------------------------------------------------------------------------------------
def run(*arguments: str, capsys) -> tuple[int, str, str]:
    code = main(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


SCRIPT = "from sklearn.linear_model import Ridge, SGDRegressor\nRidge(solver='sag').fit([[1.0]], [1.0])\n"


def test_the_report_as_a_person_reads_it(tmp_path, capsys):
    file = tmp_path / "a.py"
    file.write_text(SCRIPT, encoding="utf-8")
    code, out, err = run(str(file), capsys=capsys)
    assert (code, err) == (DONE, "")
    assert f"{file}: 1 of 2 names from scikit-learn can be swapped." in out
    assert "line 1  sklearn.linear_model.Ridge → suffice.linear.Ridge; adds predictions with" in out
    assert "line 2  Ridge: solver= is taken without effect." in out
    assert "Not covered; stays, and works beside ours\n    line 1  SGDRegressor" in out
    assert file.read_text(encoding="utf-8") == SCRIPT
    assert max(map(len, out.splitlines()[1:])) <= 110


def test_json_diff_and_write(tmp_path, capsys):
    file = tmp_path / "a.py"
    file.write_text(SCRIPT, encoding="utf-8")
    _, out, _ = run(str(file), "--json", capsys=capsys)
    names = json.loads(out)["files"][0]["names"]
    assert [(n["path"], n["verdict"], n["ours"]) for n in names] == [
        ("sklearn.linear_model.Ridge", "swap", "suffice.linear.Ridge"),
        ("sklearn.linear_model.SGDRegressor", "beside", None),
    ]
    _, out, _ = run(str(file), "--diff", capsys=capsys)
    assert "-from sklearn.linear_model import Ridge, SGDRegressor\n" in out
    assert "+from suffice.linear import Ridge\n" in out
    code, out, _ = run(str(file), "--write", capsys=capsys)
    assert (code, out) == (DONE, swapped(SCRIPT))
    assert file.read_text(encoding="utf-8") == SCRIPT


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"print 'a'\n", "is not Python 3; line 1: print without parentheses, as in Python 2"),
        (b"x = 1\ntry:\n    x\nexcept A, e:\n    pass\n", "is not Python 3; line 4:"),
        (b"x = (\n", "is not Python 3; line 1: '(' was never closed"),
        (b"x = '\xff'\n", "is not text that Python reads"),
        (b"# coding: nonsense\n", "is not text that Python reads"),
        (b"x = '\x00'\n", "null bytes"),
        (b"(" * 500 + b")" * 500, "is not Python 3; line 1: too many nested parentheses"),
    ],
)
def test_a_file_that_is_no_python_is_named_and_the_others_are_read(tmp_path, capsys, content, said):
    (tmp_path / "bad.py").write_bytes(content)
    (tmp_path / "good.py").write_text(SCRIPT, encoding="utf-8")
    code, out, err = run(str(tmp_path), capsys=capsys)
    assert code == UNUSABLE
    assert "bad.py" in err
    assert said in err
    assert "1 of 2 names" in out


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"\xef\xbb\xbfx = 1\r\n", b"# coding: latin-1\nx = '\xff'\n", b"r = '\\d'"]
)
def test_odd_files_are_read(tmp_path, capsys, content):
    file = tmp_path / "odd.py"
    file.write_bytes(content)
    code, out, err = run(str(file), capsys=capsys)
    assert (code, err) == (DONE, "")
    assert "it imports nothing from scikit-learn by name." in out


def test_folders_are_searched_but_not_their_hidden_parts_and_environments(tmp_path, capsys):
    for place in ("a.py", "b/c.py", ".hidden/d.py", "__pycache__/e.py", "env/lib/f.py", "b/notes.txt"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    _, out, _ = run(str(tmp_path), "--json", capsys=capsys)
    assert [Path(f["file"]).name for f in json.loads(out)["files"]] == ["a.py", "c.py"]


def test_of_many_files_those_without_scikit_learn_are_only_counted(tmp_path, capsys):
    for name, text in (("a.py", SCRIPT), ("b.py", SCRIPT), ("c.py", "import os\n"), ("d.py", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    _, out, _ = run(str(tmp_path), capsys=capsys)
    assert "c.py" not in out
    assert "2 more files import nothing from scikit-learn." in out
    assert out.endswith("Together: 2 of 4 names from scikit-learn can be swapped.\n")


def test_folds_without_refitting_are_said_of_searches_and_functions_alone():
    code = "from sklearn.model_selection import GridSearchCV, cross_val_score\nfrom sklearn.linear_model import Ridge"
    said = {line.partition("; adds")[0].split()[-1]: line for line in words(check(code), 1000).splitlines()}
    for name in ("GridSearchCV", "cross_val_score"):
        assert "folds without refitting" in said[f"suffice.evaluation.{name}"]
    assert "folds without refitting" not in said["suffice.linear.Ridge"]


def test_what_cannot_be_done_is_said(tmp_path, capsys):
    code, _, err = run(str(tmp_path / "none.py"), capsys=capsys)
    assert code == UNUSABLE
    assert "There is no file or folder" in err
    code, _, err = run(str(tmp_path), capsys=capsys)
    assert code == UNUSABLE
    assert "holds no file that ends in .py" in err
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(SCRIPT, encoding="utf-8")
    code, out, err = run(str(tmp_path), "--write", capsys=capsys)
    assert (code, out) == (UNUSABLE, "")
    assert "--diff takes any number" in err


def test_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SCRIPT.encode())))
    code, out, _ = run("-", capsys=capsys)
    assert code == DONE
    assert out.startswith("standard input: 1 of 2 names")


def test_control_characters_of_a_script_command_no_terminal(capsys, tmp_path):
    file = tmp_path / "a.py"
    file.write_text(
        "from sklearn.linear_model import Ridge\ngrid = {'\x1b[31m__solver': 1}\ngetattr('\x1b', 1)\n"
    )
    _, out, _ = run(str(file), capsys=capsys)
    assert "\x1b" not in out


# -- notebooks ------------------------------------------------------------------------------------------------------
def notebook(*cells: str | list[str], language: str = "python", **more) -> str:
    made = [{"cell_type": "code", "source": c, "outputs": [], "metadata": {}} for c in cells]
    book = {"cells": [{"cell_type": "markdown", "source": "from sklearn"}, *made], "nbformat": 4, **more}
    return json.dumps(book | {"metadata": {"language_info": {"name": language}}})


MAGICS = notebook(
    "%matplotlib inline\n!pip install x \\\n  y\nfrom sklearn.linear_model import Ridge, SGDRegressor\n",
    "%%bash\nfrom nowhere to nothing\n",
    "%%time\nmodel = Ridge().fit(X, y)\nmodel?\n",
    ["files = !ls\n", "text = '''\n", "%d !x\n", "'''\n", "if True:\n", "    %timeit model.predict(X)"],
)


def test_magics_of_notebooks_are_passed_over():
    report = check(script_of_notebook(MAGICS))
    assert not report.unseen
    assert "code cell 1, line 4  sklearn.linear_model.Ridge → suffice.linear.Ridge" in words(report)


def test_a_swapped_notebook_keeps_its_magics_and_outputs(tmp_path, capsys):
    file = tmp_path / "a.ipynb"
    file.write_text(MAGICS, encoding="utf-8")
    code, out, _ = run(str(file), "--write", capsys=capsys)
    assert code == DONE
    before, after = json.loads(MAGICS), json.loads(out)
    assert "".join(after["cells"][1]["source"]) == (
        "%matplotlib inline\n!pip install x \\\n  y\n"
        "from sklearn.linear_model import SGDRegressor\nfrom suffice.linear import Ridge\n"
    )
    for old, new in zip(before["cells"][2:], after["cells"][2:], strict=True):
        assert "".join(new["source"]) == "".join(old["source"])
    assert after["metadata"] == before["metadata"]


def test_a_broken_cell_is_named_and_the_others_are_read():
    report = check(script_of_notebook(notebook("x = 1\nprint x", "from sklearn.linear_model import Ridge")))
    assert [n.verdict for n in report.names] == ["swap"]
    assert "code cell 1, line 2  this cell is not read: print without parentheses" in words(report)


def test_old_notebooks_have_worksheets():
    cells = [{"cell_type": "code", "input": ["from sklearn.linear_model import Ridge"]}]
    report = check(script_of_notebook(json.dumps({"worksheets": [{"cells": cells}], "metadata": {}})))
    assert report.swaps
    assert "suffice.linear" in swapped(report)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no notebook: it is not JSON"),
        ("[1]", "is no notebook: it has no cells"),
        (notebook("x <- 1", language="R"), "is a notebook of R, not of Python"),
    ],
)
def test_what_is_no_notebook_of_python(tmp_path, capsys, text, said):
    file = tmp_path / "a.ipynb"
    file.write_text(text, encoding="utf-8")
    code, _, err = run(str(file), capsys=capsys)
    assert code == UNUSABLE
    assert said in err


# -- the two doors --------------------------------------------------------------------------------------------------
def test_the_command_prints_the_same(tmp_path, capsys):
    file = tmp_path / "a.py"
    file.write_text(SCRIPT, encoding="utf-8")
    _, out, _ = run(str(file), "--json", capsys=capsys)
    result = CliRunner().invoke(cli.application(), ["compat", str(file), "--json"])
    assert (result.exit_code, result.stdout) == (DONE, out)
    result = CliRunner().invoke(cli.application(), ["compat", str(file), "--json", "--diff"])
    assert result.exit_code == UNUSABLE


@pytest.mark.slow
def test_as_a_module_and_its_exit_codes(tmp_path):
    (tmp_path / "a.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "b.py").write_text("x = (", encoding="utf-8")
    command = [sys.executable, "-m", "suffice.compat"]
    done = subprocess.run([*command, "a.py", "b.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == UNUSABLE
    assert "1 of 2 names" in done.stdout
    assert done.stderr == "b.py is not Python 3; line 1: '(' was never closed.\n"
