"""Counts per class: scikit-learn's numbers, the exercises of FCML §5.2.1, posteriors, rows left out."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from scipy.special import gammaln
from sklearn import naive_bayes
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import KFold, LeaveOneOut
from sklearn.pipeline import make_pipeline

import suffice
from suffice import engine
from suffice._core.errors import AtBound, InvalidInput, InvalidParameter, NoInformation
from suffice.distributions import Dirichlet, DirichletMultinomial, Multinomial
from suffice.evaluation import SearchCV, cross_validate
from suffice.generative import MultinomialNB

from ..contract.checks.scikit_learn import assert_accepted

rng = np.random.default_rng(3)
N, M = 90, 25
TOPICS = rng.dirichlet(np.full(M, 0.3), size=3)
LABELS = np.array(["law", "music", "sport"])[rng.integers(0, 3, N)]
CODES = np.searchsorted(["law", "music", "sport"], LABELS)
X = np.array([rng.multinomial(rng.poisson(12), TOPICS[c]) for c in CODES]).astype(float)
WEIGHT = rng.integers(0, 3, N).astype(float)
NEW = rng.poisson(0.4, (11, M)).astype(float)

SETTINGS = {
    "default": {},
    "a pseudo-count per word": {"alpha": np.linspace(0.1, 2.0, M)},
    "mode": {"prior": 2.5, "fit_prior": False},
    "mode of a vector": {"prior": Dirichlet(np.linspace(1.0, 3.0, M)), "class_prior": [0.2, 0.3, 0.5]},
    "maximum likelihood": {"alpha": 0.0},
    "Bayes": {"alpha": 0.5, "fully_bayesian": True},
    "Bayes with a prior": {"prior": Dirichlet(np.linspace(0.2, 3.0, M)), "fully_bayesian": True},
}
TABLES = {"dense": np.asarray, "sparse": sparse.csr_array}
every_setting = pytest.mark.parametrize("setting", SETTINGS)
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
pytestmark = pytest.mark.filterwarnings("ignore::suffice._core.errors.NoInformation")


def made(setting):
    return MultinomialNB(**SETTINGS[setting])


def assert_same(a, b, rtol=1e-9):
    assert np.array_equal(a.classes_, b.classes_)
    for table in (NEW, X[:7]):
        np.testing.assert_allclose(
            a.predict_joint_log_proba(table), b.predict_joint_log_proba(table), rtol=rtol
        )


# -- against others ---------------------------------------------------------------------------------------
@every_table
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": 0.01},
        {"alpha": np.linspace(0.5, 2, M)},
        {"fit_prior": False},
        {"class_prior": [0.1, 0.2, 0.7]},
    ],
)
def test_scikit_learn(options, table):
    mine = MultinomialNB(**options).fit(table(X), LABELS, WEIGHT)
    theirs = naive_bayes.MultinomialNB(**options).fit(table(X), LABELS, WEIGHT)
    for name in ("class_count_", "class_log_prior_", "feature_count_", "feature_log_prob_"):
        np.testing.assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=1e-12)
    for call in ("predict_joint_log_proba", "predict_log_proba"):
        expected = getattr(theirs, call)(table(NEW))
        np.testing.assert_allclose(getattr(mine, call)(table(NEW)), expected, rtol=1e-10, atol=1e-13)
    assert np.array_equal(mine.predict(table(NEW)), theirs.predict(table(NEW)))
    assert MultinomialNB(3.0).alpha == 3.0  # the first argument by position


def test_small_alpha_is_raised_unless_forced():
    with pytest.warns(AtBound, match=r"setting alpha = 1.0e-10: 0 leaves words without probability"):
        mine = MultinomialNB(alpha=0.0, force_alpha=False).fit(X, LABELS)
    with pytest.warns(UserWarning, match="alpha too small"):
        theirs = naive_bayes.MultinomialNB(alpha=0.0, force_alpha=False).fit(X, LABELS)
    np.testing.assert_allclose(mine.feature_log_prob_, theirs.feature_log_prob_, rtol=1e-12)


def test_a_search_by_hand():
    """The posterior by multiplying probabilities, word by word."""
    model = MultinomialNB(alpha=0.7).fit(X, LABELS)
    for row in NEW:
        joint = []
        for label in model.classes_:
            counts = X[label == LABELS].sum(axis=0) + 0.7
            words = np.prod([(counts[m] / counts.sum()) ** row[m] for m in range(M)])
            joint.append(words * np.mean(label == LABELS))
        np.testing.assert_allclose(model.predict_proba([row])[0], joint / np.sum(joint), rtol=1e-10)


# -- FCML §5.2.1.7 ----------------------------------------------------------------------------------------
def test_prior_is_pseudo_count_plus_one():
    """Eq. 5.8: α = 2 is Laplace's rule, α = 1 maximum likelihood, α → ∞ 1/M."""
    assert_same(MultinomialNB(prior=2.0).fit(X, LABELS), MultinomialNB().fit(X, LABELS))
    assert_same(MultinomialNB(prior=1.0).fit(X, LABELS), MultinomialNB(alpha=0.0).fit(X, LABELS))
    np.testing.assert_allclose(
        np.exp(MultinomialNB(prior=1e12).fit(X, LABELS).feature_log_prob_), 1 / M, rtol=1e-9
    )
    model = MultinomialNB(prior=Dirichlet(np.linspace(1.5, 3, M))).fit(X, LABELS)
    for c, label in enumerate(model.classes_):
        mode = Dirichlet(np.linspace(1.5, 3, M) + X[label == LABELS].sum(axis=0)).mode
        np.testing.assert_allclose(np.exp(model.feature_log_prob_[c]), mode, rtol=1e-12)


