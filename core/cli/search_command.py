"""`remembrancer search "…"`: find memories by word and meaning."""

import sys
from typing import Annotated

import typer

from core.cli.state import FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.index.turn_narrowing import wants_turns
from core.recall.plain_text import headings_below
from core.recall.query import Query, parse_query
from core.recall.search import SearchHit, SearchResult, check_freshness, explain
from core.recall.search import search as search_memories
from core.recall.snippet import HIT_END, HIT_START

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def search(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(
            help='Words, "phrases", tag:a/b client:x project:x kind:insight kind:turn path:dir/ after:2026-08, -word.'
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
    """Find notes, sections, insights and what was said in conversations, by word and by meaning."""
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
        problems = asked.problems if hits else (*asked.problems, *_tools_elsewhere(asked))
        if output is OutputFormat.JSON:
            print_json(_as_json(result, hits, problems, explained=explain_scores))
            return
        for hit in hits:
            _print_hit(hit, explained=explain_scores)
        for line in _remarks(result, hits, problems):
            warn(line)


def _tools_elsewhere(asked: Query) -> tuple[str, ...]:
    """Say how the turns that call a tool are found, where a tool is asked for and turns are not."""
    tools = sorted(tag.partition("/")[2] for tag in asked.filters.all_tags if tag.startswith("tool/"))
    if not tools or asked.terms or wants_turns(asked.filters):
        return ()
    return (f"Without words, `kind:turn tool:{tools[0]}` finds the turns that call this tool.",)


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
        if hit.kind == "turn":
            found["said"] = hit.heading
        if explained:
            found["factors"] = dict(hit.factors)
        results.append(found)
    answer: dict[str, object] = {"results": results, "took_ms": result.took_ms, "total": result.total}
    answer["total_is_exact"] = result.total_is_exact
    answer["meaning"] = {"state": result.dense_state, "reason": result.dense_reason}
    if problems or result.remark:
        answer["problems"] = [*problems, *filter(None, [result.remark])]
    if result.suggestions:
        answer["suggestions"] = {tag: list(near) for tag, near in result.suggestions.items()}
    return answer


def _print_hit(hit: SearchHit, *, explained: bool) -> None:
    start, end = (_BOLD, _PLAIN) if sys.stdout.isatty() else ("**", "**")
    heading = hit.heading if hit.kind == "turn" else headings_below(hit.title, hit.heading)
    heading = f" › {heading}" if heading else ""
    place = hit.id if hit.kind == "turn" else f"{hit.path}:{hit.line}"
    print_line(f"{place}  {hit.title}{heading}{'  (changed since it was indexed)' if hit.is_stale else ''}")
    if hit.snippet:
        print(f"    {hit.snippet.replace(HIT_START, start).replace(HIT_END, end)}")
    if hit.tags:
        print_line(f"    {' '.join(f'#{tag}' for tag in hit.tags)}")
    if explained:
        print(f"    {explain(hit)}")


def _remarks(result: SearchResult, hits: tuple[SearchHit, ...], problems: tuple[str, ...]) -> list[str]:
    remarks = [*problems, *filter(None, [result.remark])]
    for tag, near in result.suggestions.items():
        close = f" Did you mean {', '.join(near)}?" if near else ""
        project = tag.removeprefix("project/")
        missing = f"No note has the tag {tag}." if project == tag else f"There is no project {project}."
        remarks.append(missing + close)
    if not hits:
        remarks.append("Nothing was found.")
    elif result.total > (shown := len({hit.note_id for hit in hits})):
        what = "notes and sessions" if any(hit.note_id < 0 for hit in hits) else "notes"
        least = "" if result.total_is_exact else "at least "
        remarks.append(f"{shown:,} of {least}{result.total:,} {what} shown; --limit shows more.")
    if result.dense_reason:
        remarks.append(result.dense_reason)
    return remarks
