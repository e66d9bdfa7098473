"""FCML §5.2.1.6: from text to topics. Bags of words and multinomial naive Bayes in one pipeline.

Thirty notes, written for this gallery, take the place of the newsgroups. Each is classified by a model that has read
the other twenty-nine, from which it learns its vocabulary as well. Left: P(topic | words) of each note while it was
held out; where no stem is known, the prior is left. Right: the stems that speak most for a topic, by the ratio of their
share in it to that in the others.
"""

import numpy as np
from _figure import BLUE, GREEN, ORANGE, figure, save
from _notes import notes
from sklearn.model_selection import LeaveOneOut
from sklearn.pipeline import make_pipeline

from suffice.evaluation import cross_validate
from suffice.generative import MultinomialNB
from suffice.prepare import CountVectorizer

texts, topics = notes()
model = make_pipeline(CountVectorizer("english", "english"), MultinomialNB(alpha=0.5))
result = cross_validate(model, texts, topics, cv=LeaveOneOut())
shares, names = result.probabilities, np.unique(topics)

model.fit(texts, topics)
terms, logs = model[0].get_feature_names_out(), model[1].feature_log_prob_
COLORS = dict(zip(names, (ORANGE, BLUE, GREEN), strict=True))

fig, (left, right) = figure(1, 2, size=(12, 5.2))
bottom = np.zeros(len(texts))
for k, name in enumerate(names):
    left.barh(range(len(texts)), shares[:, k], 0.8, left=bottom, color=COLORS[name], label=name)
    bottom += shares[:, k]
left.set(
    title=f"P(topic | words), held out: {1 - result.estimate:.0%} right", xlim=(0, 1), xlabel="probability"
)
left.set_yticks([4.5, 14.5, 24.5], list(dict.fromkeys(topics)))
left.invert_yaxis()
left.grid(visible=False)
left.legend(loc="lower center", bbox_to_anchor=(0.5, -0.26), ncols=3)

labels: list[str] = []
for k, name in enumerate(names):
    ratio = logs[k] - np.logaddexp.reduce(np.delete(logs, k, axis=0), axis=0) + np.log(len(names) - 1)
    best = np.argsort(-ratio, kind="stable")[:6]
    right.barh(np.arange(len(best)) + len(labels), np.exp(ratio[best]), 0.75, color=COLORS[name])
    labels += list(terms[best])
right.set_yticks(range(len(labels)), labels)
right.invert_yaxis()
right.axvline(1, color="grey", linewidth=1)
right.set(title="Stems that tell topics apart", xlabel="share in the topic / mean share in the others")
save(fig, __file__)
