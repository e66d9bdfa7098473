"""Operations of the conformance cases about probability tables, information, decisions and sampling.

Each follows the rules of `operations.py`: a class, its inputs in the constructor, one public method per answer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from suffice._core.numerics import log_sum_exp
from suffice.distributions import (
    Categorical,
    Event,
    JointTable,
    Normal,
    change_of_variables,
    decision,
    detector,
    equally_likely,
    expectation,
    histogram_equalize,
    inclusion_exclusion,
    information,
    monte_carlo,
    required_error_rate,
    shell_volume,
)

UNIT = Normal(0, 1)
UNIFORM = change_of_variables(UNIT, UNIT.cdf, UNIT.quantile, lambda y: 1 / UNIT.prob(UNIT.quantile(y)))


# -- tables -----------------------------------------------------------------------------------------------
class TwoVariables:
    """P(x) and P(y | x): their joint table, marginals and Bayes' rule."""

    def __init__(self, prior: list[float], conditional: list[list[float]], see: int = 0):
        self.table = JointTable.from_conditional(JointTable(prior, ["x"]), conditional, ["y"])
        self.see = see

    def joint(self):
        return self.table

    def total(self):
        return self.table.values.sum()

    def marginal_y(self):
        return self.table.marginal("y")

    def conditional(self):
        return self.table.conditional("y", given="x")

    def posterior(self):
        return self.table.bayes("x", {"y": self.see}).posterior

    def evidence(self):
        return self.table.bayes("x", {"y": self.see}).evidence


class CoinAndDice:
    """A fair coin chooses a die: the joint table of coin and face."""

    def __init__(self, heads: list[float], tails: list[float]):
        coin, faces = equally_likely("HT", "coin"), {"face": range(1, 7)}
        self.table = JointTable.from_conditional(coin, [heads, tails], faces)

    def three_and_heads(self):
        return self.table.P({"face": 3, "coin": "H"})

    def three_and_tails(self):
        return self.table.P({"face": 3, "coin": "T"})

    def faces(self):
        return self.table.marginal("face")


class Counted:
    """A table of counts and what follows from it."""

    def __init__(self, counts: Any, rows: list[Any], columns: list[Any], row: Any, column: Any):
        self.table = JointTable.from_counts(counts, {"row": rows, "column": columns})
        self.row, self.column = {"row": row}, {"column": column}

    def joint(self):
        return self.table.P(self.row | self.column)

    def of_column(self):
        return self.table.P(self.column)

    def rows(self):
        return self.table.marginal("row")

    def columns(self):
        return self.table.marginal("column")

    def column_given_rows(self):
        rows = self.table.conditional("column", given="row")
        return [rows.at({"row": r}).P(self.column) for r in self.table.labels[0]]

    def row_given_column(self):
        return self.table.P(self.row, given=self.column)

    def by_bayes(self):
        return self.table.bayes("row", self.column).posterior.P(self.row)


class Outcomes:
    """Equally likely outcomes: their probabilities, and the mean and variance of one or of the average of many."""

    def __init__(self, faces: list[Any], of: list[Any] | None = None, rolls: int = 1, average: float = 0.0):
        self.table, self.of, self.average = equally_likely(faces, "face"), of or [], average
        several = self.table.derived(lambda face: (face,), "rolls")
        for _ in range(rolls - 1):
            several = (several * self.table).derived(lambda seen, face: (*seen, face), "rolls")
        self.mean_of_rolls = several.derived(np.mean, "average")

    def probabilities(self):
        return self.table

    def event(self):
        return self.table.P(Event.that(lambda face: face in self.of))

    def mean(self):
        return self.mean_of_rolls.expectation("average")

    def variance(self):
        return self.mean_of_rolls.covariance("average")

    def mean_square(self):
        return self.table.expectation(lambda face: face**2)

    def at_average(self):
        return self.mean_of_rolls.P({"average": self.average})


class Average:
    """The average of some rolls."""

    def __init__(self, rolls: list[float]):
        self.table = equally_likely(rolls, "roll")

    def mean(self):
        return self.table.expectation("roll")


