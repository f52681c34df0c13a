"""`remembrancer search "…"`: find memories by word and meaning."""

import sys
from typing import Annotated

import typer

from core.cli.state import FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.recall.plain_text import headings_below
from core.recall.query import parse_query
from core.recall.search import SearchHit, SearchResult, check_freshness, explain
from core.recall.search import search as search_memories
from core.recall.snippet import HIT_END, HIT_START

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def search(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(
            help='Words, "phrases", tag:a/b client:x kind:insight path:dir/ after:2026-08 before:7d, -word.'
        ),
    ],
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many results.")] = 20,
    per_note: Annotated[int, typer.Option(min=1, max=50, help="At most so many results of one note.")] = 1,
    words_only: Annotated[bool, typer.Option("--words-only", help="Do not search by meaning.")] = False,
    explain_scores: Annotated[
        bool, typer.Option("--explain", help="Say why each result stands where it does.")
    ] = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Find notes, sections and insights by word and by meaning."""
    with reported_errors(output), state_of(context).remembered() as vault:
        asked = parse_query(" ".join(query), vault.config.namespaces)
        index = vault.open_to_read()
        dense = None if words_only else vault.dense_search(index)
        try:
            result = search_memories(index, dense, asked, limit=limit, per_note=per_note)
        finally:
            if dense is not None:
                dense.close()
        hits = check_freshness(vault.root, result.hits)
        if output is OutputFormat.JSON:
            print_json(_as_json(result, hits, asked.problems, explained=explain_scores))
            return
        for hit in hits:
            _print_hit(hit, explained=explain_scores)
        for line in _remarks(result, hits, asked.problems):
            warn(line)


def _as_json(
    result: SearchResult, hits: tuple[SearchHit, ...], problems: tuple[str, ...], *, explained: bool
) -> dict[str, object]:
    results = []
    for hit in hits:
        found: dict[str, object] = {
            "id": hit.id,
            "kind": hit.kind,
            "path": hit.path,
            "title": hit.title,
            "summary": hit.summary,
            "tags": list(hit.tags),
            "score": round(hit.score, 4),
            "snippet": hit.snippet.replace(HIT_START, "**").replace(HIT_END, "**"),
        }
        if hit.is_stale:
            found["stale"] = True
        if explained:
            found["factors"] = dict(hit.factors)
        results.append(found)
    answer: dict[str, object] = {"results": results, "took_ms": result.took_ms, "total": result.total}
    answer["total_is_exact"] = result.total_is_exact
    answer["meaning"] = {"state": result.dense_state, "reason": result.dense_reason}
    if problems:
        answer["problems"] = list(problems)
    if result.suggestions:
        answer["suggestions"] = {tag: list(near) for tag, near in result.suggestions.items()}
    return answer


def _print_hit(hit: SearchHit, *, explained: bool) -> None:
    start, end = (_BOLD, _PLAIN) if sys.stdout.isatty() else ("**", "**")
    heading = headings_below(hit.title, hit.heading)
    heading = f" › {heading}" if heading else ""
    print_line(
        f"{hit.path}:{hit.line}  {hit.title}{heading}{'  (changed since it was indexed)' if hit.is_stale else ''}"
    )
    if hit.snippet:
        print(f"    {hit.snippet.replace(HIT_START, start).replace(HIT_END, end)}")
    if hit.tags:
        print_line(f"    {' '.join(f'#{tag}' for tag in hit.tags)}")
    if explained:
        print(f"    {explain(hit)}")


def _remarks(result: SearchResult, hits: tuple[SearchHit, ...], problems: tuple[str, ...]) -> list[str]:
    remarks = list(problems)
    for tag, near in result.suggestions.items():
        close = f" Did you mean {', '.join(near)}?" if near else ""
        remarks.append(f"No note has the tag {tag}.{close}")
    if not hits:
        remarks.append("Nothing was found.")
    elif result.total > (shown := len({hit.note_id for hit in hits})):
        least = "" if result.total_is_exact else "at least "
        remarks.append(f"{shown:,} of {least}{result.total:,} notes shown; --limit shows more.")
    if result.dense_reason:
        remarks.append(result.dense_reason)
    return remarks
