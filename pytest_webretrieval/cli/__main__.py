"""``python -m pytest_webretrieval.cli``: the same command."""

from __future__ import annotations

import sys

from . import main

sys.exit(main())
