"""Where statistics are collected: arrays over threads, or batches from an iterator.

    reduce(source, step, *params) -> statistics

`step(part, *params)` turns one part of the source into a statistic; parts are added along a fixed
tree, so the result has the same bits for any number of threads.
"""

from suffice.engine.reduce import Rows, reduce
from suffice.engine.source import fit
from suffice.engine.threads import one_blas_thread, parallel, threads

__all__ = ["Rows", "fit", "one_blas_thread", "parallel", "reduce", "threads"]
