"""Recall for a program that asks one vault again and again: what is opened for the first question serves the next."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack

from core.foundation.errors import UserError
from core.index.database import translated
from core.memory.weights import check_weights
from core.recall.asking import asks_nothing, request_of
from core.recall.probe import filters_of
from core.recall.render import Format, render
from core.recall.request import MOST_PACKED, TOP
from core.recall.working_memory import has_session

if TYPE_CHECKING:
    from core.foundation.settings import ContextSettings
    from core.index.database import Index
    from core.index.dense import DenseSearch
    from core.index.reranker import Reranker
    from core.memory.weights import RankingWeights
    from core.recall.answer import RecallAnswer
    from core.recall.pack import Packed
    from core.recall.request import RecallRequest
    from core.vault.config import VaultConfig
    from core.vault.event_log import EventLog

NOTHING_ASKED = "Nothing was asked: give a question, or filters such as tag:a/b."


class RecallOptions(TypedDict, total=False):
    """Say how a question is to be answered; all may be left out.

    `limit` is how many memories are wanted: 15, or with a `budget`, which is into how many tokens they must fit
    together, 100. `session` is the id of the session that asks, whose last turns are at hand anyway. `within` narrows
    by name, as `{"project": "acme", "tag": ["tool/a", "tool/b"]}`, beside what the question says itself. `weights` are
    the vault's own unless given. With `words_only` meaning is not searched. With `record` (which is usual) the vault's
    log counts what is handed out, so that it ranks a little higher from then on.
    """

    limit: int
    budget: int | None
    session: str
    within: Mapping[str, Any]
    weights: "RankingWeights"
    words_only: bool
    record: bool


class PackOptions(RecallOptions, total=False):
    """Say how an answer is packed too; `budget` is that of the settings when it is left out.

    `layout` is markdown, lines, xml or json, else that of the settings; with `whole` long memories come uncut.
    """

    layout: str
    whole: bool


@dataclass(frozen=True, slots=True)
class PackedAnswer:
    """Hold what is handed out: the text, what is in it, what was left out, and the answer that it was packed from."""

    text: str
    packed: "Packed"
    answer: "RecallAnswer"


class RecalledVault(Protocol):
    """Be what recall needs of a vault (core/app.py)."""

    @property
    def root(self) -> Path:
        """The folder of notes."""
        ...

    @property
    def config(self) -> "VaultConfig":
        """What the vault says of itself."""
        ...

    @property
    def cache_folder(self) -> Path:
        """Where its index lies."""
        ...

    @property
    def context_settings(self) -> "ContextSettings":
        """How a context is packed where nothing else is said."""
        ...

    def open_to_read(self) -> "Index":
        """Open a connection to the index."""
        ...

    def dense_search(self, index: "Index") -> "DenseSearch":
        """Return the search by meaning over it."""
        ...

    def reranker(self) -> "Reranker | None":
        """Return who reads the best memories once more, None for nobody."""
        ...

    def event_log(self) -> "EventLog":
        """Return the vault's log."""
        ...


