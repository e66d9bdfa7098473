"""Lecture 3: male or female, from the height alone.

Two class-conditional densities (illustrative parameters: the lecture prints none), the posterior, and the
boundary where the better guess changes. The shaded area is the smallest error that any rule can make. With
few males among the people asked, the boundary moves up. A generative classifier can also make up people: the
ticks are 150 heights drawn from it, and its errors on many more of them come close to the area.
"""

import numpy as np
from _figure import BLUE, GREY, ORANGE, figure, save

from suffice.distributions import Normal, decision
from suffice.generative import BayesClassifier

fig, axes = figure(2, 2, size=(10.5, 6.6), sharex=True)
male, female = Normal(178, 7), Normal(165, 7)
h = np.linspace(140, 205, 600)
for column, prior in zip(axes.T, (0.5, 0.1), strict=True):
    model = BayesClassifier({"male": male, "female": female}, priors=[1 - prior, prior])
    model.fit([[178.0], [165.0]], ["male", "female"])  # the densities are given: rows only name the classes
    joint = dict(zip(model.classes_, np.exp(model.predict_joint_log_proba(h[:, None])).T, strict=True))
    top = max(map(np.max, joint.values()))
    people, labels = model.sample(n=150, random_state=1)
    for name, color, depth in (("male", BLUE, -0.04), ("female", ORANGE, -0.08)):
        column[0].plot(h, joint[name], color=color, label=f"p(h | {name}) P({name})")
        drawn = people[labels == name, 0]
        column[0].plot(drawn, np.full(len(drawn), depth * top), "|", color=color, markersize=5, alpha=0.7)
    column[0].fill_between(h, np.minimum(*joint.values()), color=GREY, alpha=0.35, linewidth=0, label="error")
    error = decision.overlap_error(male, female, prior)
    people, labels = model.sample(n=100_000, random_state=2)
    seen = np.mean(model.predict(people) != labels)
    column[0].set(
        ylabel="joint density", title=f"P(male) = {prior}: error {error:.3f}, of 100,000 drawn {seen:.3f}"
    )
    column[1].plot(h, model.predict_proba(h[:, None])[:, 1], color=BLUE)
    column[1].set(xlabel="height in cm", ylabel="P(male | h)", ylim=(0, 1), xlim=(140, 205))
    for at in decision.boundary(male, female, prior):
        for ax in column:
            ax.axvline(at, color=GREY, linestyle="--", linewidth=1)
        column[1].annotate(f" {at:.1f} cm", (at, 0.06))
axes[0, 1].legend(fontsize=8.5)
save(fig, __file__)
