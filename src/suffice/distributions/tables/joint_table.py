r"""Tables of joint probability over finitely many labelled values.

Sum rule      P(X) = Σ_y P(X, y)
Product rule  P(X, Y) = P(Y | X) P(X)
Bayes         P(X | y) = P(y | X) P(X) / Σ_x P(y | x) P(x)
Counts        P(x, y) = n_xy / n

`prior * conditional` is the product rule, `a * b` of tables without a common variable is independence.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, final

import numpy as np

from suffice._core.errors import InvalidInput, InvalidParameter
from suffice._core.frames import to_frame
from suffice._core.random import generator
from suffice._core.records import record
from suffice.distributions._checks import (
    assign,
    check_total,
    filled_weights,
    frozen,
    parameter,
    sample_shape,
)
from suffice.distributions.tables import _text
from suffice.distributions.tables.inverse_cdf import stick
from suffice.distributions.tables.propositions import Event

_SHOWN = 12  # rows and columns that a repr shows


@final
@record
class JointTable:
    """The joint probabilities of one or more variables with finitely many values.

    Parameters
    ----------
    values
        Probabilities that sum to one: an array with one axis per variable.
    names
        The variables, in the order of the axes: a list of names, or a mapping from names to labels.
    labels
        One list of labels per axis, where `names` is a list. They count from 0 unless given.

    Examples
    --------
    >>> from suffice.distributions import JointTable
    >>> cars = JointTable.from_counts(
    ...     [[11, 10, 9], [17, 12, 2], [28, 21, 32]],
    ...     {"origin": ["France", "Germany", "USA"], "cylinders": [4, 6, 8]},
    ... )
    >>> cars
    JointTable of origin, cylinders
    origin \\ cylinders        4        6         8    total
    France             0.07746  0.07042   0.06338   0.2113
    Germany             0.1197  0.08451   0.01408   0.2183
    USA                 0.1972   0.1479    0.2254   0.5704
    total               0.3944   0.3028    0.3028        1
    >>> print(f"{cars.P({'origin': 'Germany'}, given={'cylinders': 8}):.4f}")
    0.0465
    >>> cars.independent("origin", "cylinders")
    False
    """

    values: Any
    names: Any
    labels: Any = None

    def __post_init__(self) -> None:
        values = parameter("values", self.values, low=0.0)
        if values.ndim == 0:
            raise InvalidParameter(f"values must have one axis per variable; got the number {values}.")
        names, labels = _text.named_axes(self.names, self.labels, values.shape)
        assign(self, values=_text.check_sum("values", values), names=names, labels=labels)

    # -- other ways to make one --------------------------------------------------------------------

    @classmethod
    def from_counts(cls, counts: Any, names: Any, labels: Any = None) -> JointTable:
        """Relative frequencies from a table of counts."""
        counts = parameter("counts", counts, low=0.0)
        check_total(float(counts.sum()))
        return cls(counts / counts.sum(), names, labels)

    @classmethod
    def from_data(cls, columns: Mapping[str, Any], weight: Any = None) -> JointTable:
        """Relative frequencies of the labels that occur together in the rows of some columns."""
        arrays = {name: np.asarray(column) for name, column in columns.items()}
        if {a.ndim for a in arrays.values()} != {1} or len({len(a) for a in arrays.values()}) != 1:
            shapes = {name: a.shape for name, a in arrays.items()}
            raise InvalidInput(f"columns must be vectors of one length; got shapes {shapes}.")
        for name, a in arrays.items():
            if a.dtype.kind == "f" and np.isnan(a).any():
                raise InvalidInput(f"Column {name!r} has NaN at row {int(np.argmax(np.isnan(a)))}.")
        found = {name: np.unique(a, return_inverse=True) for name, a in arrays.items()}
        counts = np.zeros([len(values) for values, _ in found.values()])
        rows = len(next(iter(arrays.values())))
        np.add.at(counts, tuple(i for _, i in found.values()), filled_weights(weight, rows))
        return cls.from_counts(counts, {name: values for name, (values, _) in found.items()})

    @classmethod
    def from_conditional(cls, prior: JointTable, conditional: Any, names: Any = None) -> JointTable:
        """The product rule, P(X, Y) = P(X) P(Y | X).

        `conditional` is a `ConditionalTable`, or an array whose first axes are those of `prior` and whose
        other axes, named by `names`, sum to one.
        """
        if not isinstance(conditional, ConditionalTable):
            if names is None:
                raise InvalidParameter("names must say what the new variables of the conditional are called.")
            given = dict(zip(prior.names, prior.labels, strict=True))
            conditional = ConditionalTable(conditional, names, given)
        return prior * conditional

    # -- the rules of probability ------------------------------------------------------------------

    def axis(self, name: str) -> int:
        """Which axis of `values` belongs to a variable."""
        return _text.find_axis(self.names, name)

    def locate(self, name: str, label: Any) -> tuple[int, int]:
        """Axis of a variable and the position of a label on it."""
        axis = self.axis(name)
        return axis, _text.find_label(name, self.labels[axis], label)

    def marginal(self, *names: str) -> JointTable:
        """The sum rule: the table of these variables, in this order; the others are summed out."""
        axes = [self.axis(name) for name in names]
        if not axes or len(set(axes)) < len(axes):
            raise InvalidInput(f"marginal needs different names, one at least; got {list(names)}.")
        summed = self.values.sum(axis=tuple(set(range(self.values.ndim)) - set(axes)))
        order = np.argsort(np.argsort(axes))
        return JointTable(np.transpose(summed, order), names, tuple(self.labels[a] for a in axes))

    def condition(self, given: Mapping[str, Any]) -> JointTable:
        """The table of the other variables, given the labels of some."""
        places: list[Any] = [slice(None)] * self.values.ndim
        for name, label in given.items():
            axis, place = self.locate(name, label)
            places[axis] = place
        left = [i for i, place in enumerate(places) if isinstance(place, slice)]
        if not left:
            raise InvalidInput(f"Nothing is left of the table once {_label_text(given)} is given.")
        part = self.values[tuple(places)]
        names, labels = tuple(self.names[i] for i in left), tuple(self.labels[i] for i in left)
        return JointTable(part / _possible(float(part.sum()), _label_text(given)), names, labels)

    def conditional(self, names: Any, given: Any) -> Any:
        """P(names | given): a `JointTable` where `given` maps variables to labels.

        A `ConditionalTable` with one distribution per label where `given` is a name or several.
        """
        names = _text.name_list(names)
        if isinstance(given, Mapping):
            return self.marginal(*names, *given).condition(given)
        given = _text.name_list(given)
        joint = self.marginal(*given, *names)
        total = joint.values.sum(axis=tuple(range(len(given), joint.values.ndim)), keepdims=True)
        for cell, p in zip(itertools.product(*joint.labels[: len(given)]), total.flat, strict=True):
            _possible(p, _label_text(dict(zip(given, cell, strict=True))))
        return ConditionalTable(joint.values / total, names, given, joint.labels)

    def bayes(self, names: Any, given: Mapping[str, Any]) -> Bayes:
        """Bayes' rule for the hypotheses `names`, with all its parts, given the labels of other variables."""
        names = _text.name_list(names)
        prior, joint = self.marginal(*names), self.marginal(*names, *given)
        seen = tuple(joint.locate(name, label)[1] for name, label in given.items())
        both = joint.values[(..., *seen)]
        with np.errstate(invalid="ignore"):
            likelihood = frozen(both / prior.values)
        evidence = _possible(float(both.sum()), _label_text(given))
        return Bayes(prior, likelihood, evidence, JointTable(both / evidence, names, prior.labels))

    def P(self, event: Event | Mapping[str, Any], given: Event | Mapping[str, Any] | None = None) -> float:
        """Probability of a proposition, or of the labels in a mapping, perhaps given another."""
        event = _event(event)
        if given is None:
            return self._mass(event)
        given = _event(given)
        return self._mass(event & given) / _possible(self._mass(given), given.text)

    def _mass(self, event: Event) -> float:
        return float(self.values[np.broadcast_to(event.holds(self), self.values.shape)].sum())

    def independent(self, a: Any, b: Any, given: Any = None, tolerance: float = 1e-9) -> bool:
        """Whether P(a, b) = P(a) P(b) in every cell; given a label, or given every possible one of a variable."""
        a, b = _text.name_list(a), _text.name_list(b)
        if isinstance(given, Mapping):
            return self.condition(given).independent(a, b, tolerance=tolerance)
        given = () if given is None else _text.name_list(given)
        table = self.marginal(*given, *a, *b)
        p = table.values.reshape(_size(table, given), _size(table, a), _size(table, b))  # (given, a, b)
        total = p.sum(axis=(1, 2), keepdims=True)
        gap = p * total - p.sum(axis=2, keepdims=True) * p.sum(axis=1, keepdims=True)
        return bool(np.all(np.abs(gap) <= tolerance * total**2))

    # -- expectations --------------------------------------------------------------------------------

    def expectation(self, f: str | Callable[..., Any], given: Mapping[str, Any] | None = None) -> Any:
        """E f, where f takes one label per variable, in the order of the table; or the mean of a variable.

        With `given`, f takes the variables that are left.
        """
        if given is not None:
            return self.condition(given).expectation(f)
        if isinstance(f, str):
            return float(self.marginal(f).values @ self._numbers(f))
        terms = [p * np.asarray(f(*cell), dtype=float) for cell, p in self.cells() if p > 0]
        return np.sum(terms, axis=0)[()]

    def covariance(self, a: str, b: str | None = None) -> float:
        """E (a − E a)(b − E b); the variance of a where b is left out."""
        b = a if b is None else b
        x, y = (self._numbers(name) - self.expectation(name) for name in (a, b))
        if a == b:
            return float(self.marginal(a).values @ x**2)
        return float(x @ self.marginal(a, b).values @ y)

    def correlation(self, a: str, b: str) -> float:
        """Covariance over the standard deviations."""
        spread = self.covariance(a) * self.covariance(b)
        if spread == 0:
            raise InvalidInput(f"The correlation of {a} and {b} is undefined: one of them is constant.")
        return float(np.clip(self.covariance(a, b) / np.sqrt(spread), -1, 1))

    def derived(self, f: Callable[..., Any], name: str = "value") -> JointTable:
        """The distribution of a function of the variables, such as the sum of two dice."""
        masses: dict[Any, float] = {}
        for cell, p in self.cells():
            masses[f(*cell)] = masses.get(f(*cell), 0.0) + p
        return JointTable(list(masses.values()), {name: list(masses)})

    def _numbers(self, name: str) -> np.ndarray:
        return _text.numeric(name, self.labels[self.axis(name)])

    # -- sampling, algebra, display --------------------------------------------------------------------

    def sample(self, n: int | None = None, rng: Any = None) -> dict[str, Any]:
        """`n` draws of all variables: one array of labels per name."""
        flat = stick(self.values.ravel(), generator(rng).random(sample_shape(n)))
        places = np.unravel_index(flat, self.values.shape)
        return {k: _text.column(v, i) for k, v, i in zip(self.names, self.labels, places, strict=True)}

    def __mul__(self, other: Any) -> JointTable:
        """The product rule with a `ConditionalTable`; independence with another table."""
        if isinstance(other, JointTable):
            other = ConditionalTable(other.values, other.names, (), other.labels)
        if not isinstance(other, ConditionalTable):
            return NotImplemented
        axes = [self.axis(name) for name in other.given]
        for axis, labels in zip(axes, other.labels, strict=False):
            if self.labels[axis] != labels:
                raise InvalidInput(f"The two tables give {self.names[axis]} different labels.")
        k = len(axes)
        ordered = np.transpose(other.values, [*np.argsort(axes), *range(k, other.values.ndim)])
        shape = [n if i in axes else 1 for i, n in enumerate(self.values.shape)]
        factor = ordered.reshape(*shape, *other.values.shape[k:])
        prior = self.values.reshape(*self.values.shape, *[1] * len(other.names))
        return JointTable(prior * factor, (*self.names, *other.names), (*self.labels, *other.labels[k:]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def cells(self) -> Iterator[tuple[tuple[Any, ...], float]]:
        """Every combination of labels with its probability."""
        return zip(itertools.product(*self.labels), self.values.ravel().tolist(), strict=True)

    def frame(self, kind: str = "pandas") -> Any:
        """One row per cell."""
        cells = list(self.cells())
        columns = {name: [cell[i] for cell, _ in cells] for i, name in enumerate(self.names)}
        return to_frame(columns | {"probability": [p for _, p in cells]}, kind)

    def __repr__(self) -> str:
        return f"JointTable of {', '.join(self.names)}\n{_text.text_table(self._rows())}"

    def _repr_html_(self) -> str:
        return _text.html_table(f"P({', '.join(self.names)})", self._rows())

    def _rows(self) -> list[list[str]]:
        """A grid with totals for two variables, otherwise one line per cell, the first of many."""
        if self.values.ndim == 2 and max(self.values.shape) <= _SHOWN:
            return _grid(self)
        lines = [[*map(str, cell), f"{p:.4g}"] for cell, p in itertools.islice(self.cells(), _SHOWN)]
        more = [["…"] * (self.values.ndim + 1)] if self.values.size > _SHOWN else []
        return [[*self.names, "probability"], *lines, *more]


@final
@record
class ConditionalTable:
    """One distribution of some variables for every combination of labels of others, P(names | given).

    Parameters
    ----------
    values
        Axes of the given variables first, then those of the variables themselves, over which each
        distribution sums to one.
    names
        The variables: a list of names, or a mapping from names to labels.
    given
        The variables conditioned on, likewise.
    labels
        One list of labels per axis, where `names` and `given` are lists.

    Examples
    --------
    >>> from suffice.distributions import JointTable
    >>> from suffice.distributions.tables.joint_table import ConditionalTable
    >>> cab = JointTable([0.15, 0.85], {"cab": ["blue", "green"]})
    >>> said = {"said": ["blue", "green"]}
    >>> witness = ConditionalTable([[0.8, 0.2], [0.2, 0.8]], said, {"cab": ["blue", "green"]})
    >>> (cab * witness).bayes("cab", {"said": "blue"})
    Bayes' rule, evidence 0.29
    cab    prior  likelihood  posterior
    blue    0.15         0.8     0.4138
    green   0.85         0.2     0.5862
    """

    values: Any
    names: Any
    given: Any
    labels: Any = None

    def __post_init__(self) -> None:
        values = parameter("values", self.values, low=0.0)
        given, names = ((v,) if isinstance(v, str) else v for v in (self.given, self.names))
        k = len(given)
        if self.labels is None:
            parts = [_text.named_axes(given, None, values.shape[:k])]
            parts.append(_text.named_axes(names, None, values.shape[k:]))
            labels: Any = (*parts[0][1], *parts[1][1])
        else:
            labels = self.labels
        every, labels = _text.named_axes((*given, *names), labels, values.shape)
        values = _text.check_sum("each distribution", values, tuple(range(k, values.ndim)))
        assign(self, values=values, given=every[:k], names=every[k:], labels=labels)

    def at(self, given: Mapping[str, Any]) -> JointTable:
        """The distribution for these labels."""
        if set(given) != set(self.given):
            raise InvalidInput(f"at needs a label for each of {list(self.given)}; got {list(given)}.")
        places = (_text.find_label(n, self.labels[i], given[n]) for i, n in enumerate(self.given))
        return JointTable(self.values[tuple(places)], self.names, self.labels[len(self.given) :])

    def joint(self, prior: JointTable) -> JointTable:
        """The product rule, P(given) P(names | given)."""
        return prior * self

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        head = f"ConditionalTable of {', '.join(self.names)} given {', '.join(self.given)}"
        return f"{head}\n{_text.text_table(self._rows())}"

    def _repr_html_(self) -> str:
        return _text.html_table(f"P({', '.join(self.names)} | {', '.join(self.given)})", self._rows())

    def _rows(self) -> list[list[str]]:
        """One line per combination of given labels, one column per combination of the others."""
        k = len(self.given)
        above, left = (list(itertools.product(*part)) for part in (self.labels[k:], self.labels[:k]))
        flat = self.values.reshape(len(left), len(above))[:_SHOWN, :_SHOWN]
        head = [_corner(self.given, self.names), *(_cell(c) for c in above[:_SHOWN])]
        return [head, *([_cell(c), *(f"{p:.4g}" for p in row)] for c, row in zip(left, flat, strict=False))]


@final
@record
class Bayes:
    """Bayes' rule in parts: posterior = prior × likelihood / evidence.

    The likelihood is no distribution over the hypotheses; it is NaN where the prior is zero.
    """

    prior: JointTable
    likelihood: np.ndarray
    evidence: float
    posterior: JointTable

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.posterior.values, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return f"Bayes' rule, evidence {self.evidence:.4g}\n{_text.text_table(self._rows())}"

    def _repr_html_(self) -> str:
        return _text.html_table(f"Bayes' rule, evidence {self.evidence:.4g}", self._rows())

    def _rows(self) -> list[list[str]]:
        parts = (self.prior.values.flat, self.likelihood.flat, self.posterior.values.flat)
        lines = zip(itertools.product(*self.prior.labels), *parts, strict=True)
        body = [[_cell(cell), *(f"{p:.4g}" for p in row)] for cell, *row in itertools.islice(lines, _SHOWN)]
        return [[", ".join(self.prior.names), "prior", "likelihood", "posterior"], *body]


def equally_likely(outcomes: Iterable[Any], name: str = "outcome") -> JointTable:
    """1/N for each of N outcomes; an outcome listed twice counts twice.

    Examples
    --------
    >>> from suffice.distributions import Event, equally_likely
    >>> die = equally_likely([-2, 1, 1, 4, 4, 10], "face")
    >>> print(die.expectation("face"), round(die.covariance("face"), 12))
    3.0 14.0
    >>> equally_likely(range(1, 7), "face").P(Event.that(lambda face: face in (2, 3, 5)))
    0.5
    """
    counts: dict[Any, int] = {}
    for outcome in outcomes:
        counts[outcome] = counts.get(outcome, 0) + 1
    if not counts:
        raise InvalidInput("equally_likely needs one outcome at least.")
    return JointTable.from_counts(list(counts.values()), {name: list(counts)})


def _event(event: Any) -> Event:
    if isinstance(event, Event):
        return event
    if isinstance(event, Mapping):
        return Event.where(event)
    raise InvalidInput(f"An event is an Event or a mapping from variables to labels; got {event!r}.")


def _possible(p: float, what: str) -> float:
    """The probability conditioned on, unless it is zero."""
    if not p > 0:
        raise InvalidInput(f"Cannot condition on {what}: its probability is zero.")
    return p


def _label_text(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {label}" for name, label in given.items()) or "nothing"


def _size(table: JointTable, names: tuple[str, ...]) -> int:
    return int(np.prod([len(table.labels[table.axis(n)]) for n in names], dtype=int))


def _cell(cell: tuple[Any, ...]) -> str:
    return ", ".join(map(str, cell))


def _corner(rows: Iterable[str], columns: Iterable[str]) -> str:
    return f"{', '.join(rows)} \\ {', '.join(columns)}"


def _grid(table: JointTable) -> list[list[str]]:
    down, across = table.labels
    body = np.block([[table.values, table.values.sum(1)[:, None]], [table.values.sum(0), np.ones(1)]])
    head = [_corner(table.names[:1], table.names[1:]), *map(str, across), "total"]
    return [
        head,
        *([str(v), *(f"{p:.4g}" for p in row)] for v, row in zip((*down, "total"), body, strict=True)),
    ]
