"""A model by name: what it is, how it is built, what it says about itself, and where a study tries it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from suffice._core.records import record
from suffice.study.models.sizes import from_statistics
from suffice.study.sections import Estimates

if TYPE_CHECKING:
    from suffice.study.reading.problem import Problem


def no_estimates(model: Any, names: Sequence[str], confidence: float) -> Estimates | None:
    """For models without weights."""
    return None


def no_facts(model: Any) -> dict[str, float]:
    """For models that have nothing to print."""
    return {}


def no_grid(problem: Problem) -> dict[str, Sequence[Any]]:
    """For models without a parameter to choose."""
    return {}


def always(problem: Problem) -> str | None:
    """For models that every problem of their tasks can be given to."""
    return None


@record
class Trying:
    """Where a study tries a model: its tasks, settings that differ from `build` (these may depend on the problem), and
    the values to choose among.

    `grid(problem)` may look at the size of a problem and the scale of its target. `why_not(problem)` says why the
    model is not tried on a problem of its tasks, None if it is; an empty reason goes without saying. `prior` names the
    parameter that a prior or a penalty hangs on. `seconds(problem)` is about how long its validation takes, for the
    time that is left. `build()` makes the estimator where a study tries another one than that of the catalogue.
    """

    tasks: tuple[str, ...]
    settings: dict[str, Any] | Callable[[Problem], dict[str, Any]]
    grid: Callable[[Problem], dict[str, Sequence[Any]]] = no_grid
    prior: str | None = None
    why_not: Callable[[Problem], str | None] = always
    seconds: Callable[[Problem], float] = from_statistics
    build: Callable[[], Any] | None = None

    def set_for(self, problem: Problem) -> dict[str, Any]:
        """The settings on a problem."""
        return self.settings(problem) if callable(self.settings) else self.settings


@record
class Candidate:
    """A model by name.

    `build()` makes the unfitted estimator; `estimates(model, names, confidence)` are its weights once fitted, where
    it has any; `facts(model)` are numbers worth printing, by name. `study` says where a study tries it, None if
    nowhere; `kind` is "baseline", "model" or "reference" (a model from outside, for orientation). `files` says
    whether one pass over files fits it. `needs` says in a few words what data it is for, `generative` whether it
    models the columns too, and `book` where the texts treat it.

    Of models that the rows do not tell apart, a study takes the one with the lowest `complexity` among those with
    `states_uncertainty`: their predictive distributions include what the rows leave open about the parameters, and all
    of the scatter. `finds_scale` says that a penalty or prior, chosen by the training rows, keeps its predictions from
    going further than these ask.
    """

    name: str
    title: str
    build: Callable[[], Any]
    description: str
    estimates: Callable[[Any, Sequence[str], float], Estimates | None] = no_estimates
    facts: Callable[[Any], dict[str, float]] = no_facts
    study: Trying | None = None
    kind: str = "model"
    files: bool = True
    needs: str = ""
    generative: bool | None = None
    book: tuple[str, ...] = ()
    complexity: int = 90
    states_uncertainty: bool = False
    finds_scale: bool = False

    def seconds(self, problem: Problem) -> float:
        """About how long its validation takes."""
        return 1.0 if self.study is None else self.study.seconds(problem)

    def tried(self, problem: Problem) -> Any:
        """The estimator as a study tries it, unfitted."""
        if self.study is None:
            return self.build()
        build = self.build if self.study.build is None else self.study.build
        return build().set_params(**self.study.set_for(problem))
