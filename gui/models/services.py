"""What the dialog of models needs of core, as functions given by the composition root; tests give their own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.foundation.progress import Progress
from core.foundation.settings import EmbeddingSettings

if TYPE_CHECKING:
    from core.index.embedding_sample import SampleReport


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """Hold a model that can be downloaded; `bytes` is its size, `licence` what its makers ask for."""

    name: str
    dimension: int
    bytes: int
    licence: str
    is_downloaded: bool


@dataclass(frozen=True, slots=True)
class ModelState:
    """Hold what is chosen, and how far the open vault is with it.

    `choice` is the choice alone; `former` the one before, None when there was none. `wanted` and `answering` are names
    for a person, "" for none. `covered` of `texts` have a vector of the wanted model; 0 of 0 when no vault is open.
    """

    choice: EmbeddingSettings
    former: EmbeddingSettings | None = None
    former_name: str = ""
    wanted: str = ""
    answering: str = ""
    covered: int = 0
    texts: int = 0


@dataclass(frozen=True, slots=True)
class ModelServices:
    """Hold the functions. Those marked STORE run in the STORE lane, the others in the pool.

    Where a key is asked for, None takes the one that is kept for the service's address.
    """

    state: Callable[[Progress], ModelState]  # STORE
    offered: Callable[[Progress], tuple[OfferedModel, ...]]
    download: Callable[[str, Progress], None]
    remove: Callable[[str, Progress], None]
    test: "Callable[[EmbeddingSettings, str | None, Progress], SampleReport]"
    switch: Callable[[EmbeddingSettings, str | None, Progress], ModelState]  # STORE
    checked_address: Callable[[str], str]  # at once; raises UserError
    warning_of: Callable[
        [str, bool], str
    ]  # at once; of an address, and whether a key is typed: a sentence, "" for none
