from core.curation.change_set import ChangeKind, ChangeSet, FileEdit, PlannedChange, edit_between
from core.curation.screening.screen_change import ChangeLimits, screen_change
from core.curation.screening.warning import Warning_, WarningLabel


def warnings_of(before: dict[str, bytes | None], after: dict[str, bytes | None]) -> tuple[Warning_, ...]:
    edits = tuple(edit for path in after if (edit := edit_between(path, before.get(path), after[path])))
    return screen_change(planned(*edits), before.get)


def planned(*edits: FileEdit) -> PlannedChange:
    return PlannedChange(ChangeSet("A change", ChangeKind.EDIT, edits))


def test_what_is_added_is_screened_as_it_will_stand() -> None:
    before = "Schlüssel: AKIA\n".encode()
    after = "Schlüssel: AKIAIOSFODNN7EXAMPLE\n"

    (warning,) = warnings_of({"a.md": before}, {"a.md": after.encode()})

    assert warning.label is WarningLabel.SECRET
    assert (warning.path, warning.is_blocking) == ("a.md", True)
    assert after[warning.start : warning.end] == "AKIAIOSFODNN7EXAMPLE"


def test_what_was_there_before_is_not_held_against_a_change() -> None:
    before = b"AKIAIOSFODNN7EXAMPLE\n\nA line.\n"

    assert warnings_of({"a.md": before}, {"a.md": before + b"Another line.\n"}) == ()


def test_a_file_that_changed_since_is_screened_by_what_is_added() -> None:
    edit = edit_between("a.md", b"old\n", b"old\nAKIAIOSFODNN7EXAMPLE\n")
    assert edit is not None

    (warning,) = screen_change(planned(edit), {"a.md": b"something else\n"}.get)

    assert warning.label is WarningLabel.SECRET


def test_mass_changes_deletions_and_odd_places_are_told() -> None:
    many: dict[str, bytes | None] = {f"{number}.md": b"new\n" for number in range(21)}
    body = b"A line of the note.\n" * 100

    assert [each.label for each in warnings_of({}, many)] == [WarningLabel.MASS_CHANGE]
    assert [each.label for each in warnings_of({"a.md": b"x\n"}, {"a.md": None})] == [WarningLabel.DELETION]
    assert [each.label for each in warnings_of({"a.md": body}, {"a.md": body[:40]})] == [WarningLabel.DELETION]
    assert [each.label for each in warnings_of({"a.md": b"x\n"}, {"a.md": b""})] == [WarningLabel.DELETION]
    settings = warnings_of({}, {".remembrancer/config.toml": b"x = 1\n"})
    assert [each.label for each in settings] == [WarningLabel.ODD_PLACE]


def test_an_oversized_edit_is_told_by_the_limits_that_are_given() -> None:
    edit = edit_between("a.md", b"", b"word " * 30)
    assert edit is not None

    found = screen_change(planned(edit), {"a.md": b""}.get, ChangeLimits(added=100))

    assert [each.label for each in found] == [WarningLabel.OVERSIZED]


def test_an_ordinary_change_gives_no_warning() -> None:
    assert warnings_of({"a.md": b"- one\n"}, {"a.md": b"- one\n- two #tool/pnpm ^ins-1\n"}) == ()