def test_shares_are_posterior_means_of_alpha():
    model = MultinomialNB(alpha=0.3, fully_bayesian=True).fit(X, LABELS)
    plain = MultinomialNB(alpha=0.3).fit(X, LABELS)
    for logs, posterior in zip(plain.feature_log_prob_, model.posteriors_, strict=True):
        np.testing.assert_allclose(np.exp(logs), posterior.mean, rtol=1e-12)
    np.testing.assert_allclose(model.feature_log_prob_, plain.feature_log_prob_, rtol=1e-12)
    with pytest.raises(AttributeError, match="fully_bayesian=True"):
        plain.posteriors_  # noqa: B018
    assert not hasattr(plain, "log_evidence_")


def coefficient(x):
    return gammaln(x.sum(axis=-1) + 1) - gammaln(x + 1).sum(axis=-1)


def test_expected_likelihood_is_dirichlet_multinomial():
    model = MultinomialNB(alpha=0.3, fully_bayesian=True).fit(X, LABELS)
    logs = model.predict_joint_log_proba(NEW) - model.class_log_prior_ + coefficient(NEW)[:, None]
    for c, posterior in enumerate(model.posteriors_):
        exact = [DirichletMultinomial(int(x.sum()), posterior.alpha).log_prob(x) for x in NEW]
        np.testing.assert_allclose(logs[:, c], exact, rtol=1e-9)


def test_expected_likelihood_is_the_average_over_draws():
    """Within four standard errors of 100,000 draws of the shares."""
    small = X[:, :6]
    model = MultinomialNB(alpha=0.8, fully_bayesian=True).fit(small[:15], LABELS[:15])
    row = np.array([1.0, 0.0, 2.0, 0.0, 1.0, 0.0])
    logs = (model.predict_joint_log_proba([row]) - model.class_log_prior_)[0]
    draws = np.random.default_rng(0)
    for log, posterior in zip(logs, model.posteriors_, strict=True):
        likelihood = np.prod(posterior.sample(100_000, draws) ** row, axis=1)
        error = likelihood.std() / np.sqrt(len(likelihood))
        assert abs(np.exp(log) - likelihood.mean()) < 4 * error
        assert error < 0.05 * likelihood.mean()


def test_expected_likelihood_sums_to_one():
    """Over all documents of three words out of four, with the number of orders of each."""
    model = MultinomialNB(alpha=0.4, fully_bayesian=True).fit(X[:, :4], LABELS)
    every = np.array([x for x in itertools.product(range(4), repeat=4) if sum(x) == 3], dtype=float)
    logs = model.predict_joint_log_proba(every) - model.class_log_prior_ + coefficient(every)[:, None]
    np.testing.assert_allclose(np.exp(logs).sum(axis=0), 1.0, rtol=1e-12)


