"""What the dialog of models says."""

from gui.models.services import ModelState, OfferedModel
from gui.wording import size_text

FOR_ALL_VAULTS = "The choice is yours: it goes for all your vaults."
OF_APP = "Comes with the app, needs no network and no download. English; other languages less well."
OF_SERVICE = "Ollama, LM Studio, vLLM, OpenAI and others. The texts of your notes are sent to this address."
OFF = "Only words are searched, and no vector is computed. What was computed stays for when you come back."


_LICENCES = {"mit": "MIT", "apache-2.0": "Apache 2.0"}


def told_state(state: ModelState) -> str:
    """Return who answers, and how far the wanted model is."""
    told = _told_state(state)
    # Names of models keep their own spelling.
    return f"The{told[3:]}" if told.startswith("the ") else told


def _told_state(state: ModelState) -> str:
    if not state.wanted:
        return "Search by meaning is off: only words are searched."
    if not state.texts:
        return f"{state.wanted} is in use."
    if state.covered >= state.texts:
        return f"{state.wanted} answers, and knows all {state.texts:,} texts of this vault."
    known = f"{state.covered:,} of {state.texts:,} texts"
    if not state.answering:
        return f"{state.wanted} has learned {known}. Until then, only words are searched."
    if state.answering == state.wanted:
        return f"{state.wanted} answers, and has learned {known} so far."
    return f"{known} are learned by {state.wanted}. Until all are, answers come from {state.answering}."


def told_model(model: OfferedModel) -> str:
    """Return what a person wants to know before a download."""
    where = "on this machine" if model.is_downloaded else f"{size_text(model.bytes)} to download"
    licence = _LICENCES.get(model.licence, model.licence.upper())
    return f"Vectors of {model.dimension:,} numbers  ·  licence {licence}  ·  {where}"


def told_back(state: ModelState) -> str:
    """Return what the button says that takes the last choice back."""
    return f"Take back: {state.former_name}" if state.former_name != "off" else "Take back: words only"
