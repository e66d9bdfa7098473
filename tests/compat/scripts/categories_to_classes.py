"""Weather in words to a yes or no, by naive Bayes on categories."""

import numpy as np
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import LabelEncoder, OrdinalEncoder

rng = np.random.default_rng(7)
sky = rng.choice(["clear", "cloudy", "rain"], 120)
wind = rng.choice(["calm", "strong"], 120)
play = np.where((sky != "rain") & (rng.random(120) < np.where(wind == "calm", 0.9, 0.5)), "yes", "no")
encoder = OrdinalEncoder()
X = encoder.fit_transform(np.column_stack([sky, wind]))
model = CategoricalNB(alpha=0.5).fit(X, LabelEncoder().fit_transform(play))
for case in (["clear", "calm"], ["rain", "calm"], ["cloudy", "strong"]):
    print(case, np.round(model.predict_proba(encoder.transform([case]))[0], 6))
print([len(c) for c in encoder.categories_], model.n_categories_, f"{model.score(X, play == 'yes'):.6g}")
