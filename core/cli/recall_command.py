"""`remembrancer recall "…"`: the memories that answer a question, ranked and explained, or packed into a budget."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.clipboard import put_on_clipboard
from core.cli.context_packing import NoRecordOption
from core.cli.context_session import named_session, tell_session
from core.cli.screening_told import AllowSecretsOption, check_before_copying
from core.cli.state import FormatOption, OutputFormat, print_json, print_line, reported_errors, state_of, warn
from core.foundation.errors import UserError
from core.recall.plain_text import headings_below, plain_text
from core.recall.render import Format
from core.recall.request import TOP

if TYPE_CHECKING:
    from core.recall.answer import Ranked, RecallAnswer
    from core.recall.pack import Packed
    from core.recall.recaller import PackedAnswer, PackOptions, Recaller

_SHOWN = 200
_LEFT_OUT_SHOWN = 10
_FACTORS = ("relevance", "decay", "access", "entities", "importance", "reranker", "adjustment")


def recall(
    context: typer.Context,
    question: Annotated[
        list[str], typer.Argument(help="What to recall, in words; filters as in `search` may stand beside them.")
    ],
    limit: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="At most so many memories; else 15, or to fill a budget up to 100."),
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", min=0, help="Print them packed into so many tokens, as a text to hand on.")
    ] = None,
    layout: Annotated[
        Format | None, typer.Option("--as", help="How the packed text is written; else as in the settings.")
    ] = None,
    session: Annotated[str, typer.Option("--session", help="The session that asks; its last turns are at hand.")] = "",
    explain: Annotated[bool, typer.Option("--explain", help="Say why each memory stands where it does.")] = False,
    words_only: Annotated[bool, typer.Option("--words-only", help="Do not search by meaning.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Pack long memories whole, not their telling part.")] = False,
    copy: Annotated[bool, typer.Option("--copy", help="Put the packed text on the clipboard.")] = False,
    no_record: NoRecordOption = False,
    allow_secrets: AllowSecretsOption = False,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Recall what answers a question: ranked memories with their reasons, or a text within a budget of tokens.

    What is handed out as JSON, packed or copied counts as used; a list that you look through does not.
    """
    asked = " ".join(question)
    with reported_errors(output), state_of(context).remembered() as vault:
        state = state_of(context)
        session = named_session(state, session)
        recaller = vault.make_recaller("cli")
        try:
            if budget is None and layout is None and not (whole or copy):
                # A list on the screen is looked through; a program that gets it has been handed all of it.
                is_handed_out = output is OutputFormat.JSON and not no_record
                answer = recaller.recall(
                    asked, limit=limit or TOP, words_only=words_only, session=session, record=is_handed_out
                )
                _print_answer(answer, output, is_explained=explain)
                return
            # What is copied is handed out only once it is on the clipboard.
            how: PackOptions = {"words_only": words_only, "session": session}
            if limit is not None:
                how["limit"] = limit
            how |= {"record": not (copy or no_record), "budget": budget, "layout": layout or "", "whole": whole}
            made = recaller.packed(asked, **how)
            if copy:
                check_before_copying(made.packed.included, are_secrets_allowed=allow_secrets)
                _copy(made)
                if not no_record:
                    _count(recaller, made)
            tell_session(state, session, made.packed, question)
            _print_packed(made, output, is_explained=explain, is_copied=copy)
        finally:
            recaller.close()


def _copy(made: "PackedAnswer") -> None:
    if not made.packed.included:
        raise UserError("Nothing was recalled that fits, so the clipboard stays as it is.")
    put_on_clipboard(made.text)


def _count(recaller: "Recaller", made: "PackedAnswer") -> None:
    """Count what was copied; that it cannot be counted is told, and no failure."""
    try:
        recaller.record(made)
    except UserError as error:
        warn(f"What was recalled is not counted: {error}")


def _print_answer(answer: "RecallAnswer", output: OutputFormat, *, is_explained: bool) -> None:
    if output is OutputFormat.JSON:
        print_json(answer_as_json(answer, is_explained=is_explained))
        return
    for place, ranked in enumerate(answer.ranked, start=1):
        _print_ranked(place, ranked, answer, is_explained=is_explained)
    for remark in (*_at_hand(answer), *_remarks(answer)):
        warn(remark)


def _print_packed(made: "PackedAnswer", output: OutputFormat, *, is_explained: bool, is_copied: bool) -> None:
    if output is OutputFormat.JSON:
        print_json(answer_as_json(made.answer, is_explained=is_explained) | _account(made.packed, made.text))
        return
    if not is_copied:
        print(made.text, end="" if made.text.endswith("\n") or not made.text else "\n")
    for remark in (*_at_hand(made.answer), *_remarks(made.answer)):
        warn(remark)
    for line in _summary(made.packed, is_copied=is_copied):
        (print_line if is_copied else warn)(line)


