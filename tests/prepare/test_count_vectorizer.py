"""Counts of terms: equal to scikit-learn's and to counting by hand, additive, and unmoved by hostile text."""

from __future__ import annotations

import re
import time
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.feature_extraction.text import CountVectorizer as Peer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator

import suffice
from suffice import engine
from suffice._core import frames
from suffice._core.errors import (
    HeaderMismatch,
    InvalidInput,
    InvalidParameter,
    MissingExtra,
    NumericalError,
    Unsupported,
)
from suffice.generative import MultinomialNB
from suffice.prepare import CountVectorizer, TermDocument, TfidfTransformer, term_document
from suffice.prepare.texts._stop_words import ENGLISH

NOTES = [
    "The bread should rise for two hours; then knead it again, gently.",
    "Knead the dough, let the dough rest, and bake the bread at 220 degrees.",
    "A crust cracks when the oven is too cold or the dough is too wet.",
    "Don't open the oven: a soufflé won't rise twice!",
    "Café crème and a well-baked croissant make a good morning.",
    "Her bicycle chain slips; the sprocket has 52 worn teeth.",
    "Oil the chain, wipe the chain, and check the brake cables.",
    "A flat tyre on a wet road is no one's idea of a good morning.",
    "The brakes of his bicycle squeal when the rims are wet.",
    "Tighten the spokes by a quarter of a turn, then spin the wheel.",
    "Prune the roses in March, when the frost is over.",
    "Roses like clay; lavender likes sand and much less water.",
    "Slugs ate 14 lettuces last night. FOURTEEN lettuces!",
    "Water the garden at night, when the soil is cold.",
    "Compost warms up: turn it when it smells of wine.",
    "Die Straße führt über die Brücke ins Dorf.",
    "ΟΔΥΣΣΕΥΣ sailed home; Οδυσσεύς was late.",
    "Ещё раз: ёлка в саду, ёлки у дороги.",
    "snake_case and CamelCase are words of a kind; x1 too",
    "",
]
LABELS = ["kitchen"] * 5 + ["road"] * 5 + ["garden"] * 5 + ["elsewhere"] * 5
TABLE_4_1 = [
    '"I shall win the Princess!" they both said, as their father gave each one of them a beautiful horse.',
    "\"To the King's court, to woo the Princess.",
    "All the servants assembled in the courtyard to watch them mount their horses,",
]


def dense(table):
    return table.toarray().tolist()


# -- equal to others ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"binary": True},
        {"lowercase": False},
        {"strip_accents": "unicode"},
        {"strip_accents": "ascii"},
        {"stop_words": ["the", "and", "of"]},
        {"ngram_range": (1, 3)},
        {"ngram_range": (2, 2), "stop_words": ["the"]},
        {"min_df": 2},
        {"min_df": 0.1, "max_df": 0.4},
        {"max_df": 3},
        {"max_features": 2},
        {"token_pattern": r"\w+"},
        {"token_pattern": r"(?u)\b\w\w+\b"},
        {"token_pattern": r"(\w)\w*"},
        {"tokenizer": str.split, "token_pattern": "words"},
        {"vocabulary": ["bread", "the", "absent"]},
        {"vocabulary": {"the": 0, "absent": 2, "bread": 1}},
        {"vocabulary": {"the", "bread"}, "ngram_range": (1, 2)},
    ],
)
def test_the_counts_of_scikit_learn(settings):
    others = {k: v for k, v in settings.items() if k != "token_pattern" or v != "words"}
    if "tokenizer" in settings:
        others["token_pattern"] = None
    ours, peer = CountVectorizer(**settings), Peer(**others)
    counts, theirs = ours.fit_transform(NOTES), peer.fit_transform(NOTES)
    assert ours.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()
    assert dense(counts) == dense(theirs)
    assert counts.dtype == theirs.dtype
    assert counts.has_canonical_format
    assert counts.indices.dtype == np.int32
    assert dense(ours.transform(NOTES[::-1])) == dense(peer.transform(NOTES[::-1]))


