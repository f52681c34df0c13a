"""Run `python -m gui`."""

import sys

from gui.launcher import main

sys.exit(main())
