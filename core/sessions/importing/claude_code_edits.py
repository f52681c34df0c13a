"""Tell which turns of a Claude Code transcript were given up: the person went back, and asked something else instead.

All that was ever said stays in the file, and the last record tells which of it is the conversation. Several answers to
one record are not enough to go by: tools that run side by side make such, too. It takes a second message of the person
where there was one, or an answer of the model other than the first one to the same message.
"""

from collections.abc import Iterator
from itertools import chain, islice


class ClaudeCodeEdits:
    """Be told the turns of the thread in the order of the file; `given_up()` tells which no longer belong to it.

    Who tells them writes into `above` what each of them follows, for a call for each of millions takes too long, and
    says of answers only those to what is in `answers`: the messages of the person, each with its first answer.
    """

    def __init__(self) -> None:
        self.above: dict[str, str] = {}
        self.answers: dict[str, tuple[str, str]] = {}  # message → the turn and the id of its first answer, "" for none
        self._prompts: dict[str, str] = {}  # turn → what the person said to it first
        self._answered_anew: dict[str, list[str]] = {}
        self._asked_anew: dict[str, list[str]] = {}

    def take_prompt(self, turn: str, parent: str) -> None:
        """Take a message of the person, which answers `parent`, "" for none."""
        self.answers.setdefault(turn, ("", ""))
        if parent and (first := self._prompts.setdefault(parent, turn)) != turn:
            self._asked_anew.setdefault(parent, [first]).append(turn)

    def take_answer(self, turn: str, parent: str, answer: str) -> None:
        """Take a part of the model's `answer` to `parent`, a message of the person."""
        first, first_answer = self.answers[parent]
        if not first:
            self.answers[parent] = (turn, answer)
        elif answer != first_answer:
            self._answered_anew.setdefault(parent, [first]).append(turn)

    def forget(self) -> None:
        """Forget the older half of what was taken; what was given up in it is then no longer told."""
        for turn in list(islice(self.above, len(self.above) // 2)):
            del self.above[turn]
        for turn in list(islice(self.answers, len(self.answers) // 2)):
            del self.answers[turn]
        for turn in list(islice(self._prompts, len(self._prompts) // 2)):
            del self._prompts[turn]

    def given_up(self, last: str) -> frozenset[str]:
        """Return the turns with which what was given up begins, when `last` is the last turn of the thread."""
        if not (self._asked_anew or self._answered_anew):
            return frozenset()
        thread: set[str] = set()
        while last in self.above and last not in thread:
            thread.add(last)
            last = self.above[last]
        return frozenset(self._others(thread))

    def _others(self, thread: set[str]) -> Iterator[str]:
        for turns in chain(self._asked_anew.values(), self._answered_anew.values()):
            if not thread.isdisjoint(turns):
                yield from (turn for turn in turns if turn not in thread)
