"""Is it better, by how much, and how sure are we? Tests and intervals: every one returns an effect and a sentence.

| question | function | sample |
|---|---|---|
| how accurate is a classifier? | `accuracy_interval`, `accuracy_from_counts` (Jeffreys) | rows |
| which classifier is right more often? | `mcnemar`, `mcnemar_from_counts`, `matched_pairs` | rows |
| how large is the loss? which model's is smaller? | `error_interval`, `paired_t`, `mean_difference` | rows |
| the same, for new training sets | `correlated_interval`, `correlated_t`, `bayesian_correlated_t` | splits |
| a mean with known variance | `z_test` | values |
| several methods on many data sets | `friedman`, `nemenyi`; two: `signed_rank` | data sets |
| no formula for the null hypothesis | `monte_carlo_p` | simulations |
| does an interval do what it says? | `coverage` | simulations |
| many tests | `holm` | p-values |

Rows as the sample mean that the training set is fixed (Setup I), splits that it is random (Setup II). An accuracy is
better when higher, a loss when lower: as in the texts `estimate` of `mcnemar` is accuracy A − B, that of the tests on
losses loss A − loss B. `loss_difference` is loss A − loss B of every comparison of two; `favours` says who is ahead.
Inside: `_inputs` the door, `_student` the posterior of a mean, `_means` its sentences; `_exact_ranks` and `post_hoc`
serve the tests on ranks.
"""

from suffice.evaluation.comparisons.accuracy import accuracy_from_counts, accuracy_interval
from suffice.evaluation.comparisons.correlated import correlated_interval, correlated_t
from suffice.evaluation.comparisons.holm import Adjusted, holm
from suffice.evaluation.comparisons.known_variance import z_test
from suffice.evaluation.comparisons.mcnemar import MatchedPairs, matched_pairs, mcnemar, mcnemar_from_counts
from suffice.evaluation.comparisons.monte_carlo import Coverage, coverage, monte_carlo_p
from suffice.evaluation.comparisons.paired import error_interval, mean_difference, paired_t
from suffice.evaluation.comparisons.practical import PracticalEquivalence, bayesian_correlated_t
from suffice.evaluation.comparisons.ranks import Ranks, friedman, nemenyi
from suffice.evaluation.comparisons.signed_rank import signed_rank

__all__ = [
    "Adjusted",
    "Coverage",
    "MatchedPairs",
    "PracticalEquivalence",
    "Ranks",
    "accuracy_from_counts",
    "accuracy_interval",
    "bayesian_correlated_t",
    "correlated_interval",
    "correlated_t",
    "coverage",
    "error_interval",
    "friedman",
    "holm",
    "matched_pairs",
    "mcnemar",
    "mcnemar_from_counts",
    "mean_difference",
    "monte_carlo_p",
    "nemenyi",
    "paired_t",
    "signed_rank",
    "z_test",
]