def test_random_texts_are_counted_as_by_scikit_learn():
    rng = np.random.default_rng(1)
    letters = list("aBcdE1_ .,-'\n\t éßÆжЖ中文\u0130\u00a0\u3000")
    texts = ["".join(rng.choice(letters, 60)) for _ in range(200)]
    ours, peer = CountVectorizer(), Peer()
    assert dense(ours.fit_transform(texts)) == dense(peer.fit_transform(texts))
    assert ours.vocabulary_ == {term: int(j) for term, j in peer.vocabulary_.items()}


def test_ascii_is_cut_as_the_pattern_says():
    texts = ["".join(map(chr, range(128))), "a bb c_c 1 22 _ __ d", "\x1c\x1d\x1e\x1fab\x85cd\x00ef"]
    for text in texts:
        expected = Counter(re.findall(r"\b\w\w+\b", text.lower()))
        read = term_document([text])
        assert dict(zip(read.terms, read.data.tolist(), strict=True)) == dict(sorted(expected.items()))


def test_printed_table():
    table = term_document(TABLE_4_1, stop_words="english", stem="english")
    expected = "assembl beauti court courtyard father gave hors king mount princess servant watch win woo"
    assert table.terms == tuple(expected.split())
    assert table.counts.sum(axis=0).tolist() == [1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1]


def test_order_of_words_does_not_matter():
    a, b = "The quick brown fox jumps over the lazy dog.", "Dog quick lazy the jumps fox brown the over."
    counts = CountVectorizer().fit_transform([a, b]).toarray()
    assert counts[0].tolist() == counts[1].tolist() == [1, 1, 1, 1, 1, 1, 1, 2]


@pytest.mark.parametrize("ngram_range", [(1, 2), (2, 3), (1, 4)])
def test_runs_of_words_that_hold_blanks_are_counted_as_by_scikit_learn(ngram_range):
    texts = ["a b,c,a,b,c", "c,a b", "", "a", "b,a\x01b,\x01,b,b,b"]
    settings = {"token_pattern": "[^,]+", "ngram_range": ngram_range}
    ours, peer = CountVectorizer(**settings), Peer(**settings)
    assert dense(ours.fit_transform(texts)) == dense(peer.fit_transform(texts))
    assert ours.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()


def test_limits_break_ties_by_the_alphabet():
    names = [f"w{j:03d}" for j in range(200)]
    text = " ".join(np.random.default_rng(2).permutation(names))
    terms = CountVectorizer(max_features=5).fit([text, "w150"]).get_feature_names_out()
    assert terms.tolist() == ["w000", "w001", "w002", "w003", "w150"]


# -- words --------------------------------------------------------------------------------------------
def words(text, **settings):
    read = term_document([text], **settings)
    return dict(zip(read.terms, read.data.tolist(), strict=True))


def test_whole_words_keep_apostrophes_hyphens_and_marks():
    found = words("Don't! A well-known rock 'n' roll – 'quoted' l’été re-", token_pattern="whole words")
    assert set(found) == {"don't", "a", "well-known", "rock", "n", "roll", "quoted", "l’été", "re"}
    assert set(words("नमस्ते दुनिया", token_pattern="whole words")) == {"नमस्ते", "दुनिया"}
    assert set(words("می‌خواهم שָׁלוֹם", token_pattern="whole words")) == {"می‌خواهم", "שָׁלוֹם"}


def test_both_ways_to_write_an_accent_are_one_word():
    assert words("caf\u00e9 cafe\u0301 CAFÉ") == {"café": 3}
    assert words("caf\u00e9 cafe\u0301 cafe", strip_accents="unicode") == {"cafe": 3}
    assert words("ﬁne café 中文", strip_accents="ascii") == {"fine": 1, "cafe": 1}


def test_numbers_on_request():
    assert words("42 bags of 1_000, B52 and ١٢", numbers=False) == {"and": 1, "b52": 1, "bags": 1, "of": 1}
    assert set(words("42 ١٢")) == {"42", "١٢"}


def test_stop_words_go_before_stems_and_stems_before_runs():
    runs = words(
        "the horses of the king are running", stop_words="english", stem="english", ngram_range=(1, 2)
    )
    assert set(runs) == {"hors", "king", "run", "hors king", "king run"}


