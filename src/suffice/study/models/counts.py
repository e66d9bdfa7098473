"""Models of counts that are no generalized linear model of the library: the mean, and the negative binomial."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.study.models.candidate import Candidate, Trying
from suffice.study.models.mean_count import MeanCount
from suffice.study.models.negative_binomial import NegativeBinomialRegression
from suffice.study.models.scatter import hardly_scattered
from suffice.study.models.sizes import by_newton_passes, either, tall
from suffice.study.sections import Estimates


def _weights(model: NegativeBinomialRegression, names: Sequence[str], confidence: float) -> Estimates:
    s = model.summary(confidence)
    return Estimates(s.term, s.estimate, s.std_error, s.low, s.high)


def _likelihood(m: NegativeBinomialRegression) -> dict[str, float]:
    return {
        "Variance of the rates, in squared means": m.dispersion_,
        "Log likelihood": m.model_.log_likelihood_,
        "Deviance": m.model_.deviance_,
    }


MEAN_COUNT = Candidate(
    "mean-count",
    "Mean",
    MeanCount,
    "Predicts the mean count and ignores every column: what a model of counts has to beat.",
    facts=lambda m: {"Mean of the target": m.mean_},
    study=Trying(("counts",), {}),
    kind="baseline",
    files=False,
    needs="counts to predict",
    book=("DTU §7.3.4", "DTU §11.2.1"),
    complexity=0,
    states_uncertainty=True,
)
COUNTS: tuple[Candidate, ...] = (
    MEAN_COUNT,
    Candidate(
        "negative-binomial",
        "Negative binomial regression",
        NegativeBinomialRegression,
        "Counts whose log rate is linear in the columns, with more scatter than Poisson's, which it finds.",
        _weights,
        _likelihood,
        Trying(
            ("counts",),
            {},
            prior="prior_precision",
            why_not=either(hardly_scattered, tall(200, 0.5)),
            seconds=by_newton_passes,
        ),
        files=False,
        needs="counts to predict that vary much",
        generative=False,
        book=(),
        complexity=15,
        states_uncertainty=True,
    ),
)