@pytest.mark.parametrize("bayesian", [False, True])
def test_score_samples_is_a_density_of_the_counts(bayesian):
    """It sums to one over all rows of one size; with one class it is `Multinomial` or `DirichletMultinomial`."""
    model = MultinomialNB(alpha=0.6, fully_bayesian=bayesian).fit(X[:30, :4], LABELS[:30])
    every = np.array([x for x in itertools.product(range(5), repeat=4) if sum(x) == 4], dtype=float)
    assert np.exp(model.score_samples(every)).sum() == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(
        model.score_samples(every), model.score_sequences(every) + coefficient(every), rtol=1e-12, atol=1e-13
    )
    np.testing.assert_allclose(
        model.score_samples(sparse.csr_array(every)), model.score_samples(every), rtol=1e-12
    )
    one = MultinomialNB(alpha=0.6, fully_bayesian=bayesian).fit(X[:30, :4], np.zeros(30))
    shares = X[:30, :4].sum(axis=0) + 0.6
    d = DirichletMultinomial(4, shares) if bayesian else Multinomial(4, shares / shares.sum())
    np.testing.assert_allclose(one.score_samples(every), d.log_prob(every), rtol=1e-10)
    gap = np.array([[2.0, np.nan, 1.0, 0.0]])
    assert one.score_samples(gap) - one.score_sequences(gap) == pytest.approx(np.log(3), rel=1e-12)


def test_evidence_is_the_product_of_predictions():
    """log p(x₁) + log p(x₂ | x₁) + …, each by the model of the rows before it, within each class."""
    model = MultinomialNB(alpha=0.6, fully_bayesian=True).fit(X[:30], LABELS[:30])
    total = 0.0
    for label in model.classes_:
        mine = X[:30][LABELS[:30] == label]
        total += log_first(mine[0], 0.6)
        for i in range(1, len(mine)):
            before = MultinomialNB(alpha=0.6, fully_bayesian=True).fit(mine[:i], [label] * i)
            total += before.score_sequences(mine[i : i + 1])[0]
    assert model.log_evidence_ == pytest.approx(total, rel=1e-10)
    assert model.evidence_kind_ == "exact"


def log_first(x, alpha):
    """Words one after the other from Dirichlet(α), Pólya's urn."""
    urn, out = np.full(M, alpha), 0.0
    for word in np.repeat(np.arange(M), x.astype(int)):
        out += np.log(urn[word] / urn.sum())
        urn[word] += 1
    return out


def test_bayes_is_less_certain_than_its_mean():
    """With few words per class the average over posteriors is flatter than the plug-in; with many they agree."""
    bayes, plug = (MultinomialNB(fully_bayesian=f).fit(X[:12], LABELS[:12]) for f in (True, False))
    for table in (NEW, X):
        assert bayes.predict_dist(table).entropy().mean() > 1.1 * plug.predict_dist(table).entropy().mean()
    many = (X[:12] + 1) * 10_000  # every word seen often; what is left is of the order size² / count
    bayes, plug = (MultinomialNB(fully_bayesian=f).fit(many, LABELS[:12]) for f in (True, False))
    np.testing.assert_allclose(bayes.predict_proba(NEW), plug.predict_proba(NEW), rtol=0, atol=3e-3)


# -- words never seen ---------------------------------------------------------------------------------------
@every_table
def test_a_word_unseen_in_one_class_excludes_it(table):
    docs, y = [[2, 1, 0], [1, 0, 0], [0, 1, 3]], ["a", "a", "b"]
    model = MultinomialNB(alpha=0.0).fit(table(np.array(docs, float)), y)
    assert np.array_equal(model.predict_proba(table(np.array([[0.0, 1.0, 1.0]]))), [[0.0, 1.0]])
    smooth = MultinomialNB(alpha=1.0).fit(docs, y).predict_proba([[0, 1, 1]])
    assert 0 < smooth[0, 0] < smooth[0, 1]


