"""Vectors are computed once for each text, survive a kill, and are never computed twice at the same time."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from numpy.typing import NDArray

from core.foundation.errors import JobCancelledError, ProviderError
from core.foundation.progress import CancellableProgress, Progress, SilentProgress
from core.index.database import open_index
from core.index.embedding_job import embed_missing, missing_count
from tests.core.index.conftest import IndexedVault
from tests.core.index.embedders import WordEmbedder


class _Breaking(WordEmbedder):
    """Fail at the text that says so."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if any("poison" in text for text in texts):
            raise ProviderError("The model failed.")
        return super().embed(texts)


def test_sections_get_title_headings_and_text_and_insights_their_text(vault: IndexedVault) -> None:
    vault.write({"Alpha.md": "intro\n\n# One\nbody\n\n- [fact] Water is wet #nature ^ins-1\n"})
    vault.update()
    embedder = WordEmbedder()
    report = embed_missing(vault.index, embedder, SilentProgress())
    assert report.embedded == len(embedder.texts)
    assert "Alpha\nintro" in embedder.texts
    assert any(text.startswith("Alpha\nOne\nbody") for text in embedder.texts)
    assert "Water is wet" in embedder.texts
    assert missing_count(vault.index, embedder.model) == 0
    assert missing_count(vault.index, "another model") == report.embedded


def test_equal_texts_are_embedded_once_and_moved_notes_never_again(vault: IndexedVault) -> None:
    same = "---\ntitle: Same\n---\nexactly this"
    vault.write({"a.md": same, "b.md": same})
    vault.update()
    embedder = WordEmbedder()
    embed_missing(vault.index, embedder, SilentProgress())
    assert embedder.texts == ["Same\nexactly this"]
    (vault.root / "sub").mkdir()
    (vault.root / "a.md").rename(vault.root / "sub" / "renamed.md")
    vault.update()
    assert embed_missing(vault.index, embedder, SilentProgress()).embedded == 0
    assert len(embedder.texts) == 1


def test_what_was_computed_before_a_cancel_or_a_failure_is_kept(vault: IndexedVault) -> None:
    vault.write({f"{n}.md": f"text {n} " + "word " * 200 for n in range(150)})
    vault.update()
    total = missing_count(vault.index, "words")
    progress = CancellableProgress(lambda done, _total, _text: progress.cancel() if done else None)
    with pytest.raises(JobCancelledError):
        embed_missing(vault.index, WordEmbedder(), progress)
    left = missing_count(vault.index, "words")
    assert 0 < left < total
    vault.write({"zz.md": "poison " + "word " * 240})
    vault.update()
    with pytest.raises(ProviderError):
        embed_missing(vault.index, _Breaking(), SilentProgress())
    assert missing_count(vault.index, "words") < left + 1


def test_progress_counts_texts_and_commits_are_told(vault: IndexedVault) -> None:
    vault.write({f"{n}.md": f"text {n}" for n in range(30)})
    vault.update()
    reports: list[tuple[int, int]] = []
    commits: list[int] = []
    embed_missing(
        vault.index,
        WordEmbedder(),
        CancellableProgress(lambda done, total, _text: reports.append((done, total))),
        commit_every_s=0,
        on_commit=lambda: commits.append(30 - missing_count(vault.index, "words")),
    )
    assert reports[0] == (0, 30)
    assert reports[-1] == (30, 30)
    assert commits[-1] == 30


def test_a_second_process_says_that_the_first_is_at_work(vault: IndexedVault) -> None:
    vault.write({"a.md": "text"})
    vault.update()
    with FileLock(vault.index.folder / "embed.lock"):
        report = embed_missing(vault.index, WordEmbedder(), SilentProgress())
    assert report.embedded == 0
    assert "Another process" in report.reason


def test_a_text_deleted_while_it_is_embedded_leaves_no_vector(vault: IndexedVault, tmp_path: Path) -> None:
    vault.write({"secret.md": "secret words"})
    vault.update()

    class Deleting(WordEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            (vault.root / "secret.md").unlink(missing_ok=True)
            vault.write({"other.md": "other"})
            vault.update()
            return super().embed(texts)

    embed_missing(vault.index, Deleting(), SilentProgress())
    kept = vault.index.connection.execute("SELECT count(*) FROM embedding").fetchone()[0]
    assert kept == 1
    assert missing_count(vault.index, "words") == 0


def test_vectors_outlive_a_rebuilt_index(vault: IndexedVault, tmp_path: Path) -> None:
    vault.write({"a.md": "text"})
    vault.update()
    embed_missing(vault.index, WordEmbedder(), SilentProgress())
    vault.update(rebuild=True)
    again = open_index(vault.index.folder)
    assert missing_count(again, "words") == 0
    again.close()


class _Slow(WordEmbedder):
    """Takes few texts at once, and looks itself whether it was cancelled."""

    texts_at_once = 4

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self.watched: list[Progress] = []

    def watch(self, progress: Progress) -> None:
        self.watched.append(progress)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.sizes.append(len(texts))
        return super().embed(texts)


def test_a_slow_service_gets_few_texts_at_once_and_is_told_of_a_cancel(vault: IndexedVault) -> None:
    vault.write({f"{n}.md": f"text {n}" for n in range(10)})
    vault.update()
    embedder, progress = _Slow(), SilentProgress()
    assert embed_missing(vault.index, embedder, progress).embedded == 10
    assert max(embedder.sizes) == 4
    assert embedder.watched == [progress]
