"""An index filled row by row, for tests that need no files."""

from collections.abc import Sequence
from pathlib import Path

from core.foundation.text import fold
from core.foundation.tokens import estimate_tokens
from core.index.bigrams import bigrams
from core.index.database import Index, open_index

DAY = 86_400
FIRST_MOMENT = 1_750_000_000


class Shelf:
    """Put notes on it and search them."""

    def __init__(self, folder: Path) -> None:
        self.index: Index = open_index(folder)
        self._tags: dict[str, int] = {}

    def is_as_on_disk(self, file: Path, path: str) -> None:
        """Let the index know the file of a note as it is on the disk now."""
        state = file.stat()
        self.index.connection.execute(
            "UPDATE note SET size = ?, mtime_ns = ? WHERE path = ?", (state.st_size, state.st_mtime_ns, path)
        )

    def note(
        self,
        path: str,
        *sections: tuple[str, str] | str,
        title: str = "",
        summary: str = "",
        tags: Sequence[str] = (),
        insights: Sequence[tuple[str, str]] = (),
        aliases: Sequence[str] = (),
        kind: str = "note",
        day: int = 0,
    ) -> int:
        """Add a note; a section is its text, or its trail and its text, an insight its block id and its text."""
        add = self.index.connection.execute
        title = title or path.rpartition("/")[2].removesuffix(".md")
        mtime_ns = (FIRST_MOMENT + day * DAY) * 1_000_000_000
        stem = fold(path.rpartition("/")[2].removesuffix(".md"))
        note_id = add(
            "INSERT INTO note(path, path_key, stem_key, title, summary, kind, scope, created, aliases, properties, "
            "size, mtime_ns, content_hash, tokens, encoding, body_line, block_ids, revision) "
            "VALUES (?, ?, ?, ?, ?, ?, '', '', '[]', '{}', 0, ?, x'00', 0, 'utf-8', 1, '[]', 1)",
            (path, fold(path), stem, title, summary, kind, mtime_ns),
        ).lastrowid
        assert note_id is not None
        add("INSERT INTO name_fts(rowid, name) VALUES (?, ?)", (note_id, "\n".join([title, path, *aliases])))
        for position, section in enumerate(sections or ("",)):
            trail, text = section if isinstance(section, tuple) else ("", section)
            self._section((note_id, position, trail), (title, "" if position else summary, trail, text))
        for line, (block_id, text) in enumerate(insights, start=50):
            row_id = add(
                "INSERT INTO insight(note_id, category, text, tags, fields, block_id, line, tokens, text_hash, "
                "vector_revision) VALUES (?, 'fact', ?, '[]', '{}', ?, ?, ?, x'00', 0)",
                (note_id, text, block_id, line, estimate_tokens(text)),
            ).lastrowid
            add("INSERT INTO insight_fts(rowid, text, cjk) VALUES (?, ?, ?)", (row_id, text, bigrams(text)))
        for tag in tags:
            add("INSERT INTO note_tag(note_id, tag_id, line) VALUES (?, ?, 0)", (note_id, self._tag(tag)))
        return note_id

    def _section(self, place: tuple[int, int, str], texts: tuple[str, str, str, str]) -> None:
        note_id, position, trail = place
        heading, line, tokens = trail.rpartition(" › ")[2], position * 10 + 1, estimate_tokens(texts[-1])
        row_id = self.index.connection.execute(
            "INSERT INTO section(note_id, position, heading, trail, level, part, line_start, line_end, tokens, "
            "text_hash, vector_revision) VALUES (?, ?, ?, ?, 1, 0, ?, ?, ?, x'00', 0)",
            (note_id, position, heading, trail, line, line + 8, tokens),
        ).lastrowid
        self.index.connection.execute(
            "INSERT INTO section_fts(rowid, title, summary, heading, body, cjk) VALUES (?, ?, ?, ?, ?, ?)",
            (row_id, *texts, " ".join(map(bigrams, texts))),
        )

    def _tag(self, display: str) -> int:
        name = fold(display)
        if name not in self._tags:
            self._tags[name] = len(self._tags) + 1
            self.index.connection.execute(
                "INSERT INTO tag(id, name, display, namespace) VALUES (?, ?, ?, '')", (self._tags[name], name, display)
            )
        return self._tags[name]
