"""The draws of a generative classifier belong to its densities.

They are calibrated under the model: with (x, y) from p(x | c) P(c), the mean of (1[y = c] − P(c | x)) g(x) is zero for
every g. That holds only if `sample`, the densities and the priors belong together.
"""

from __future__ import annotations

import numpy as np
import pytest

from suffice._core.errors import InvalidInput

from .settings_generative import LABELS, built, cases


@pytest.mark.parametrize("name", cases())
def test_a_model_is_calibrated_on_its_own_draws(name):
    model, X, _ = built(name)
    model.fit(X, LABELS)
    drawn, y = model.sample(n=20_000, random_state=5)
    drawn = np.asarray(drawn, dtype=float)
    shares = model.predict_proba(drawn)
    off = (y[:, None] == model.classes_) - shares  # mean zero given x
    tests = [np.ones(len(y)), *shares.T, *drawn.T, np.square(drawn).sum(axis=1)]
    for g in tests:
        terms = off * g[:, None]
        error = terms.std(axis=0) / np.sqrt(len(y))
        assert np.all(np.abs(terms.mean(axis=0)) < 5 * error + 1e-12)
    np.testing.assert_allclose(
        [np.mean(y == c) for c in model.classes_],
        np.exp(model.class_log_prior_),
        atol=5 * 0.5 / np.sqrt(len(y)),
    )


@pytest.mark.parametrize("name", cases())
def test_draws_of_a_class_follow_its_density(name):
    """E p(x | d) / p(x | c) over draws of c is one for any other class d; the ratio is cut off where it is large."""
    model, X, _ = built(name)
    model.fit(X, LABELS)
    drawn = np.asarray(model.sample("birch", 20_000, random_state=6), dtype=float)
    other = np.asarray(model.sample("cedar", 20_000, random_state=7), dtype=float)

    def ratio(table):
        logs = model.predict_joint_log_proba(table) - model.class_log_prior_
        return logs[:, 2] - logs[:, 1]

    r, s = ratio(drawn), ratio(other)
    for cut in (-1.0, 0.0, 1.0):  # E_birch[e^r; r < cut] = P_cedar(s < cut)
        terms, hits = np.where(r < cut, np.exp(np.minimum(r, cut)), 0.0), s < cut
        error = np.sqrt((terms.var() + hits.var()) / len(r))
        assert abs(terms.mean() - hits.mean()) < 5 * error + 1e-12
    with pytest.raises(InvalidInput, match="Unknown class"):
        model.sample("oak")
