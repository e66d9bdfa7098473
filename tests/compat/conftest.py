"""The helpers of this folder are imported by their names, here and in the processes that run the tests of peers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

collect_ignore = ["scripts"]  # programs that test_scripts.py runs, not modules with doctests
