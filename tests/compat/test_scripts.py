"""Scripts as people write them print the same with the imports swapped: 36 of them, under `scripts/`.

They are swapped by `suffice.compat`, so that the tool is held to what it promises. Numbers agree to four digits, whole
numbers and words exactly; nothing warns that did not warn before.
"""

from __future__ import annotations

import pytest
from gallery import FOLDER, NUMBER, both, differences

from suffice.compat import check
from suffice.compat.counterparts import older_than

SCRIPTS = sorted(FOLDER.glob("*.py"))
FOUR_DIGITS = {"rtol": 5e-5, "atol": 1.01e-6}  # they print six
STAY = {"learning_curve", "cross_validate"}  # ours of the same name is something else


def test_there_are_thirty():
    assert len(SCRIPTS) >= 30


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.stem)
def test_the_same_is_printed(script):
    if older_than("1.9") and any("discriminant" in path for path in check(script).swaps):
        pytest.skip("older ones divide covariances by other numbers (suffice.compat says so)")
    theirs, ours, swaps = both(script)
    assert swaps
    assert NUMBER.search(theirs.text)
    wrong = differences(theirs.text, ours.text, **FOUR_DIGITS)
    assert not wrong, "there and here:\n" + "\n".join(wrong)
    assert ours.warned <= theirs.warned


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.stem)
def test_everything_that_could_be_swapped_is(script):
    report = check(script)
    assert not report.of("stays", "gone")
    assert not report.unseen
    assert {n.path.rpartition(".")[2] for n in report.of("different")} <= STAY


def test_other_words_and_other_numbers_are_noticed():
    same = differences("a 1.0001 [3 4]", "a 1.0001 [ 3  4]", **FOUR_DIGITS)
    other = [
        differences(*pair, **FOUR_DIGITS)
        for pair in (("a 1.0001", "a 1.0003"), ("a 3", "a 4"), ("a", "b"), ("a", "a\nb"), ("x 1", "x 1 2"))
    ]
    assert not same
    assert all(other)