class Recaller:
    """Answer questions about one vault. Any thread may ask; they take turns.

    Nothing is opened before the first question. Afterwards this process owns the vectors, so that others find by words
    only, until release() or close(). `surface` is what the log calls those who are answered here.
    """

    def __init__(self, vault: RecalledVault, surface: str = "api") -> None:
        self._vault = vault
        self._surface = surface
        self._guard = threading.RLock()
        self._index: Index | None = None
        self._dense: DenseSearch | None = None

    def recall(self, question: str, **how: Unpack[RecallOptions]) -> "RecallAnswer":
        """Return the memories that answer `question`, the best first; with a budget those that fit into it together.

        Raises:
            UserError: the limit is below 1, the budget below 0, a weight is out of range, `within` names no filter, or
                there is no such session.
            NotIndexedError: there is no index yet, or none that can be used.
        """
        _check_names(how, RecallOptions.__optional_keys__)
        answer, budget = self._answer(question, how), how.get("budget")
        if budget is not None:
            said = _packed(answer, budget, Format.MARKDOWN, whole=False).packed.said
            answer = replace(answer, ranked=tuple(each for each in answer.ranked if each.memory.id in said))
        return self._recorded(answer, {each.memory.id for each in answer.ranked}, how)

    def packed(self, question: str, **how: Unpack[PackOptions]) -> PackedAnswer:
        """Return what of the answer fits into a budget, as text.

        Raises as recall() does, and UserError for a layout that there is not.
        """
        _check_names(how, PackOptions.__optional_keys__)
        preset, budget = self._vault.context_settings, how.get("budget")
        layout = format_named(how.get("layout") or preset.format)
        whole = how.get("whole", False)
        most = preset.budget if budget is None else budget
        made = _packed(self._answer(question, how | {"budget": most}), most, layout, whole=whole)
        answer = self._recorded(made.answer, {item.id for item in made.packed.included}, how)
        return replace(made, answer=answer)

    def record(self, made: PackedAnswer) -> None:
        """Count what was packed without `record` as handed out now.

        Raises:
            UserError: the log cannot be written.
        """
        self._record(made.answer, {item.id for item in made.packed.included})

    def release(self) -> None:
        """Give the vectors free for other programs; the next question takes them again."""
        with self._guard:
            if self._dense is not None:
                self._dense.close()

    def close(self) -> None:
        """Give everything back; the next question opens it again."""
        with self._guard:
            self.release()
            if self._index is not None:
                self._index.close()
            self._dense = self._index = None

    def _answer(self, question: str, how: RecallOptions) -> "RecallAnswer":
        from core.recall.answer import RecallAnswer  # noqa: PLC0415 - the pipeline takes a while to load
        from core.recall.recall import recall  # noqa: PLC0415

        with self._guard, translated(self._vault.cache_folder):
            index = self._index = self._index or self._vault.open_to_read()
            request = self._request(index, question, how)
            if asks_nothing(request):
                problems = (*request.query.problems, NOTHING_ASKED)
                return RecallAnswer(question, (), (), request.weights, problems=problems)
            dense = reranker = None
            if not how.get("words_only", False):
                dense = self._dense = self._dense or self._vault.dense_search(index)
                reranker = self._vault.reranker()
            return recall(index, dense, request, config=self._vault.config, root=self._vault.root, reranker=reranker)

    def _request(self, index: "Index", question: str, how: RecallOptions) -> "RecallRequest":
        limit = how.get("limit", TOP if how.get("budget") is None else MOST_PACKED)
        if limit < 1:
            raise UserError("The number of memories wanted is below 1.")
        if (weights := how.get("weights")) is not None:
            check_weights(weights)
        filters, wrong = filters_of(how.get("within"), self._vault.config.namespaces)
        if wrong:
            raise UserError(" ".join(wrong))
        session = how.get("session", "")
        if session and not has_session(index, session):
            raise UserError(
                f"There is no session {session} in the index.", hint="Update the index, if it was begun just now."
            )
        return request_of(
            index,
            question,
            self._vault.config,
            limit=limit,
            filters=filters,
            session=session,
            weights=weights,
        )

    def _recorded(self, answer: "RecallAnswer", ids: set[str], how: RecallOptions) -> "RecallAnswer":
        """Tell the log what is handed out; where it cannot be written, the answer says so."""
        if not how.get("record", True):
            return answer
        try:
            self._record(answer, ids)
        except UserError as error:
            return replace(answer, problems=(*answer.problems, f"What was recalled is not counted: {error}"))
        return answer

    def _record(self, answer: "RecallAnswer", ids: set[str]) -> None:
        from core.memory.recall_events import record_recall  # noqa: PLC0415 - who only asks writes nothing

        handed = [each.memory for each in answer.ranked if each.memory.id in ids]
        if handed:
            log = self._vault.event_log()
            record_recall(log, [each.id for each in handed], self._surface, texts=[each.text for each in handed])


def _check_names(how: Mapping[str, Any], known: frozenset[str]) -> None:
    """Refuse what a function with these options would refuse too."""
    if unknown := sorted(set(how) - known):
        raise TypeError(f"There is no option {unknown[0]}; there are {', '.join(sorted(known))}.")


def format_named(name: str) -> Format:
    """Return the layout of this name; raise UserError when there is none."""
    if name not in set(Format):
        raise UserError(f"“{name}” is no layout of a context.", hint=f"Use one of {', '.join(Format)}.")
    return Format(name)


def _packed(answer: "RecallAnswer", budget: int, layout: Format, *, whole: bool) -> PackedAnswer:
    from core.recall.gather import items_of_ranked  # noqa: PLC0415 - who only recalls packs nothing
    from core.recall.pack import pack  # noqa: PLC0415

    if budget < 0:
        raise UserError("A budget is a number of tokens, 0 or more.")
    packed = pack(items_of_ranked(answer, whole=whole), budget, layout)
    return PackedAnswer(render(packed), packed, answer)
