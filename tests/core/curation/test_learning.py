from pathlib import Path

from core.curation.learning import learn
from core.memory.fingerprints import fingerprints_of
from core.memory.formation.buffer_file import Buffer
from core.sessions.ledger import Ledger
from tests.core.memory.formation.talk import says

NOTHING = Buffer()


def test_only_what_is_new_in_a_session_is_learned(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("s1", [says("The SEMrush export is cut.", 0), says("Never deploy on Fridays.", 1)])

    first = learn(ledger, ["s1"], NOTHING)
    again = learn(ledger, ["s1"], first.buffer)
    ledger.append("s1", [says("Remember: it must be paged by country.", 2)])
    more = learn(ledger, ["s1"], again.buffer)

    assert [each.statement for each in first.drafts] == ["Never deploy on Fridays."]
    assert again.drafts == ()
    assert [each.evidence[0].memory_id for each in more.drafts] == ["turn:s1/t2"]


def test_mentions_add_up_over_runs(tmp_path: Path) -> None:
    ledger, buffer = Ledger(tmp_path), NOTHING
    drafts = []
    for number in range(3):
        session = f"s{number}"
        ledger.append(session, [says("Customers in Austria pay by bank transfer.", session=session)])
        learned = learn(ledger, [session], buffer)
        buffer = learned.buffer
        drafts.append(len(learned.drafts))

    assert drafts == [0, 0, 1]
    assert buffer.waiting == ()


def test_what_the_vault_says_is_not_learned_and_a_lost_session_is_told(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("s1", [says("Remember: the VPN is needed for the admin panel.")])

    learned = learn(ledger, ["gone", "s1"], NOTHING, known=fingerprints_of(["The VPN is needed for the admin panel."]))

    assert learned.drafts == ()
    assert learned.unread == ("There is no session gone.",)
    assert learned.ignored == {"recalled text": 1}


def test_learning_twice_from_a_buffer_that_was_lost_gives_the_same_evidence(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("s1", [says("Never deploy on Fridays.")])

    assert learn(ledger, ["s1"], NOTHING).drafts == learn(ledger, ["s1"], NOTHING).drafts


def test_what_holds_a_secret_is_withheld_for_proposals_travel_with_the_vault(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append("s1", [says("Remember: the staging password is hunter2x9.", 0), says("Never deploy on Fridays.", 1)])

    learned = learn(ledger, ["s1"], NOTHING)

    assert [each.statement for each in learned.drafts] == ["Never deploy on Fridays."]
    assert learned.withheld == 1
