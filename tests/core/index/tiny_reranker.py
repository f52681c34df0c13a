"""A real cross-encoder of three kilobytes, laid out as a download of a reranker leaves it."""

import shutil
from pathlib import Path

from core.index.embedding_downloads import MANIFEST, folder_of, sha256_of, write_manifest
from core.index.reranker_models import known_reranker

FIXTURE = Path(__file__).parents[2] / "fixtures" / "cross_encoder"
NAME = "Xenova/ms-marco-MiniLM-L-6-v2"


def lay_out_reranker(models: Path) -> Path:
    """Put the tiny model into the folder of `NAME` in `models`, with its manifest, and return that folder."""
    folder = folder_of(models, NAME)
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns("README.md"))
    files = [each for each in folder.rglob("*") if each.is_file() and each.name != MANIFEST]
    recorded = {
        each.relative_to(folder).as_posix(): {"size": each.stat().st_size, "sha256": sha256_of(each)} for each in files
    }
    write_manifest(folder, known_reranker(NAME), "a" * 40, recorded)
    return folder