@every_table
def test_a_word_unseen_everywhere_leaves_the_priors(table):
    docs = table(np.array([[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [3.0, 1.0, 0.0]]))
    model = MultinomialNB(alpha=0.0).fit(docs, ["a", "a", "b"])
    with pytest.warns(NoInformation, match="Row 1 has probability zero in every class"):
        shares = model.predict_proba(table(np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 1.0]])))
    np.testing.assert_allclose(shares[1], [2 / 3, 1 / 3], rtol=1e-12)


def test_a_class_without_words_has_equal_shares():
    model = MultinomialNB(alpha=0.0).fit([[0, 0], [1, 3]], ["empty", "full"])
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), [[0.5, 0.5], [0.25, 0.75]], rtol=1e-12)
    np.testing.assert_allclose(
        MultinomialNB().fit(np.zeros((3, 2)), [0, 0, 1]).predict_proba([[1, 1]]), [[2 / 3, 1 / 3]]
    )


def test_ten_thousand_words_do_not_underflow():
    docs = np.random.default_rng(0).poisson(2.0, (6, 10_000)).astype(float)
    y = ["a", "b", "c"] * 2
    for options in ({}, {"fully_bayesian": True}):
        model = MultinomialNB(**options).fit(docs, y)
        logs = model.predict_log_proba(docs[::-1])
        assert np.isfinite(logs).all()
        assert logs.min() < -745  # the probability itself is zero
        assert np.isfinite(model.predict_dist(docs).log_probabilities).all()
        validation = cross_validate(model, docs, y, cv=KFold(2), loss="log")
        assert np.isfinite(validation.estimate)


# -- missing, negative and fractional counts ------------------------------------------------------------------
@every_setting
@every_table
def test_a_missing_count_is_a_count_of_nothing(setting, table):
    holes = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    filled = np.nan_to_num(holes)
    a, b = made(setting).fit(table(holes), LABELS), made(setting).fit(filled, LABELS)
    assert_same(a, b)
    unknown = NEW.copy()
    unknown[0, :9] = np.nan
    np.testing.assert_allclose(
        a.predict_joint_log_proba(table(unknown)),
        b.predict_joint_log_proba(np.nan_to_num(unknown)),
        rtol=1e-12,
    )


@every_table
def test_negative_counts_are_named(table):
    bad = X.copy()
    bad[4, 2] = -3
    with pytest.raises(InvalidInput, match=r"Negative values.*zero or more; got -3 at row 4, column 'x2'"):
        MultinomialNB().fit(table(bad), LABELS)
    with pytest.raises(InvalidInput, match=r"got -3 at row 4, column 'x2'"):
        MultinomialNB().fit(X, LABELS).predict(table(bad))
    with pytest.raises(InvalidInput, match=r"X contains inf at row 4, column 'x2'"):
        MultinomialNB().fit(table(np.where(bad < 0, np.inf, bad)), LABELS)


@every_table
def test_fractions_are_no_draws(table):
    bad = X.copy()
    bad[7, 5] = 1.5
    assert np.isfinite(MultinomialNB().fit(table(bad), LABELS).predict_log_proba(NEW)).all()
    with pytest.raises(InvalidInput, match=r"whole counts, not fractions.*got 1.5 at row 7, column 'x5'"):
        MultinomialNB(fully_bayesian=True).fit(table(bad), LABELS)
    with pytest.raises(InvalidInput, match=r"got 1.5 at row 7, column 'x5'"):
        MultinomialNB(fully_bayesian=True).fit(X, LABELS).predict(table(bad))


