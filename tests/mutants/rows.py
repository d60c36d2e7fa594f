"""The table of mutants: what is wrong with each, the tag that must tell, and the label that must follow."""

from __future__ import annotations

from .mutant import Mutant
from .rows_done import DONE
from .rows_doors import DOORS
from .rows_pages import PAGES
from .rows_said import SAID

MUTANTS: tuple[Mutant, ...] = (*SAID, *PAGES, *DOORS, *DONE)

# Tags whose scene the world does not have yet, each with what is missing. A new tag needs a mutant or a line here.
NO_SCENE_YET = {
    "freshness-unknown": "every server dates its answers; of an API's copy, provider-cache tells",
}

# Labels that say nothing of a system; sabotaged stages prove them, not mutants.
NOT_OF_SYSTEMS = ("infra_error", "probe_invalid")