def test_stop_words_are_written_as_documents_are():
    assert words("The CAFÉ and the the", stop_words=["THE", "Café"]) == {"and": 1}
    assert words("The the", stop_words=["the"], lowercase=False) == {"The": 1}


def test_the_list_of_stop_words_is_of_lower_case_words_without_topics():
    assert all(word == word.lower() and re.fullmatch(r"[a-z']+", word) for word in ENGLISH)
    topics = ("bread", "horse", "king", "win", "time", "good", "new", "computer", "government")
    assert not ENGLISH & set(topics)
    assert term_document(TABLE_4_1[1:2], stop_words="english").terms == ("court", "king", "princess", "woo")


def test_stems_of_languages_and_functions():
    assert words("Häuser Haus", stem="german") == {"haus": 2}
    assert words("horses horse", stem=lambda word: word[:3]) == {"hor": 2}
    assert words("drop this", stem=lambda word: "" if word == "this" else word) == {"drop": 1}


def test_a_word_is_stemmed_once():
    calls = []
    term_document(["horse horse", "horse"] * 5, stem=lambda word: calls.append(word) or word)
    assert calls == ["horse"]


def test_without_the_stemmer_the_error_names_the_extra(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(frames, "import_module", missing)
    with pytest.raises(MissingExtra, match=r"pip install 'suffice\[text\]'"):
        CountVectorizer(stem="english").fit(NOTES)


# -- what is not counted ------------------------------------------------------------------------------
def test_unknown_terms_and_empty_documents_are_reported():
    model = CountVectorizer(stop_words=["the"]).fit(["dog fox", "dog"])
    read = model.read(["the hen", "dog hen cat", ""])
    assert dense(read.counts) == [[0, 0], [1, 0], [0, 0]]
    assert read.unknown == (("hen", 2), ("cat", 1))
    assert read.empty == (0, 2)
    assert read.notes == (
        "2 of 3 documents have no term with a column: rows 0, 2.",
        "2 terms (3 occurrences) have no column, most often 'hen' (2).",
    )
    assert model.read(["dog"]).notes == ()


def test_terms_left_out_by_limits_are_unknown():
    read = CountVectorizer(min_df=2).fit_read(["dog fox", "dog hen"])
    assert read.terms == ("dog",)
    assert read.unknown == (("fox", 1), ("hen", 1))


def test_transform_changes_nothing():
    model = CountVectorizer().fit(NOTES)
    before = dict(model.__dict__)
    model.transform(["words that nobody knows"])
    assert model.__dict__ == before


@pytest.mark.parametrize("nothing", [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT])
def test_missing_documents_by_rule(nothing):
    with pytest.raises(InvalidInput, match="missing text .* at row 1; drop it, or choose missing='empty'"):
        CountVectorizer().fit(["dog", nothing])
    read = CountVectorizer(missing="empty").fit_read(["dog", nothing])
    assert dense(read.counts) == [[1], [0]]
    assert read.empty == (1,)


# -- where documents come from ------------------------------------------------------------------------
@pytest.mark.parametrize(
    "make",
    [
        tuple,
        iter,
        np.array,
        lambda d: np.array(d, dtype=object)[:, None],
        pd.Series,
        lambda d: pd.DataFrame({"text": d}),
        pl.Series,
        lambda d: pl.DataFrame({"text": d}),
        pa.array,
        lambda d: pa.table({"text": d}),
        lambda d: [text.encode() for text in d],
        lambda d: np.array([text.encode() for text in d]),
    ],
)
def test_documents_of_every_kind(make):
    model = CountVectorizer()
    assert dense(model.fit_transform(make(NOTES))) == dense(Peer().fit_transform(NOTES))
    assert dense(model.transform(make(NOTES))) == dense(model.fit(NOTES).transform(NOTES))


@pytest.mark.parametrize(
    "documents, message",
    [
        ("one text", r"list of texts; got one text, 'one text'. Write \[text\]"),
        (b"bytes", "got one text"),
        (3, "list of texts; got 3"),
        (None, "list of texts; got None"),
        ([], "There are no documents"),
        (["dog", 3], r"must be texts; got 3 \(int\) at row 1"),
        (["dog", ["fox"]], r"got \['fox'\] \(list\) at row 1"),
        (np.arange(3.0), r"got 0.0 \(float\) at row 0"),
        (np.array([["a", "b"]]), r"table of one column; got shape \(1, 2\)"),
        (np.array("text"), r"got shape \(\)"),
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), r"table of 2 columns, \['a', 'b'\]. Pick one"),
        ({"a": "text"}, "texts in an order; got dict"),
        ({"text"}, "texts in an order; got set"),
        (sparse.eye_array(2).tocsr(), "texts in an order; got csr_array"),
        (["dog", b"\xff"], "document at row 1 is not utf-8 .*decode_error='replace'"),
        (["", "  ", "?!"], "No word is left of 3 documents"),
    ],
)
def test_what_is_no_list_of_documents(documents, message):
    with pytest.raises(InvalidInput, match=message):
        CountVectorizer().fit(documents)


