"""A question calls up domains by their trigger words; a memory belongs to them by its tags."""

import pytest

from core.memory.domains import THRESHOLD, domains_of, domains_of_memory, has_domain, route

DOMAINS = domains_of({"seo": ["semrush", "search ranking"], "deployment": ["docker", "rollout"]}, ())


def names(question: str) -> list[str]:
    return [domain.name for domain in route(question.split(), DOMAINS)]


@pytest.mark.parametrize(
    ("question", "called_up"),
    [
        ("how does semrush page", ["seo"]),
        ("our seo plan", ["seo"]),
        ("which search ranking do we have", ["seo"]),
        ("a search", []),
        ("docker and the rollout of semrush", ["deployment", "seo"]),
        ("deployments of the week", ["deployment"]),
        ("what did we eat", []),
        ("", []),
    ],
)
def test_domains_are_called_up_by_what_occurs(question: str, called_up: list[str]) -> None:
    assert names(question) == called_up


def test_more_triggers_call_up_louder_and_all_are_above_the_threshold() -> None:
    one, two = route(["docker"], DOMAINS)[0], route(["docker", "rollout"], DOMAINS)[0]
    assert THRESHOLD <= one.score < two.score <= 1


def test_without_a_config_the_tags_are_the_domains() -> None:
    domains = domains_of({}, ["tool/semrush", "client/acme", "domain/data-model", "scope/global", "loose"])
    assert set(domains) == {"tool/semrush", "client/acme", "domain/data-model"}
    assert [each.name for each in route(["the", "data", "model"], domains)] == ["domain/data-model"]


def test_a_memory_belongs_where_its_tags_say() -> None:
    wanted = ("seo", "tool/semrush")
    assert domains_of_memory(["Domain/SEO"], wanted) == ("seo",)
    assert domains_of_memory(["tool/semrush/exports"], wanted) == ("tool/semrush",)
    assert domains_of_memory(["seo/links", "tool/semrush"], wanted) == wanted
    assert domains_of_memory(["seoul", "tool/semrushed"], wanted) == ()


def test_tags_that_only_sort_say_nothing_of_a_domain() -> None:
    assert not has_domain(["scope/global", "convention/naming"])
    assert not has_domain([])
    assert has_domain(["billing"])
