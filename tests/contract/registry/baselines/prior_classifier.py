from suffice.baselines import PriorClassifier

from ..entry import Entry
from ..reasons import label_baseline

ENTRY = Entry(
    PriorClassifier,
    {"default": {}},
    label_baseline(),
)
