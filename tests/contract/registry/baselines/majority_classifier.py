from suffice.baselines import MajorityClassifier

from ..entry import Entry
from ..reasons import label_baseline

ENTRY = Entry(
    MajorityClassifier,
    {"default": {}},
    label_baseline(),
)