def test_bytes_are_read_by_rule():
    assert words("Grüße".encode("latin-1"), encoding="latin-1") == {"grüße": 1}
    assert words(b"dog \xff fox", decode_error="ignore") == {"dog": 1, "fox": 1}
    assert words("\ufeffdog".encode()) == {"dog": 1}


def test_a_vocabulary_needs_no_fit_and_takes_no_documents():
    model = CountVectorizer(vocabulary=["dog", "fox"])
    assert dense(model.transform(["a fox"])) == [[0, 1]]
    assert model.transform([]).shape == (0, 2)
    assert model.get_feature_names_out().tolist() == ["dog", "fox"]
    assert dense(model.fit_transform(["", "hen"])) == [[0, 0], [0, 0]]
    assert model.statistics_.terms == ()


# -- hostile text -------------------------------------------------------------------------------------
def test_hostile_text():
    texts = [
        "🎉🎉 party 👩‍👩‍👧",
        "שלום עולם",
        "مرحبا بالعالم",
        "nul\x00byte",
        "a\u0301b\u0308" * 3,
        "\ud800 lone",
        "\u202eright to left",
    ]
    read = term_document(texts, token_pattern="whole words")
    assert read.empty == ()
    assert {"party", "שלום", "مرحبا", "nul", "byte", "lone", "left"} <= set(read.terms)
    assert words("🎉 🎉 party", token_pattern=r"\S+") == {"party": 1, "🎉": 2}


def test_a_long_document():
    text = "the quick brown fox " * 500_000
    start = time.perf_counter()
    read = term_document([text])
    assert read.data.tolist() == [500_000] * 4
    assert time.perf_counter() - start < 20


def test_one_very_long_word():
    assert words("a" * 1_000_000) == {"a" * 1_000_000: 1}


# -- statistics that add ------------------------------------------------------------------------------
SETTINGS = [
    {},
    {"min_df": 2, "max_df": 0.5, "max_features": 10},
    {"stop_words": "english", "stem": "english", "ngram_range": (1, 2)},
    {"vocabulary": ["wet", "the", "absent"]},
]


def same_vectorizer(a, b):
    assert a.statistics_ == b.statistics_
    assert a.vocabulary_ == b.vocabulary_
    assert dense(a.transform(NOTES)) == dense(b.transform(NOTES))


@pytest.mark.parametrize("settings", SETTINGS)
def test_parts_make_the_whole(settings):
    whole = CountVectorizer(**settings).fit(NOTES)
    pieces = CountVectorizer(**settings | ({} if "vocabulary" in settings else {"min_df": 1, "max_df": 1.0}))
    for part in (NOTES[:7], NOTES[7:8], NOTES[8:]):
        pieces.partial_fit(part)
    same_vectorizer(clone(whole).solve(pieces.statistics_), whole)
    if "min_df" not in settings:
        a, b = (CountVectorizer(**settings).fit(part) for part in (NOTES[:9], NOTES[9:]))
        same_vectorizer(suffice.merge([a, b]), whole)
        same_vectorizer(suffice.forget(whole, NOTES[9:]), a)
    same_vectorizer(CountVectorizer(**settings).fit(NOTES[::-1]), whole)


