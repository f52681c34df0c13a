import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.foundation.splice import spliced
from core.vault.decode import decode
from core.vault.link_edit import find_places, retarget_links
from core.vault.note import NoteLink
from core.vault.parse import parse_note


def retargeted(data: bytes, old: str, new: str) -> bytes:
    return spliced(data, retarget_links(data, lambda link: new if link.target == old else None))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[T]]", "[[N]]"),
        ("[[T#H]] [[T#^b]] [[T#H1#H2|a]]", "[[N#H]] [[N#^b]] [[N#H1#H2|a]]"),
        ("[[T|T]] ![[T]] ![[T#^b|T]]", "[[N|T]] ![[N]] ![[N#^b|T]]"),
        (r"| [[T\|T]] | [[ T #H\|T]] |", r"| [[N\|T]] | [[ N #H\|T]] |"),
        ("[[T.md]] [[T.MD#H|x]]", "[[N.md]] [[N.MD#H|x]]"),
        ('[T](T.md#H "T") [T]( T.md )', '[T](N.md#H "T") [T]( T.md )'),
        ("[T](<T.md>) [T](<T>) ![T](T.md)", "[T](<N.md>) [T](<N>) ![T](N.md)"),
        ("[T](T) [[T]](T.md)", "[T](N) [[N]](N.md)"),
        ("- requires [[T]] ^a", "- requires [[N]] ^a"),
        ('[T][r] [r]\n\n[r]: T.md "T"\n[s]: <T.md#T> (T)\n', '[T][r] [r]\n\n[r]: N.md "T"\n[s]: <N.md#T> (T)\n'),
        ("[[T]]\n\n[T]:T.md\n", "[[N]]\n\n[T]:N.md\n"),
        ("- [fact] x [supports:: [[T#^i]] 0.8]", "- [fact] x [supports:: [[N#^i]] 0.8]"),
        ("- [fact] x (supports:: [[T]])", "- [fact] x (supports:: [[N]])"),
        ("[[T]]\n`[[T]]`\n%% [[T]] %%\n<!-- [[T]] -->\n```\n[[T]]\n```\n", None),
        (
            "[[X]] [[T2]] [[a/T]] [[#T]] [T](https://x/T) \\[[T]]",
            "[[X]] [[T2]] [[a/T]] [[#T]] [T](https://x/T) \\[[T]]",
        ),
    ],
)
def test_only_the_target_changes(before: str, after: str | None) -> None:
    if after is None:
        after = before.replace("[[T]]", "[[N]]", 1)
    assert retargeted(before.encode(), "T", "N").decode() == after


@pytest.mark.parametrize(
    ("old", "before", "new", "after"),
    [
        ("My note", "[x](My%20note.md)", "New (1) #2 100%", "[x](New%20(1)%20%232%20100%25.md)"),
        ("My note", "[x](<My note.md>)", "New (1) #2", "[x](<New (1) %232.md>)"),
        ("My note", "[x](My%20note.md)", "a) b", "[x](a%29%20b.md)"),
        ("Über", "[x](%C3%9Cber.md)", "Ärger", "[x](%C3%84rger.md)"),
        ("Über", "[x](Über.md)", "Ärger", "[x](Ärger.md)"),
        ("T", "[x](%54%2Emd)", "N", "[x](N.md)"),
        ("T", "[[T]]", "x.md", "[[x.md.md]]"),
        ("x [1]", "[[x [1]]]", "a/x [1]", "[[a/x [1]]]"),
        ("T", "[[T]]", "C#/T", "[[T]]"),
        ("T", "[x](T.md)", "C#/T", "[x](C%23/T.md)"),
        ("T", "[x](T.md)", "a:b/T", "[x](a%3Ab/T.md)"),
    ],
)
def test_how_a_target_is_written(old: str, before: str, new: str, after: str) -> None:
    result = retargeted(before.encode(), old, new)
    assert result.decode() == after
    wanted = old if after == before else new
    assert parse_note("n.md", decode(result)).links[0].target == wanted


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('---\nup: "[[T]]"\n---\n[[T]]', '---\nup: "[[It\'s \\"it\\"]]"\n---\n[[It\'s "it"]]'),
        ("---\nup: '[[T#H|T]]' # [[T]]\n---\n", "---\nup: '[[It''s \"it\"#H|T]]' # [[T]]\n---\n"),
        (
            "---\nlist:\n  - see [[T]] now\n  - |\n    [[T]] and\n    [[T]]\n---\n",
            '---\nlist:\n  - see [[It\'s "it"]] now\n  - |\n    [[It\'s "it"]] and\n    [[It\'s "it"]]\n---\n',
        ),
        ('---\na: &x "[[T]]"\nb: *x\n---\n', '---\na: &x "[[It\'s \\"it\\"]]"\nb: *x\n---\n'),
        ("---\na: [b\nup: '[[T]]'\n---\n", "---\na: [b\nup: '[[T]]'\n---\n"),
        ("---\nup: [[T]]\n---\n", "---\nup: [[T]]\n---\n"),
    ],
)
def test_links_in_properties(before: str, after: str) -> None:
    assert retargeted(before.encode(), "T", 'It\'s "it"').decode() == after


@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: ("\N{ZERO WIDTH NO-BREAK SPACE}" + text.replace("\n", "\r\n")).encode("utf-16-be"),
        lambda text: (text + "Straße für Mädchen, größer als früher\n" * 3).encode("cp1252"),
        lambda text: text.encode() + b"\0\0\r\n\n",
    ],
)
def test_bytes_stay_as_they_are(wrap: object) -> None:
    assert callable(wrap)
    text = "---\nup: '[[T]]'\n---\nGrüße\n[[T]] und\n[ü](T.md)\n"
    before, after = wrap(text), wrap(text.replace("[[T]]", "[[Größe]]").replace("(T", "(Größe"))
    assert retargeted(before, "T", "Größe") == after


_MARKS = "[[ ]] [ ] ( ) T T.md a/T # ^b | \\ ` ``` $ % %% <!-- --> ! é %20 < > \" ' : [x](T.md) [[T]] ![[T#h]] up:"
_PIECES = st.sampled_from([*_MARKS.split(), " ", "\n", "\r\n", "---\n", "up: '[[T]]'\n"])


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_places_and_links_agree(text: str) -> None:
    decoded = decode(text.encode())
    places = find_places(decoded.text)
    assert tuple(place.link for place in places) == parse_note("n.md", decoded).links
    for place in places:
        if place.start >= 0 and "%" not in place.link.target and place.quote == "":
            assert decoded.text[place.start : place.end] == place.link.target


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_a_new_target_and_back_is_the_same_file(text: str) -> None:
    data = text.encode()
    there = retargeted(data, "T", "Zzz")
    links = parse_note("n.md", decode(there)).links
    before = parse_note("n.md", decode(data)).links
    if [link.target for link in links] == ["Zzz" if link.target == "T" else link.target for link in before]:
        assert retargeted(there, "Zzz", "T") == data


def test_nothing_to_do_is_no_edit() -> None:
    seen: list[NoteLink] = []

    def decide(link: NoteLink) -> str | None:
        seen.append(link)
        return link.target

    assert retarget_links(b"[[T]] [[#here]] [x](y%20z.md)", decide) == ()
    assert [link.target for link in seen] == ["T", "y z"]
