"""Names of models: what `suffice models` lists, `suffice study` compares and `suffice fit` fits."""

from collections.abc import Sequence
from typing import Annotated, Any

from suffice._core.errors import InvalidParameter, Unsupported, did_you_mean
from suffice.cli.terminal import refusals
from suffice.cli.words import assignment, value


def register(app: Any, typer: Any) -> None:
    """Add the command to the application."""

    @app.command()
    def models(
        name: Annotated[str | None, typer.Argument(help="One of them, to see its parameters.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    ) -> None:
        """List the models: what each is, what data it needs, and where the texts have it."""
        with refusals(typer):
            show_models(name, as_json)


def show_models(name: str | None, as_json: bool) -> None:
    """The whole catalogue, or the card of one model."""
    from suffice.cli.catalogue import card, catalogue, entry, print_card, print_catalogue
    from suffice.cli.findings import print_json

    known = catalogue()
    if name is None:
        print_json([entry(c) for c in known.values()]) if as_json else print_catalogue()
        return
    if name not in known:
        raise InvalidParameter(f"There is no model {name!r}.{did_you_mean(name, list(known))}")
    print_json(card(known[name])) if as_json else print_card(known[name])


def fitted_models() -> dict[str, Any]:
    """Every model that is fitted from files, by name."""
    from suffice.study.models import CATALOGUE

    return {c.name: c for c in CATALOGUE if c.files}


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
    from suffice.study.models import CATALOGUE

    return tuple(c for c in CATALOGUE if not c.files)


def check_parameter(model: Any, name: str, option: str) -> None:
    """Raise unless the model has the parameter."""
    own = model.get_params(deep=False)
    if name not in own:
        hint = did_you_mean(name, sorted(own)) if own else " It has none."
        raise InvalidParameter(f"{option}: {type(model).__name__} has no parameter {name!r}.{hint}")