def test_names_of_columns_in_errors():
    import pandas

    table = pandas.DataFrame([[1.0, -1.0], [2.0, 3.0]], columns=["ball", "court"])
    with pytest.raises(InvalidInput, match=r"got -1 at row 0, column 'court'"):
        MultinomialNB().fit(table, ["a", "b"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": -1.0}, r"alpha must be a finite number >= 0, or one per column; got -1"),
        ({"alpha": np.nan}, r"alpha must be .*nan"),
        ({"alpha": "much"}, r"alpha must be made of numbers; got 'much'"),
        ({"alpha": True}, r"alpha must be .*True"),
        ({"alpha": [1.0, 2.0]}, r"alpha must be one number or one for each of the 25 columns; got shape \(2,\)"),
        ({"force_alpha": 1}, r"force_alpha must be True or False; got 1"),
        ({"fit_prior": "yes"}, r"fit_prior must be True or False"),
        ({"fully_bayesian": "yes"}, r"fully_bayesian must be True or False"),
        ({"fully_bayesian": True, "alpha": 0.0}, r"fully_bayesian needs alpha > 0, a proper prior; got 0.0"),
        ({"class_prior": "equal"}, r"class_prior must be .*'equal'"),
        ({"class_prior": [0.5, 0.5]}, r"Number of priors must match number of classes, 3"),
        ({"class_prior": [0.5, 0.7, -0.2]}, r"Priors must be non-negative; class_prior is"),
        ({"class_prior": [0.5, 0.7, 0.2]}, r"sum of the priors should be 1; it is 1.4 in class_prior"),
        ({"prior": "flat"}, r"prior must be None, a Dirichlet or its strength, a number; got 'flat'"),
        ({"prior": 0.5}, r"prior must have parameters >= 1 for a mode to exist; got 0.5. Choose fully_bayesian"),
        ({"prior": -1.0, "fully_bayesian": True}, r"prior must be greater than 0; got -1"),
        ({"prior": np.inf}, r"prior must"),
        ({"prior": Dirichlet([2.0, 2.0])}, r"prior must be one number or one for each of the 25 columns"),
    ],
)  # fmt: skip
def test_wrong_parameters(options, words):
    with pytest.raises(InvalidParameter, match=words):
        MultinomialNB(**options).fit(X, LABELS)


# -- statistics that add ---------------------------------------------------------------------------------------
@every_setting
@every_table
def test_pieces_merging_and_forgetting(setting, table):
    whole = made(setting).fit(table(X), LABELS)
    pieces = made(setting)
    for part in np.array_split(np.arange(N), 4):
        pieces.partial_fit(table(X[part]), LABELS[part])
    assert_same(pieces, whole)
    parts = [made(setting).fit(table(X[i]), LABELS[i]) for i in np.array_split(np.arange(N), 3)]
    assert_same(suffice.merge(parts), whole)
    assert_same(
        suffice.forget(whole, table(X[60:]), LABELS[60:]), made(setting).fit(X[:60], LABELS[:60]), 1e-8
    )
    if made(setting).fully_bayesian:
        assert pieces.log_evidence_ == pytest.approx(whole.log_evidence_, rel=1e-12)


@every_setting
def test_weights_count_rows(setting):
    repeated = np.repeat(np.arange(N), WEIGHT.astype(int))
    assert_same(made(setting).fit(X, LABELS, WEIGHT), made(setting).fit(X[repeated], LABELS[repeated]))
    order = np.random.default_rng(0).permutation(N)
    assert_same(made(setting).fit(X[order], LABELS[order]), made(setting).fit(X, LABELS))


def test_forgetting_more_than_there_was():
    model = MultinomialNB().fit(X[:20], LABELS[:20])
    with pytest.raises(ArithmeticError, match="Cannot take"):
        suffice.forget(model, X, LABELS)
    with pytest.raises(ArithmeticError, match="Cannot take more out of column number 3 than is in it"):
        suffice.forget(model, [[0.0, 0.0, 0.0, 1e6] + [0.0] * (M - 4)], LABELS[:1])


def test_classes_that_come_later():
    model = MultinomialNB().partial_fit(X[:9], LABELS[:9], classes=["law", "music", "sport", "travel"])
    assert model.predict_proba(NEW)[:, 3].max() == 0
    assert np.isneginf(model.predict_joint_log_proba(NEW)[:, 3]).all()
    with pytest.raises(
        InvalidInput, match=r"The target labels \['chess'\] in y do not exist in the initial classes"
    ):
        model.partial_fit(X[:1], ["chess"], classes=["law", "music", "sport", "travel"])
    grown = MultinomialNB().fit(X, LABELS).partial_fit(X[:2], ["travel", "travel"])
    assert_same(grown, MultinomialNB().fit(np.vstack([X, X[:2]]), [*LABELS, "travel", "travel"]))