class TwoDice:
    """At least one of two fair dice shows a face."""

    def __init__(self, face: int):
        self.dice = equally_likely(range(1, 7), "first") * equally_likely(range(1, 7), "second")
        self.a, self.b = Event.where(first=face), Event.where(second=face)

    def at_least_one(self):
        return self.dice.P(self.a | self.b)

    def by_inclusion_exclusion(self):
        return inclusion_exclusion(self.dice, self.a, self.b)

    def both_given_one(self):
        return self.dice.P(self.a & self.b, given=self.a | self.b)


class Tosses:
    """Sequences of fair coins: how many have so many heads, and what summing out costs."""

    def __init__(self, tosses: int, heads: int = 0, sides: int = 2):
        self.table = equally_likely(range(sides), "toss 1")
        for k in range(2, tosses + 1):
            self.table = self.table * equally_likely(range(sides), f"toss {k}")
        self.heads = heads

    def sequences(self):
        count = self.table.derived(lambda *toss: sum(toss), "heads")
        return count.P({"heads": self.heads}) * self.table.values.size

    def terms_of_a_marginal(self):
        return self.table.values.size / self.table.marginal("toss 1").values.size


class MontyHall:
    """We point at the first of three doors; the host opens another one without the prize."""

    def __init__(self, opened: int):
        host = [[0, 0.5, 0.5], [0, 0, 1], [0, 1, 0]]
        table = JointTable.from_conditional(equally_likely([1, 2, 3], "prize"), host, {"opened": [1, 2, 3]})
        self.rule = table.bayes("prize", {"opened": opened})

    def likelihood(self):
        return self.rule.likelihood

    def posterior(self):
        return self.rule.posterior


class Complement:
    """P(not c | b) from P(a), P(b | a), P(b | not a) and P(b, c)."""

    def __init__(self, prior: float, given: float, otherwise: float, both: float):
        first = JointTable([prior, 1 - prior], ["a"])
        rows = [[1 - given, given], [1 - otherwise, otherwise]]
        b = JointTable.from_conditional(first, rows, ["b"]).P({"b": 1})
        # what P(b) leaves is all that is known of the rest: put it on c = 0
        self.table = JointTable([[1 - b, 0.0], [b - both, both]], ["b", "c"])

    def not_c_given_b(self):
        return self.table.P({"c": 0}, given={"b": 1})


class BinnedDensity:
    """A density from counts in bins of unequal width."""

    def __init__(self, data: list[float], edges: list[float]):
        place = np.clip(np.searchsorted(edges, data, side="right") - 1, 0, len(edges) - 2)
        self.table, self.widths, self.n = JointTable.from_data({"bin": place}), np.diff(edges), len(data)

    def counts(self):
        return self.table.values * self.n

    def densities(self):
        return self.table.values / self.widths


# -- detectors ----------------------------------------------------------------------------------------------
class BaseRate:
    """A detector and its base rate."""

    def __init__(self, sensitivity: float, specificity: float, base_rate: Any, tests: Any = 1):
        rate = base_rate["cases"] / base_rate["of"] if isinstance(base_rate, dict) else base_rate
        self.detector, self.tests = detector(sensitivity, specificity, rate), tests

    def base_rate(self):
        return self.detector.base_rate

    def evidence(self):
        return self.detector.evidence

    def posterior(self):
        return self.detector.after(self.tests)

    def complement(self):
        return 1 - self.detector.after(self.tests)

    def one_by_one(self):
        now = self.detector
        for _ in range(self.tests):
            now = now.updated()
        return now.base_rate


class RequiredErrorRate:
    def __init__(self, base_rate: float, target: float, tests: list[int]):
        self.value = required_error_rate(base_rate, target, tests)

    def error_rate(self):
        return self.value


# -- information ----------------------------------------------------------------------------------------------
class Surprise:
    def __init__(self, p: Any, base: float | None = None):
        self.p, self.base = np.asarray(p, dtype=float), base

    def surprise(self):
        return information.self_information(self.p, self.base)

    def of_all(self):
        return information.self_information(np.prod(self.p), self.base)


class Information:
    """Everything `information` says about a table, and about a second one with the same cells."""

    def __init__(self, p: Any, q: Any = None, base: float | None = None):
        self.p, self.q, self.base = np.asarray(p, dtype=float), q, base

    def entropy(self):
        return information.entropy(self.p, self.base)

    def marginal_entropies(self):
        return [information.entropy(self.p.sum(axis), self.base) for axis in (1, 0)]

    def joint_entropy(self):
        return information.joint_entropy(self.p, self.base)

    def chain(self):
        return information.conditional_entropy(self.p, 0, self.base) + self.marginal_entropies()[0]

    def mutual_information(self):
        return information.mutual_information(self.p, self.base)

    def normalized(self):
        return information.normalized_mutual_information(self.p)

    def divergence(self):
        return information.kl_divergence(self.p, self.q, self.base)

    def reverse_divergence(self):
        return information.kl_divergence(self.q, self.p, self.base)


