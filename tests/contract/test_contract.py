"""What this library promises of every estimator, at every setting of the registry: a test per case and chapter.

Chapters are the modules of `checks`. Quick runs ask for the first and the last setting of an estimator, `make test` for
one between them too, and long runs for all.
"""

from __future__ import annotations

import shlex

import pytest

from .chapters import everything, run

pytestmark = [
    pytest.mark.sampled(12),
    pytest.mark.filterwarnings(
        "ignore::suffice._core.errors.AtBound"  # some targets here are noise, which holds weights at their prior mean
    ),
]


@pytest.mark.parametrize(
    ("case", "chapter", "tier"),
    [
        pytest.param(
            *test,
            marks=[getattr(pytest.mark, test[2])] if test[2] else [],
            id="-".join(filter(None, test)),
        )
        for test in everything()
    ],
)
def test_contract(case, chapter, tier, request):
    run(case, chapter, tier, repeat=f"python -m pytest {shlex.quote(request.node.nodeid)}")
