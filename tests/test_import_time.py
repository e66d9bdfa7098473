"""`import suffice` is light: rooms and heavy packages are loaded when first used."""

import subprocess
import sys

import pytest

HEAVY = (
    "matplotlib",
    "pandas",
    "polars",
    "numba",
    "torch",
    "scipy.stats",
    "typer",
    "rich",
    "jinja2",
    "pyarrow",
)


def loaded_after(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("code", ["import suffice", "import suffice; suffice.__version__; dir(suffice)"])
def test_import_loads_nothing_heavy(code):
    modules = loaded_after(code)
    assert modules.isdisjoint(HEAVY)
    assert modules.isdisjoint({"numpy", "scipy", "sklearn"})
    assert not {m for m in modules if m.startswith("suffice.") and m != "suffice._version"}


@pytest.mark.slow
def test_models_load_nothing_that_only_plots_and_reports_need():
    code = (
        "import suffice\n"
        "from suffice.linear import BayesianLinearRegression\n"
        "from suffice import evaluation, engine, baselines, datasets, merge, forget, save, load\n"
        "m = BayesianLinearRegression().fit([[0.0], [1.0], [2.5], [3.0]], [0.0, 1.5, 2.0, 3.5])\n"
        "m.predict_dist([[1.0]]).interval(0.9)\n"
    )
    foreign = {"scipy.stats", "pandas", "pyarrow", "rich"}  # scikit-learn loads these where it finds them
    assert loaded_after(code).isdisjoint(set(HEAVY) - foreign)
