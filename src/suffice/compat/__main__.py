"""`python -m suffice.compat`."""

import sys

from suffice.compat.program import main

if __name__ == "__main__":
    sys.exit(main())