def test_statistics_by_hand():
    s = CountVectorizer().collect(["dog dog fox", "fox", ""], sample_weight=[1, 3, 2])
    assert (s.terms, s.documents.tolist(), s.occurrences.tolist()) == (("dog", "fox"), [1, 4], [2, 4])
    assert (s.n, s.rows) == (6.0, 3)


@pytest.mark.parametrize("settings", SETTINGS)
def test_weights_count_documents(settings):
    weight = np.array([0, 1, 2, 3] * 5)
    repeated = [text for text, w in zip(NOTES, weight, strict=True) for _ in range(w)]
    a = CountVectorizer(**settings).fit(NOTES, sample_weight=weight)
    b = CountVectorizer(**settings).fit(repeated)
    assert a.vocabulary_ == b.vocabulary_
    assert a.statistics_.documents.tolist() == b.statistics_.documents.tolist()
    assert a.statistics_.occurrences.tolist() == b.statistics_.occurrences.tolist()


def test_keys_of_statistics():
    key = CountVectorizer("english").statistics_key
    assert CountVectorizer("english", min_df=2, binary=True).statistics_key == key
    for other in ({"stop_words": ["the"]}, {"token_pattern": "whole words"}, {"vocabulary": ["dog"]}):
        assert CountVectorizer(**{"stop_words": "english"} | other).statistics_key != key


def test_sources_of_the_engine(tmp_path):
    table = pd.DataFrame({"number": range(20), "text": NOTES[:19] + ['quoted, "words"\nand lines']})
    whole = CountVectorizer(min_df=2).fit(table["text"])
    table.to_csv(tmp_path / "notes.csv", index=False)
    pq.write_table(pa.Table.from_pandas(table), tmp_path / "notes.parquet", row_group_size=6)
    batches = (table[["text"]][a : a + 7] for a in range(0, 20, 7))
    for source in (str(tmp_path / "notes.csv"), str(tmp_path / "notes.parquet"), batches):
        same_vectorizer(engine.fit(CountVectorizer(min_df=2), source, columns=["text"]), whole)


def test_what_does_not_add():
    a, b = CountVectorizer().fit(["dog fox"]), CountVectorizer(lowercase=False).fit(["dog"])
    with pytest.raises(HeaderMismatch, match="read in different ways"):
        a.statistics_ + b.statistics_
    with pytest.raises(HeaderMismatch, match="different lowercase"):
        suffice.merge([a, b])
    with pytest.raises(NumericalError, match="never in: 'hen' was not counted"):
        suffice.forget(a, ["hen"])
    with pytest.raises(NumericalError, match="more documents with 'dog' than are in"):
        suffice.forget(a, ["dog", "dog"])


def test_weights_must_fit():
    with pytest.raises(InvalidInput, match=r"sample_weight must have shape \(2,\)"):
        CountVectorizer().fit(["dog", "fox"], sample_weight=[1.0])


# -- bad parameters -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "settings, message",
    [
        ({"stop_words": "klingon"}, "stop_words must be one of 'english', None; got 'klingon'"),
        ({"stop_words": ["the", 3]}, "stop_words must be words; got 3"),
        ({"stop_words": 3}, "stop_words must be None, 'english' or a list"),
        ({"stem": "engish"}, "stem has no language 'engish'. Did you mean 'english'"),
        ({"stem": 3}, "stem must be None, a language"),
        ({"stem": len}, "stem must give a text for every word; got 3 for 'the'"),
        ({"token_pattern": "("}, "no regular expression"),
        ({"token_pattern": "(a)(b)"}, "at most one group"),
        ({"token_pattern": None}, "token_pattern must be a regular expression"),
        ({"tokenizer": "split"}, "tokenizer must be None or a function"),
        ({"lowercase": "no"}, "lowercase must be True or False"),
        ({"binary": 1}, "binary must be True or False"),
        ({"strip_accents": "yes"}, "strip_accents must be one of"),
        ({"ngram_range": (2, 1)}, "1 <= low <= high"),
        ({"ngram_range": (0, 1)}, "1 <= low <= high"),
        ({"ngram_range": 2}, "two integers"),
        ({"min_df": 0}, "min_df must be an integer >= 1"),
        ({"min_df": 1.5}, "min_df must be a share"),
        ({"max_df": True}, "max_df must be a number of documents"),
        ({"max_df": float("nan")}, "max_df must be a share"),
        ({"min_df": 5, "max_df": 2}, "min_df=5 asks for more documents than max_df=2"),
        ({"min_df": 21}, "min_df=21 asks for more"),
        ({"min_df": 19, "max_df": 20}, "None of .* terms is left by min_df=19"),
        ({"max_features": 0}, "max_features must be None or an integer >= 1"),
        ({"max_features": 2.0}, "max_features must be None or an integer"),
        ({"vocabulary": []}, "at least one term"),
        ({"vocabulary": "dog"}, "list of terms"),
        ({"vocabulary": ["dog", "fox", "dog"]}, "'dog' twice"),
        ({"vocabulary": ["dog", 1]}, "got 1 at place 1"),
        ({"vocabulary": {"dog": 0, "fox": 2}}, "number its terms 0 to 1"),
        ({"missing": "drop"}, "missing must be one of"),
        ({"decode_error": "drop"}, "decode_error must be one of"),
    ],
)
def test_bad_parameters_are_named(settings, message):
    with pytest.raises((InvalidParameter, InvalidInput), match=message):
        CountVectorizer(**settings).fit(NOTES)


