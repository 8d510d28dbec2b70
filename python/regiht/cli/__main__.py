"""``python -m regiht.cli``."""

import sys

from regiht.cli import main

sys.exit(main())
