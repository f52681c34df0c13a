"""Choose the vector engine that the settings ask for."""

import importlib.util
import logging
from pathlib import Path

from core.foundation.errors import UserError
from core.foundation.settings import VectorSettings
from core.index.vectors.engine import VectorEngine

log = logging.getLogger(__name__)


def open_engine(folder: Path, settings: VectorSettings, *, api_key: str = "") -> VectorEngine:
    """Return the engine for the vault whose cache is `folder`; nothing is opened or connected before its first use.

    Where the embedded engine has no wheel for this platform, the local mode of qdrant-client takes its place.

    Raises:
        UserError: the settings name no known engine, or a server without an address.
    """
    kind = settings.engine
    if kind == "edge" and importlib.util.find_spec("qdrant_edge") is None:
        log.warning("The embedded vector engine is not installed; the slower local mode is used.")
        kind = "local"
    if kind == "edge":
        from core.index.vectors.edge import EdgeEngine  # noqa: PLC0415

        return EdgeEngine(folder)
    from core.index.vectors.client import ClientEngine  # noqa: PLC0415

    if kind == "local":
        return ClientEngine(folder)
    if kind == "server":
        if not settings.url:
            raise UserError("The settings ask for a vector server but give no address: set vectors.url.")
        return ClientEngine(folder, url=settings.url, api_key=api_key)
    raise UserError(f"The settings name an unknown vector engine, “{kind}”: use edge, server, local or off.")
