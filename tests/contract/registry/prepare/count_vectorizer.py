import numpy as np

from suffice.prepare.texts.count_vectorizer import CountVectorizer

from ..capabilities import Capabilities, No
from ..entry import Entry
from ..reasons import NO_ROWS, NO_TARGETS
from ..wrong import BOOLEAN

ENTRY = Entry(
    CountVectorizer,
    {
        "default": {},
        "stems": {"stop_words": "english", "stem": "english", "max_features": 50, "missing": "empty"},
        "given": {"vocabulary": ["dog", "fox", "quick fox"], "tokenizer": str.split},
        "letters": {"analyzer": "char_wb", "ngram_range": (2, 3), "preprocessor": str.upper},
        "far": {
            "stop_words": ["the", "and"],
            "dtype": np.float32,
            "stem": "german",
            "token_pattern": "whole words",
            "lowercase": False,
            "strip_accents": "unicode",
            "numbers": False,
            "ngram_range": (1, 2),
            "min_df": 2,
            "max_df": 0.9,
            "max_features": 20,
            "binary": True,
            "encoding": "latin-1",
            "decode_error": "replace",
            "missing": "empty",
        },
    },
    Capabilities(
        nan=True,
        weights=True,
        statistics=True,
        heldout=NO_ROWS,
        evidence=NO_TARGETS,
        predict_dist=NO_TARGETS,
        sparse=No("Documents are texts, and a sparse table holds numbers; its answer is a sparse table."),
        partial_fit=True,
    ),
    takes="documents",
    not_for_scikit_learn={"": "its tables are no documents"},
    wrong={
        "analyzer": [("words", "'words'"), (None, "None")],
        "binary": BOOLEAN,
        "lowercase": BOOLEAN,
        "numbers": BOOLEAN,
        "decode_error": [("skip", "'skip'"), (None, "None")],
        "dtype": [("text", "'text'"), (str, "str")],
        "encoding": [],
        "input": [("url", "'url'"), (None, "None")],
        "max_df": [(-1, "-1"), (1.5, "1.5"), ("most", "'most'")],
        "min_df": [(-1, "-1"), (1.5, "1.5"), ("few", "'few'")],
        "max_features": [(0, "0"), (1.5, "1.5"), ("all", "'all'")],
        "missing": [("drop", "'drop'"), (None, "None")],
        "ngram_range": [((2, 1), r"2, 1"), ((0, 1), "0, 1"), (2, "2")],
        "preprocessor": [("upper", "'upper'")],
        "stem": [("klingon", "'klingon'")],
        "stop_words": [("klingon", "'klingon'"), (3, "3")],
        "strip_accents": [("all", "'all'")],
        "token_pattern": [(3, "3")],
        "tokenizer": [("split", "'split'")],
        "vocabulary": [(3, "3")],
    },
    unmoved={
        "input": "documents in files; tests/prepare/test_count_vectorizer.py",
    },
)
