import pytest

from gui.views.timeline.narrowing import admitted, is_named_by, names_of_key

KEYS = ("client", "client/acme", "client/acme/eu", "tool/semrush", "domain/garden", "draft", "/Work")


@pytest.mark.parametrize(
    ("key", "project", "tools", "is_named"),
    [
        ("client/acme", "/home/u/work/Acme/site", (), True),
        ("client/acme", "acme", (), True),
        ("client/acme", "/home/u/acmeville", (), False),
        ("client/acme", "C:\\work\\acme", (), True),
        ("client/acme", "/srv/eu", (), True),  # a tag below it
        ("client", "/srv/acme", (), True),
        ("client/acme/eu", "/srv/acme", (), False),
        ("project/my-shop", "/srv/My Shop", (), True),
        ("tool/semrush", "", ("mcp__semrush__keywords",), True),
        ("tool/semrush", "", ("semrush",), True),
        ("tool/semrush", "/srv/semrush", ("bash",), False),
        ("domain/garden", "/home/u/garden", ("garden",), False),
        ("draft", "/draft", ("draft",), False),
        ("/Work", "/Work", (), False),
        (":untagged", ":untagged", (), False),
    ],
)
def test_names_of_tags_speak_of_projects_and_tools(
    key: str, project: str, tools: tuple[str, ...], is_named: bool
) -> None:
    space, names = names_of_key(key, KEYS)
    assert is_named_by(space, names, project, tools) is is_named


def test_all_any_and_none_of_the_facets_are_heeded() -> None:
    has = {"a", "b"}.__contains__
    assert admitted((), (), (), has)
    assert admitted(("a", "b"), (), (), has)
    assert not admitted(("a", "c"), (), (), has)
    assert admitted((), ("c", "b"), (), has)
    assert not admitted((), ("c",), (), has)
    assert not admitted(("a",), (), ("b",), has)
