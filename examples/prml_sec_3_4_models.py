"""PRML §3.4: how probable are polynomials of order 0 to 9, given ten points of a noisy sine curve?

Left: posterior probabilities of the models with log Bayes factors against the best, equal prior probabilities. Right:
predictions of the best model. α and β are those of Fig. 3.14.
"""

from _figure import mosaic, save

from suffice import plots
from suffice.bases import Polynomial
from suffice.datasets import sinusoid_10
from suffice.evaluation import compare_evidence
from suffice.linear import BayesianLinearRegression

data = sinusoid_10()
models = {
    f"order {m}": BayesianLinearRegression(0.005, noise_precision=11.1, basis=Polynomial(m)).fit(
        data.X, data.y
    )
    for m in range(10)
}
found = compare_evidence(models)

fig, axes = mosaic([["models", "best"]], size=(15, 4.6), width_ratios=[1.4, 1])
plots.evidence(found, ax=axes["models"])
plots.predictive(models[found.best], data.X, data.y, ax=axes["best"])
axes["best"].set_title(f"{found.best.capitalize()}, the most probable", pad=26)
save(fig, __file__)
