"""Where statistics are collected: arrays, batches, files, processes or a cluster, with one and the same result.

    reduce(source, step, *params) -> statistics
    fit(model, source, target) -> model
    cross_validate(model, source, target, folds=10) -> Validation

A source yields parts, an executor works on them, and their statistics are added along a tree that depends on the
source alone.

    opening.py     a source and a model, ready to work     sources/         where rows come from
    columns.py     names to numbers (roles.py, values.py,  executors.py     who does the work
                   conditions.py: checks, cells, rows)     workers.py       processes, each at the end of a pipe
    door.py        from a batch to a model's door          hashing.py       which fold a row belongs to
    fitting.py     one pass, or several                    checkpoints.py   where an iteration stands
    folding.py     folds from one pass                     threads.py       how many, and BLAS on one
"""

from suffice.engine.columns import Columns
from suffice.engine.executors import Cluster, Processes, Serial, Threads
from suffice.engine.fitting import fit
from suffice.engine.folding import Folded, cross_validate
from suffice.engine.reduce import Rows, reduce
from suffice.engine.sources.encodings import encoding
from suffice.engine.threads import one_blas_thread, parallel, threads

__all__ = [
    "Cluster",
    "Columns",
    "Folded",
    "Processes",
    "Rows",
    "Serial",
    "Threads",
    "cross_validate",
    "encoding",
    "fit",
    "one_blas_thread",
    "parallel",
    "reduce",
    "threads",
]