def test_statistics_differ_where_refusals_do():
    assert MultinomialNB().statistics_key != MultinomialNB(fully_bayesian=True).statistics_key
    assert MultinomialNB(alpha=3).statistics_key == MultinomialNB(prior=2.0).statistics_key


# -- validation -------------------------------------------------------------------------------------------------
@every_setting
@every_table
def test_folds_from_statistics_are_refits(setting, table):
    cv = KFold(5, shuffle=True, random_state=0)
    fast = cross_validate(made(setting), table(X), LABELS, cv=cv, loss="log")
    assert fast.how == "statistics"
    for train, test in cv.split(X):
        slow = made(setting).fit(X[train], LABELS[train]).predict_proba(X[test])
        np.testing.assert_allclose(fast.probabilities[test], slow, rtol=1e-9, atol=1e-300)


@every_setting
@every_table
@pytest.mark.parametrize(
    "weight", [None, pytest.param(WEIGHT + 0.5, marks=pytest.mark.slow)], ids=["plain", "weighted"]
)
def test_leaving_one_row_out_is_refitting(setting, table, weight):
    model = made(setting)
    logs, alone = model.left_out_labels(*model.door(table(X), LABELS, weight))
    assert alone.mean() < 0.5
    for i in np.flatnonzero(~alone):
        kept = np.arange(N) != i
        refit = made(setting).fit(X[kept], LABELS[kept], None if weight is None else weight[kept])
        np.testing.assert_allclose(logs[i], refit.predict_log_proba(X[[i]])[0], rtol=1e-9, atol=1e-12)
    fast = cross_validate(model, table(X), LABELS, cv=LeaveOneOut(), sample_weight=weight)
    assert fast.how == ("refit" if alone.any() else "closed form")
    told = np.unique(LABELS)[np.argmax(logs, axis=1)]
    assert np.array_equal(fast.predictions[~alone], told[~alone])


def test_the_last_row_of_a_class_is_refitted():
    docs, y = np.array([[3.0, 0.0], [2.0, 1.0], [0.0, 4.0]]), ["a", "a", "b"]
    _, alone = MultinomialNB().left_out_labels(*MultinomialNB().door(docs, y))
    assert alone.tolist() == [False, False, True]
    fast = cross_validate(MultinomialNB(), docs, y, cv=LeaveOneOut())
    assert fast.predictions.tolist() == ["a", "a", "a"]


# -- elsewhere --------------------------------------------------------------------------------------------------
@every_setting
def test_saved_and_loaded(setting, tmp_path):
    model = made(setting).fit(sparse.csr_array(X), LABELS)
    suffice.save(model, tmp_path / "m.suffice")
    again = suffice.load(tmp_path / "m.suffice")
    assert np.array_equal(again.predict_log_proba(NEW), model.predict_log_proba(NEW))
    assert_same(again.partial_fit(X[:5], LABELS[:5]), model.partial_fit(X[:5], LABELS[:5]))


def test_in_a_pipeline_of_tf_idf():
    mine = make_pipeline(TfidfTransformer(), MultinomialNB()).fit(sparse.csr_array(X), LABELS)
    theirs = make_pipeline(TfidfTransformer(), naive_bayes.MultinomialNB()).fit(sparse.csr_array(X), LABELS)
    np.testing.assert_allclose(mine.predict_proba(NEW), theirs.predict_proba(NEW), rtol=1e-10)


def test_batches_and_files(tmp_path):
    import pandas

    whole = MultinomialNB(0.3).fit(X, LABELS)
    batches = [
        (sparse.csr_array(X[i]), LABELS[i]) for i in np.array_split(np.argsort(LABELS, kind="stable"), 5)
    ]
    assert_same(engine.fit(MultinomialNB(0.3), iter(batches)), whole)
    frame = pandas.DataFrame(X, columns=[f"w{j}" for j in range(M)]).assign(topic=LABELS)
    frame.to_parquet(tmp_path / "words.parquet", row_group_size=20)
    read = engine.fit(MultinomialNB(0.3), tmp_path / "words.parquet", "topic")
    np.testing.assert_allclose(read.feature_log_prob_, whole.feature_log_prob_, rtol=1e-12)


