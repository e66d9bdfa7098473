"""FCML Fig. 4.2 and §5.2.2: the sigmoid that turns wᵀx into a probability, and other functions that could.

Left: σ(a) = 1 / (1 + e⁻ᵃ), with the slope ¼ at zero. Middle: on equal footing there, the logistic and the probit curve
hardly differ, while the complementary log-log curve is not symmetric. Then the same as log odds, where the logistic
curve is a line and the tails of the probit curve are much lighter. Right: a mean that has no ceiling needs another.
"""

import numpy as np
from _figure import GREY, figure, save
from scipy.special import logit

from suffice import plots
from suffice.likelihoods import BernoulliLogit, ComplementaryLogLog, PoissonLog, Probit

curves = {
    "logit": BernoulliLogit().mean,
    "probit, a √(π/8)": lambda a: Probit().inverse(a * np.sqrt(np.pi / 8)),  # the same slope at zero
    "cloglog, centered": lambda a: ComplementaryLogLog().inverse(a / np.log(4) + np.log(np.log(2))),
}

fig, (left, middle, right, last) = figure(1, 4, size=(17, 3.9))
plots.link_functions({"sigmoid": BernoulliLogit()}, low=-8, high=8, ax=left)
a = np.linspace(-2.5, 2.5, 2)
left.plot(a, 0.5 + a / 4, color=GREY, linestyle="--", linewidth=1)
left.annotate("slope ¼", (1.0, 0.75), (-62, 8), textcoords="offset points", fontsize=9, color=GREY)
left.set(ylabel="σ(a)", ylim=(-0.05, 1.05))
left.set_title("The sigmoid", pad=24)
plots.link_functions(curves, low=-8, high=8, ax=middle)
middle.set(ylabel="P(t = 1)", ylim=(-0.05, 1.05))
middle.set_title("Three links with the same slope where P = ½", pad=24)
odds = {name: (lambda a, f=f: logit(f(a))) for name, f in curves.items()}
plots.link_functions(odds, low=-4.5, high=4.5, ax=right)
right.set(ylabel="log odds", ylim=(-12, 12))
right.set_title("… seen as log odds", pad=24)
plots.link_functions(
    {"log: counts": PoissonLog(), "logit: labels": BernoulliLogit()}, low=-3, high=1.5, ax=last
)
last.set_title("Counts have no ceiling", pad=24)
save(fig, __file__)
