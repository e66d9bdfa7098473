"""Short messages to counts of words to classes, in one pipeline."""

from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import classification_report
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline

spam = [
    "win a free prize now",
    "free money, click now!",
    "claim your prize today",
    "cheap pills, free shipping",
]
ham = [
    "lunch at noon today?",
    "the meeting is moved to monday",
    "see you at the station",
    "notes of the meeting",
]
new = ["free lunch at the meeting", "click to claim free money", "see you on monday"]

model = Pipeline(
    [
        ("counts", CountVectorizer(ngram_range=(1, 2))),
        ("tfidf", TfidfTransformer()),
        ("bayes", MultinomialNB()),
    ]
)
model.fit(spam + ham, ["spam"] * 4 + ["ham"] * 4)
words = model["counts"].get_feature_names_out()
print(len(words), "terms, such as", ", ".join(words[:4]))
for text, chances in zip(new, model.predict_proba(new), strict=True):
    print(f"{text!r}: {dict(zip(model.classes_.tolist(), chances.round(5).tolist(), strict=True))}")
print(classification_report(["ham", "spam", "ham"], model.predict(new), digits=4))
