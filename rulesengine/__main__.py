"""`python -m rulesengine`: the command line."""

import sys

from rulesengine.cli import main

if __name__ == "__main__":
    sys.exit(main())
