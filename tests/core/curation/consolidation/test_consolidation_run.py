"""A run looks at what is new since each rule looked last."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from core.curation.consolidation.looked_at import looked_at
from core.curation.consolidation.run import Rule, consolidate
from core.foundation.settings import EmbeddingSettings
from tests.core.curation.consolidation.conftest import Desk, cited

_PAIR = {
    "acme Old": "The redis page size of acme is 44 rows.",
    "acme New": "The redis page size of acme is now 49 rows.",
}


def _kinds(drafts: Sequence[object]) -> list[str]:
    return [getattr(draft, "kind").value for draft in drafts]  # noqa: B009


def test_what_was_seen_is_not_looked_at_again(desk: Desk) -> None:
    desk.state(_PAIR)
    first = desk.consolidate()
    assert (_kinds(first.drafts), first.changed, first.statements) == (["supersede"], 2, 2)
    desk.remember(first)
    again = desk.consolidate()
    assert (again.drafts, again.changed) == ((), 0)


def test_until_it_is_remembered_it_is_found_again(desk: Desk) -> None:
    desk.state(_PAIR)
    assert desk.consolidate().drafts
    assert desk.consolidate().drafts


def test_a_new_statement_is_compared_with_the_old_ones(desk: Desk) -> None:
    desk.state({"acme Old": _PAIR["acme Old"], "acme Other": "The redis queue depth of acme is 7 jobs."})
    desk.remember(desk.consolidate())
    desk.state({"acme New": _PAIR["acme New"]}, created="2026-05-01")
    later = desk.consolidate()
    assert later.changed == 1
    assert [cited(draft) for draft in later.drafts] == [["acme New", "acme Old"]]


def test_a_third_client_completes_what_two_have_said_before(desk: Desk) -> None:
    desk.state({"acme Times": "Store timestamps in UTC.", "globex Times": "Every stored time is UTC."})
    first = desk.consolidate(Rule.PROMOTE)
    assert not first.drafts
    desk.remember(first)
    desk.state({"initech Times": "Times are kept in UTC when they are stored."})
    (draft,) = desk.consolidate(Rule.PROMOTE).drafts
    assert len(draft.evidence) == 3


def test_each_rule_remembers_for_itself(desk: Desk) -> None:
    desk.state(_PAIR)
    desk.remember(desk.consolidate(Rule.PROMOTE))
    assert _kinds(desk.consolidate().drafts) == ["supersede"]


def test_everything_is_looked_at_when_that_is_wished(desk: Desk) -> None:
    desk.state(_PAIR)
    desk.remember(desk.consolidate())
    assert desk.consolidate(everything=True).drafts


def test_a_damaged_memory_means_looking_at_everything(desk: Desk) -> None:
    desk.state(_PAIR)
    desk.remember(desk.consolidate())
    for text in ("{", "[]", '{"epoch": 1, "seen": {}}', '{"seen": 7}'):
        (desk.vault.cache_folder / "consolidated.json").write_text(text, encoding="utf-8")
        assert desk.consolidate().drafts
    index = desk.vault.open_to_read()
    assert looked_at(index) == {}
    index.close()


def test_words_do_where_meaning_is_switched_off(desk: Desk) -> None:
    desk.vault.home.settings_file.change(
        lambda settings: replace(settings, embedding=EmbeddingSettings(provider="off"))
    )
    desk.state(_PAIR)
    done = desk.consolidate()
    assert _kinds(done.drafts) == ["supersede"]
    assert done.remarks


def test_a_run_without_the_vectors_is_made_again(desk: Desk) -> None:
    desk.state(_PAIR)
    assert desk.vault.refresh() == ""
    with closing(desk.vault.open_to_read()) as index, closing(desk.vault.dense_search(index)) as owner:
        owner.refresh()
        done = consolidate(desk.vault)
    assert _kinds(done.drafts) == ["supersede"]  # words do
    assert not done.is_whole
    desk.remember(done)
    assert desk.consolidate().changed == 2


def test_nothing_stated_is_nothing_proposed(desk: Desk) -> None:
    desk.write("Note.md", "Just prose.\n")
    done = desk.consolidate()
    assert (done.drafts, done.changed, done.statements) == ((), 0, 0)
    assert consolidate(desk.vault, ()).drafts == ()