def test_bad_encoding():
    with pytest.raises(InvalidParameter, match="encoding must be a name such as 'utf-8'"):
        CountVectorizer(encoding="utf-9").fit([b"dog"])
    for wrong in ("no-such-encoding", "hex", None, 8, "\0"):
        with pytest.raises(InvalidParameter, match="encoding must be a name such as 'utf-8'"):
            CountVectorizer(encoding=wrong).fit(["dog"])


def test_not_fitted():
    with pytest.raises(ValueError, match="not fitted"):
        CountVectorizer().transform(["dog"])


# -- back, and elsewhere ------------------------------------------------------------------------------
def test_inverse_tells_the_terms_present():
    ours, peer = CountVectorizer(), Peer()
    counts = ours.fit_transform(NOTES)
    theirs = peer.inverse_transform(peer.fit_transform(NOTES))
    for a, b in zip(ours.inverse_transform(counts), theirs, strict=True):
        assert a.tolist() == sorted(b.tolist())
    assert [row.tolist() for row in ours.inverse_transform(counts.toarray()[:1])] == [sorted(theirs[0])]
    assert ours.inverse_transform(counts[:0]) == []
    counts.data[:3] = 0
    assert len(ours.inverse_transform(counts)[0]) == len(theirs[0]) - 3
    assert np.count_nonzero(counts.data == 0) == 3
    with pytest.raises(InvalidInput, match="X has 2 columns"):
        ours.inverse_transform([[1, 0]])


@pytest.mark.parametrize("settings", SETTINGS)
def test_saved_and_loaded(settings, tmp_path):
    model = CountVectorizer(**settings).fit(NOTES)
    suffice.save(model, tmp_path / "words.suffice")
    loaded = suffice.load(tmp_path / "words.suffice")
    same_vectorizer(loaded, model)
    assert loaded.partial_fit(NOTES[:3]).statistics_ == clone(model).fit(NOTES + NOTES[:3]).statistics_


def test_functions_are_not_saved(tmp_path):
    model = CountVectorizer(tokenizer=str.split).fit(NOTES)
    with pytest.raises(Unsupported, match="cannot be saved"):
        suffice.save(model, tmp_path / "words.suffice")


def test_the_record_compares_saves_and_frames(tmp_path):
    a = term_document(NOTES)
    assert a == term_document(NOTES)
    assert hash(a) == hash(term_document(NOTES))
    assert a != term_document(NOTES[1:])
    suffice.save(a, tmp_path / "table.suffice")
    assert suffice.load(tmp_path / "table.suffice") == a
    assert isinstance(a, TermDocument)
    for kind in ("pandas", "polars"):
        assert a.frame(kind)["the"].to_list() == a.counts.toarray()[:, a.terms.index("the")].tolist()
    assert repr(a).startswith("TermDocument(20 documents × ")
    a.counts.data[:] = 0
    assert a.counts.sum() > 0


