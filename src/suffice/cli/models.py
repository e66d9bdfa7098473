"""Names of models: what `suffice models` lists, `suffice study` compares and `suffice fit` fits."""

from collections.abc import Sequence
from typing import Any

from suffice._core.errors import InvalidParameter, Unsupported, did_you_mean
from suffice.cli.terminal import plain_table, refusals
from suffice.cli.words import assignment, value


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

    @app.command()
    def models() -> None:
        """List the models: those a study tries, those `fit` fits, and those that need all rows in memory."""
        with refusals(typer):
            print_models()


def fitted_models() -> dict[str, Any]:
    """Every model that is fitted from files, by name: those of a study, and those a study does not try."""
    from suffice.baselines import LastValue, MajorityClassifier, PriorClassifier
    from suffice.cli.classifiers import GENERATIVE
    from suffice.cli.linear_models import LINEAR
    from suffice.cli.linked_models import LINKED
    from suffice.study import CANDIDATES, Candidate

    others = (
        Candidate(
            "last",
            "Last value",
            LastValue,
            "Predicts the value of one column, the last unless `column` names another.",
            facts=lambda m: {"Noise standard deviation": m.noise_variance_ml_**0.5},
        ),
        Candidate("majority", "Majority class", MajorityClassifier, "Predicts the most frequent label."),
        Candidate("prior", "Class frequencies", PriorClassifier, "Predicts how often each label occurs."),
    )
    return {c.name: c for c in (*CANDIDATES, *LINEAR, *LINKED, *GENERATIVE, *others)}


def chosen_model(name: str, settings: Sequence[str]) -> tuple[Any, Any]:
    """A candidate and its model, unfitted, with parameters from words such as alpha=2.0."""
    known = fitted_models()
    check_fits_from_statistics(name)
    if name not in known:
        raise InvalidParameter(f"There is no model {name!r}.{did_you_mean(name, list(known))}")
    model = known[name].build()
    for text in settings:
        param, word = assignment("--set", text)
        check_parameter(model, param, "--set")
        if param == "C":  # in place of the precision, which is zero here unless it is given
            model.set_params(prior_precision=None)
        model.set_params(**{param: value(word)})
    return known[name], model


def check_fits_from_statistics(name: str) -> None:
    """Raise for models that need all rows at once, and say where they are."""
    for c in models_of_all_rows():
        if c.name == name:
            cls = type(c.build())
            raise Unsupported(
                f"{c.title} needs all rows at once, so it cannot be fitted from files in one pass; in Python, use "
                f"suffice.{cls.__module__.split('.')[1]}.{cls.__name__}."
            )


def models_of_all_rows() -> tuple[Any, ...]:
    """Models that cannot be fitted from files in one pass."""
    from suffice.cli.classifiers import NEEDS_ROWS
    from suffice.cli.linear_models import ALL_ROWS

    return (*ALL_ROWS, *NEEDS_ROWS)


def check_parameter(model: Any, name: str, option: str) -> None:
    """Raise unless the model has the parameter."""
    own = model.get_params(deep=False)
    if name not in own:
        hint = did_you_mean(name, sorted(own)) if own else " It has none."
        raise InvalidParameter(f"{option}: {type(model).__name__} has no parameter {name!r}.{hint}")


def print_models() -> None:
    """One line per model."""
    from rich.console import Console

    from suffice.study import CANDIDATES

    tried = {c.name for c in CANDIDATES}
    table = plain_table(("name", "model", "for", "what it is"), left=4)
    for c in fitted_models().values():
        table.add_row(c.name, c.title, "study, fit" if c.name in tried else "fit", c.description)
    for c in models_of_all_rows():
        table.add_row(c.name, c.title, "Python", c.description)
    Console(highlight=False).print(table)