def test_dask_and_folds_of_a_source():
    import dask.array as da

    whole = MultinomialNB().fit(X, CODES)
    arrays = (da.from_array(X, chunks=(20, M)), da.from_array(CODES, chunks=20))
    assert_same(engine.fit(MultinomialNB(), arrays), whole)
    validation = engine.cross_validate(MultinomialNB(), (X, CODES), folds=5)
    assert validation.how == "statistics"
    assert validation.estimate < 0.1


def test_a_search_shares_statistics():
    """Sharp topics take little smoothing; too much makes all words alike."""
    search = SearchCV(MultinomialNB(), {"alpha": [0.1, 1e4]}, loss="log").fit(sparse.csr_array(X), LABELS)
    assert search.best_params_ == {"alpha": 0.1}


def test_samples_have_the_shares_of_their_class():
    """Means of 4000 documents within five standard errors."""
    for options in ({}, {"fully_bayesian": True, "alpha": 0.5}):
        model = MultinomialNB(**options).fit(X, LABELS)
        docs = model.sample("music", 4000, random_state=0)
        size = round(X[LABELS == "music"].sum() / np.sum(LABELS == "music"))
        assert np.all(docs.sum(axis=1) == size)
        expected = size * np.exp(model.feature_log_prob_[1])
        assert np.all(np.abs(docs.mean(axis=0) - expected) < 5 * docs.std(axis=0) / np.sqrt(4000) + 1e-3)
    table, labels = model.sample(n=50, random_state=1)
    assert table.shape == (50, M)
    assert set(labels) <= set(LABELS)


def test_number_of_parameters():
    assert MultinomialNB().fit(X, LABELS).n_parameters_ == 3 * (M - 1)


def test_parts_of_a_cell_are_one_count():
    split = sparse.csr_array(
        (np.array([1.0, 1.0, 3.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    whole = np.array([[2.0, 0.0], [0.0, 3.0]])
    for options in ({}, {"fully_bayesian": True}):
        a, b = (
            MultinomialNB(**options).fit(split, ["a", "b"]),
            MultinomialNB(**options).fit(whole, ["a", "b"]),
        )
        np.testing.assert_allclose(
            a.predict_joint_log_proba(split), b.predict_joint_log_proba(whole), rtol=1e-12
        )
    assert split.nnz == 3


def corpus(n, words, per_row, classes=5):
    draws = np.random.default_rng(0)
    columns = (words * draws.random(n * per_row) ** 3).astype(np.int32)
    rows = np.repeat(np.arange(n), per_row)
    table = sparse.csr_array((np.ones(n * per_row), (rows, columns)), shape=(n, words))
    return table, draws.integers(0, classes, n)


def test_memory_is_that_of_the_words_used():
    """2000 × 50,000 would be 800 MB; shares of five classes are 2 MB, the stored cells 3 MB."""
    table, y = corpus(2000, 50_000, 100)
    for options in ({}, {"fully_bayesian": True}):
        tracemalloc.start()
        MultinomialNB(**options).fit(table, y).predict(table)
        cross_validate(MultinomialNB(**options), table, y, cv=4)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 80e6


def test_a_bad_cell_of_a_wide_table_costs_no_memory():
    table, y = corpus(2000, 50_000, 10)
    table.data[5] = np.inf
    tracemalloc.start()
    with pytest.raises(InvalidInput, match=r"X contains inf at row 0, column 'x\d+'"):
        MultinomialNB().fit(table, y)
    assert tracemalloc.get_traced_memory()[1] < 80e6
    tracemalloc.stop()


ENDS = [MultinomialNB(), MultinomialNB(alpha=30.0, force_alpha=False, class_prior="uniform")]
BETWEEN = [MultinomialNB(prior=2.5, fit_prior=False)]


@pytest.mark.parametrize("estimator", ENDS, ids=str)
def test_estimator(estimator):
    assert_accepted(estimator)


@pytest.mark.slow
@pytest.mark.parametrize("estimator", BETWEEN, ids=str)
def test_estimator_between(estimator):
    assert_accepted(estimator)