def test_the_record_in_a_notebook():
    page = term_document(["<b> dog dog", "", "fox"], token_pattern=r"\S+")._repr_html_()
    assert (
        "<tr><th>&lt;b&gt;</th><th>dog</th><th>fox</th></tr><tr><td>1</td><td>2</td><td>0</td></tr>" in page
    )
    assert "<p>1 of 3 documents have no term with a column: rows 1.</p>" in page
    assert term_document(NOTES)._repr_html_().count("<th>") == 12


def test_in_a_pipeline():
    model = make_pipeline(CountVectorizer("english"), TfidfTransformer(), MultinomialNB())
    model.fit(NOTES[:15], LABELS[:15])
    new = ["Bake a loaf of bread", "The chain of my bicycle", "Lavender and roses"]
    assert model.predict(new).tolist() == ["kitchen", "road", "garden"]
    assert model.set_params(countvectorizer__stem="english").fit(NOTES, LABELS).score(NOTES, LABELS) > 0.9


def test_scikit_learn_exempts_texts_from_its_checks_of_tables():
    """Its generator skips what takes no table of numbers, its own vectorizer included; what it yields must pass."""
    with pytest.warns(SkipTestWarning, match="Can't test estimator CountVectorizer"):
        checks = list(estimator_checks_generator(CountVectorizer()))
    for estimator, check in checks:
        check(estimator)
    assert CountVectorizer().__sklearn_tags__().input_tags == Peer().__sklearn_tags__().input_tags


@pytest.mark.parametrize(
    "options",
    [
        {"analyzer": "char", "ngram_range": (1, 3)},
        {"analyzer": "char_wb", "ngram_range": (2, 9)},
        {"analyzer": "char_wb", "strip_accents": "unicode", "lowercase": False, "min_df": 2},
        {"analyzer": str.split},
        {"preprocessor": str.upper, "ngram_range": (1, 2), "dtype": np.float32},
        {"strip_accents": lambda text: text.replace("é", "ee")},
        {"token_pattern": None, "tokenizer": str.split},
    ],
    ids=lambda options: "-".join(options),
)
def test_analyzers_are_scikit_learns(options):
    documents = ["The quick  brown fox, a b", "été dog\tdog x\n\n hi", "", "fox fox"]
    mine, other = CountVectorizer(**options), Peer(**options)
    a, b = mine.fit_transform(documents), other.fit_transform(documents)
    assert list(mine.get_feature_names_out()) == list(other.get_feature_names_out())
    assert np.array_equal(a.toarray(), b.toarray())
    assert a.dtype == b.dtype
    assert np.array_equal(mine.transform(documents[1:]).toarray(), other.transform(documents[1:]).toarray())


def test_documents_in_files(tmp_path):
    paths = []
    for j, content in enumerate(["one dog", "zwei Füchse"]):
        paths.append(tmp_path / f"{j}.txt")
        paths[-1].write_text(content, encoding="latin-1")
    named = CountVectorizer(input="filename", encoding="latin-1").fit(list(map(str, paths)))
    assert list(named.get_feature_names_out()) == ["dog", "füchse", "one", "zwei"]
    with paths[0].open(encoding="latin-1") as a, paths[1].open("rb") as b:
        table = CountVectorizer(input="file", encoding="latin-1").fit_transform([a, b])
    assert table.toarray().tolist() == [[1, 0, 1, 0], [0, 1, 0, 1]]
    with pytest.raises(InvalidInput, match="The file at row 0, 'nowhere.txt', cannot be read"):
        CountVectorizer(input="filename").fit(["nowhere.txt"])
    with pytest.raises(InvalidInput, match="input='file' needs open files; got 'text' at row 0"):
        CountVectorizer(input="file").fit(["text"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"analyzer": "sentence"}, "analyzer must be one of"),
        ({"preprocessor": "lower"}, "preprocessor must be None or a function"),
        ({"dtype": "words"}, "dtype must be a type of numbers"),
        ({"input": "url"}, "input must be one of"),
    ],
)
def test_analyzers_that_do_not_exist(options, words):
    with pytest.raises(InvalidParameter, match=words):
        CountVectorizer(**options).fit(["a text"])