class NormalEntropy:
    def __init__(self, variance: list[float]):
        self.d = Normal.from_variance(0.0, variance)

    def entropy(self):
        return information.differential_entropy(self.d)


class Softmax:
    def __init__(self, logits: list[float]):
        self.logits = np.array(logits)

    def probabilities(self):
        return Categorical.from_logits(self.logits).probabilities

    def reduced(self):
        return Categorical.from_logits([*(self.logits[:-1] - self.logits[-1]), 0.0]).probabilities


class LogSumExp:
    def __init__(self, logs: list[float]):
        self.logs = np.array(logs, dtype=float)

    def value(self):
        return log_sum_exp(self.logs)


# -- decisions ----------------------------------------------------------------------------------------------
class TwoClasses:
    """Two normal densities on a line: boundary, remaining error, log odds."""

    def __init__(self, a: list[float], b: list[float], prior: float = 0.5, at: float = 0.0):
        self.a, self.b, self.prior, self.at = Normal(*a), Normal(*b), prior, at

    def boundary(self):
        return decision.boundary(self.a, self.b, self.prior)

    def error(self):
        return decision.overlap_error(self.a, self.b, self.prior)

    def error_at_boundary(self):
        (at,) = self.boundary()
        return decision.threshold_error(self.a, self.b, at, self.prior)

    def log_odds(self):
        return decision.log_odds(self.at, self.a, self.b, self.prior)

    def posterior(self):
        return expit(self.log_odds())


# -- transforms and sampling ----------------------------------------------------------------------------------
class LinearMap:
    """y = a x + b: the x of a y, from the median of a density pushed through."""

    def __init__(self, slope: float, intercept: float, y: float):
        inverse = (y - intercept) / slope
        moved = change_of_variables(
            Normal(inverse, 1.0),
            lambda x: slope * x + intercept,
            lambda t: (t - intercept) / slope,
            lambda t: np.full(np.shape(t), 1 / slope),
        )
        self.median_of_y, self.d = moved.quantile(0.5), moved

    def y(self):
        return self.median_of_y

    def x(self):
        return self.d.inverse(self.median_of_y)


class UniformExpectation:
    """E f(y), y uniform on [0, 1], by quadrature and by averaging draws."""

    def __init__(self, f: str, draws: int = 2):
        self.f: Callable = {"square": np.square, "sin": np.sin}[f]
        self.draws = draws

    def value(self):
        return expectation(self.f, UNIFORM)

    def estimate(self):
        return monte_carlo(self.f, UNIFORM, self.draws, rng=0).estimate


class Equalize:
    def __init__(self, image: list[list[int]], levels: int):
        self.result = histogram_equalize(np.array(image), levels)

    def table(self):
        return self.result.table

    def flat(self):
        return len(set(self.result.after.values())) == 1


class Shell:
    def __init__(self, dimension: list[int]):
        self.dimension = np.array(dimension)

    def share_at_one_over_dimension(self):
        return shell_volume(self.dimension, 1 / self.dimension)

    def product_rule(self):
        return [1 - math.prod(itertools.repeat(1 - 1 / d, d)) for d in self.dimension.tolist()]


OPERATIONS: dict[str, Callable] = {
    "average": Average,
    "base_rate": BaseRate,
    "binned_density": BinnedDensity,
    "coin_and_dice": CoinAndDice,
    "complement": Complement,
    "counted": Counted,
    "equalize": Equalize,
    "information_table": Information,
    "linear_map": LinearMap,
    "log_sum_exp": LogSumExp,
    "monty_hall": MontyHall,
    "normal_entropy": NormalEntropy,
    "outcomes": Outcomes,
    "required_error_rate": RequiredErrorRate,
    "shell": Shell,
    "softmax": Softmax,
    "surprise": Surprise,
    "tosses": Tosses,
    "two_classes": TwoClasses,
    "two_dice": TwoDice,
    "two_variables": TwoVariables,
    "uniform_expectation": UniformExpectation,
}
