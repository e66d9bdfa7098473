"""Which imports of a script could be swapped for ours, and what would change: read from its syntax, never run.

    python -m suffice.compat script.py notebook.ipynb folder     a report
    python -m suffice.compat script.py --diff                    the swap as a patch

`sources` (files to code) → `reading` (code to names and uses) → `judging` (what can be swapped, by `counterparts`) →
`report` (words, JSON) and `rewriting` (the swapped code). `peers.toml` has what the classes cannot say themselves.
"""

from suffice.compat.judging import Report, check
from suffice.compat.rewriting import swapped

__all__ = ["Report", "check", "swapped"]
