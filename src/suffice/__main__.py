"""`python -m suffice`: the command line, where its program is not on the path."""

from suffice.cli import main

if __name__ == "__main__":
    main()
