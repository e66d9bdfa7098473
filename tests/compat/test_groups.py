"""Changing the import is enough: the tests of installed peers pass with our classes under their names.

Nothing of theirs is copied; their test modules run where they are installed (`peer_swap.py`). What fails must stand in
`accepted/`, one file per group, with its reason; and what stands there must fail. A key names a test, or one of its
cases with its parameters in brackets. In `make test` a share of all cases runs in one process, in `make test-long` all.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from peer_groups import GROUPS, group_name
from peer_runs import outcomes

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent

ACCEPTED = {
    f.stem: tomllib.loads(f.read_text(encoding="utf-8"))["tests"] for f in (HERE / "accepted").glob("*.toml")
}
READY = sorted(ACCEPTED)
PENDING: set[str] = set()  # groups whose classes lack parameters of theirs


def unexpected(records: list[dict]) -> list[str]:
    """Cases that fail and are not accepted."""
    out = []
    for record in records:
        accepted = ACCEPTED[group_name(record["module"])]
        listed = record["test"] in accepted or record["test"].partition("[")[0] in accepted
        if record["outcome"] == "failed" and not listed:
            out.append(f"{record['test']}: {record['why']}")
    return out


def stale(name: str, records: list[dict]) -> list[str]:
    """Accepted failures that are none: no case of the name fails."""
    failed = {record["test"] for record in records if record["outcome"] == "failed"}
    return [t for t in ACCEPTED[name] if t not in failed and t not in {f.partition("[")[0] for f in failed}]


def test_a_share_of_all_groups():
    modules = [module for name in READY for module in GROUPS[name].modules]
    found = outcomes(modules, share=15)
    assert {group_name(record["module"]) for record in found} == set(READY)
    assert not unexpected(found), "\n".join(unexpected(found))


@pytest.mark.long
@pytest.mark.parametrize("name", READY)
def test_group(name):
    found = outcomes(GROUPS[name].modules)
    assert not unexpected(found), "\n".join(unexpected(found))
    failed = [record["test"] for record in found if record["outcome"] == "failed"]
    passed = sum(record["outcome"] == "passed" for record in found)
    assert passed >= 0.9 * (passed + len(failed)), f"{passed} of {passed + len(failed)} pass"
    assert not stale(name, found), f"accepted, but nothing of that name fails: {stale(name, found)}"


def test_a_group_that_does_not_run_is_pending():
    """Each group has its list of accepted failures, empty or not; without one it would never run."""
    assert set(GROUPS) - set(ACCEPTED) <= PENDING


def test_what_newly_fails_and_what_newly_passes_is_noticed():
    module = GROUPS["ridge"].modules[0].rpartition(".")[2]

    def record(test, outcome):
        return {"module": module, "test": test, "outcome": outcome, "why": "it broke"}

    known = [record(f"{test}[a]", "failed") for test in ACCEPTED["ridge"]]
    assert not unexpected(known)
    assert not stale("ridge", known)
    assert unexpected([*known, record("test_new[b]", "failed")]) == ["test_new[b]: it broke"]
    assert not unexpected([record("test_new[b]", "passed"), record("test_new[c]", "skipped")])
    first = next(iter(ACCEPTED["ridge"]))
    assert stale("ridge", [record(f"{first}[a]", "passed"), *known[1:]]) == [first]


def test_every_accepted_failure_has_a_reason():
    assert set(ACCEPTED) <= set(GROUPS)
    for name, tests in ACCEPTED.items():
        short = [test for test, reason in tests.items() if len(reason.split()) < 4]
        assert not short, f"{name}: {short}"