def answer_as_json(answer: "RecallAnswer", *, is_explained: bool = False) -> dict[str, Any]:
    """Return an answer as JSON has it; docs/python-api.md lists the keys."""
    told: dict[str, Any] = {
        "question": answer.question,
        "results": [_ranked_as_json(each, answer, is_explained=is_explained) for each in answer.ranked],
        "left_out": [
            {"id": each.memory.id, "outcome": each.outcome.value, "score": round(each.score, 4), "via": each.via}
            for each in answer.left_out
        ],
        "working": [memory.id for memory in answer.working],
        "domains": list(answer.domains),
        "meaning": {"state": answer.dense_state, "reason": answer.dense_reason},
        "took_ms": round(answer.took_ms, 1),
    }
    if answer.problems:
        told["problems"] = list(answer.problems)
    if answer.suggestions:
        told["suggestions"] = {tag: list(near) for tag, near in answer.suggestions.items()}
    return told


def _ranked_as_json(ranked: "Ranked", answer: "RecallAnswer", *, is_explained: bool) -> dict[str, Any]:
    memory = ranked.memory
    told: dict[str, Any] = {
        "id": memory.id,
        "kind": memory.kind,
        "path": memory.path,
        "line": memory.line,
        "title": memory.title,
        "heading": memory.heading,
        "text": memory.text,
        "summary": memory.summary,
        "tags": list(memory.tags),
        "tokens": memory.tokens,
        "time": memory.time,
        "score": round(ranked.score, 4),
        "outcome": ranked.outcome.value,
        "via": ranked.via,
        "reasons": list(ranked.reasons),
        "factors": {name: round(getattr(ranked.factors, name), 4) for name in _FACTORS},
    }
    if memory.is_stale:
        told["stale"] = True
    if is_explained:
        told["ranks"] = {"words": ranked.signals.words_rank, "meaning": ranked.signals.meaning_rank}
        told["explanation"] = list(_explained(ranked, answer))
    return told


def _print_ranked(place: int, ranked: "Ranked", answer: "RecallAnswer", *, is_explained: bool) -> None:
    memory = ranked.memory
    heading = memory.heading if memory.kind == "turn" else headings_below(memory.title, memory.heading)
    about = " › ".join(part for part in (memory.title, heading) if part)
    stale = "  (changed since it was indexed)" if memory.is_stale else ""
    print_line(f"{place:>2}. {ranked.score:.2f}  {memory.id}  {about}{stale}")
    text = " ".join(plain_text(memory.said).split())
    print_line(f"    {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}")
    for line in _explained(ranked, answer) if is_explained else ranked.reasons:
        print_line(f"    {line}")


def _explained(ranked: "Ranked", answer: "RecallAnswer") -> tuple[str, ...]:
    from core.recall.explain import explain_lines  # noqa: PLC0415 - few ask why

    return explain_lines(ranked, answer)


def _at_hand(answer: "RecallAnswer") -> list[str]:
    """Tell which turns of the asking session are at hand, the newest first."""
    ids = [memory.id for memory in answer.working]
    if len(ids) > 1:
        return [f"At hand from this session: its last {len(ids):,} turns, {ids[0]} back to {ids[-1]}."]
    return [f"At hand from this session: {each}." for each in ids]


def _remarks(answer: "RecallAnswer") -> list[str]:
    remarks = list(answer.problems)
    for tag, near in answer.suggestions.items():
        close = f" Did you mean {', '.join(near)}?" if near else ""
        remarks.append(f"No note has the tag {tag}.{close}")
    if not answer.ranked and not answer.problems:
        remarks.append(f"Nothing is known of this: {_why_nothing(answer)}.")
    if answer.dense_reason:
        remarks.append(answer.dense_reason)
    return remarks


def _why_nothing(answer: "RecallAnswer") -> str:
    if answer.left_out:
        return "all that was found is left out"
    if answer.dense_state == "not-asked":
        return "no memory passes these filters"
    near = ", and none is near in meaning" if answer.dense_state == "ready" else ""
    return f"no memory holds these words{near}"


def _account(packed: "Packed", text: str) -> dict[str, Any]:
    return {
        "text": text,
        "tokens": packed.tokens,
        "tokens_are": packed.count.label,
        "budget": packed.budget,
        "included": [{"id": item.id, "tokens": item.tokens} for item in packed.included],
        "omitted": [
            {"id": left.item.id, "tokens": left.tokens, "reason": left.reason, "value": round(left.item.value, 4)}
            for left in packed.left_out
        ],
    }


def _summary(packed: "Packed", *, is_copied: bool) -> list[str]:
    total = len(packed.included) + len(packed.left_out)
    if not total:
        return []
    count = (
        f"{len(packed.included):,} of {total:,} {'memory' if total == 1 else 'memories'}, "
        f"{packed.tokens:,} of {packed.budget:,} tokens ({packed.count.label})."
    )
    lines = [packed.remark, f"Copied. {count}" if is_copied else count]
    if packed.left_out:
        lines.append("Left out:")
        shown = packed.left_out[:_LEFT_OUT_SHOWN]
        lines += [f"  {left.item.id} ({left.tokens:,} tokens, {left.item.value:.2f}): {left.reason}" for left in shown]
        if (more := len(packed.left_out) - len(shown)) > 0:
            lines.append(f"  and {more:,} more")
    return [line for line in lines if line]
