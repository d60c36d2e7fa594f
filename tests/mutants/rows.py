"""The table of mutants: what is wrong with each, the tag that must tell, and the label that must follow."""

from __future__ import annotations

from .mutant import Mutant
from .rows_done import DONE
from .rows_doors import DOORS
from .rows_faults import FAULTS
from .rows_pages import PAGES
from .rows_said import SAID
from .rows_traps import TRAPS

MUTANTS: tuple[Mutant, ...] = (*SAID, *PAGES, *DOORS, *DONE, *TRAPS, *FAULTS)

# Tags whose scene the world does not have yet, each with what is missing. A new tag needs a mutant or a line here.
NO_SCENE_YET: dict[str, str] = {}

# Labels that say nothing of a system; sabotaged stages prove them, not mutants.
NOT_OF_SYSTEMS = ("infra_error", "probe_invalid")
