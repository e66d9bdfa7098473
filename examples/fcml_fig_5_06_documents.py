"""FCML Fig. 5.6: how sure a model of words is of the topic of each new document, and what smoothing does.

The twenty newsgroups of the text are not printed. Their place is taken by documents drawn from twenty topics that have
four fifths of their words in common (`suffice.datasets.topic_words`): 2000 to learn from, 1000 to classify, α = 2 and
equal priors as in the text. Left: P(topic | words), rows sorted by topic. Middle: which topics are taken for which.
Right: errors and log loss on the new documents as pseudo-counts grow, for shares inserted and for shares averaged over.
"""

import numpy as np
from _figure import BLUE, INK, ORANGE, figure, save

from suffice.datasets import topic_words
from suffice.generative import MultinomialNB

data = topic_words(3000, 20, n_words=600, length=40, common=0.8, random_state=3)
order = np.argsort([int(label.split()[1]) for label in data.y[2000:]], kind="stable")
X, y, X_new, y_new = data.X[:2000], data.y[:2000], data.X[2000:][order], data.y[2000:][order]
model = MultinomialNB(prior=2.0, class_prior="uniform").fit(X, y)
topics = sorted(model.classes_, key=lambda label: int(label.split()[1]))
columns = np.searchsorted(model.classes_, topics)
shares = model.predict_proba(X_new)[:, columns]
true, given = ([topics.index(label) for label in labels] for labels in (y_new, model.predict(X_new)))
table = np.zeros((20, 20))
np.add.at(table, (true, given), 1)

fig, (left, middle, right) = figure(1, 3, size=(14.5, 5))
left.imshow(shares, aspect="auto", cmap="Greys", interpolation="nearest", extent=(0.5, 20.5, 1000, 0))
left.set(
    title="P(topic | words)",
    xlabel="topic",
    ylabel="new document, sorted by topic",
    xticks=[1, 5, 10, 15, 20],
)
middle.imshow(np.sqrt(table), cmap="Greys", extent=(0.5, 20.5, 20.5, 0.5))
ticks = [1, 5, 10, 15, 20]
middle.set(
    title=f"{np.mean(y_new == model.predict(X_new)):.0%} right", xlabel="topic given", ylabel="true topic"
)
for ax in (left, middle):
    ax.grid(visible=False)
middle.set(xticks=ticks, yticks=ticks)

strengths = np.geomspace(1e-3, 30, 16)
twin = right.twinx()
for bayes, style in ((False, "-"), (True, "--")):
    fits = [MultinomialNB(a, fully_bayesian=bayes, class_prior="uniform").fit(X, y) for a in strengths]
    right.plot(strengths, [np.mean(m.predict(X_new) != y_new) for m in fits], style, color=BLUE)
    losses = [-np.mean(m.predict_dist(X_new).log_prob(y_new)) for m in fits]
    twin.plot(strengths, losses, style, color=ORANGE)
    right.plot([], [], style, color=INK, label="averaged over" if bayes else "shares inserted")
right.set(xscale="log", xlabel="pseudo-count", title="Smoothing", ylim=(0, None))
right.set_ylabel("errors", color=BLUE)
twin.set_ylabel("log loss", color=ORANGE)
twin.set_ylim(0, None)
twin.grid(visible=False)
right.legend(loc="lower left")
save(fig, __file__)
