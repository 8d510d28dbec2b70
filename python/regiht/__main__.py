"""``python -m regiht``."""

import sys

from regiht.cli import main

sys.exit(main())
