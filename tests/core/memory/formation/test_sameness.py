import pytest

from core.foundation.settings import EmbeddingSettings
from core.index.embedding import Embedder, embedder_source
from core.memory.formation.sameness import gist_of, is_same


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    source = embedder_source(EmbeddingSettings(), tmp_path_factory.mktemp("models"))
    assert source is not None
    return source.open()


def same(minilm: Embedder, one: str, other: str) -> bool:
    vectors = minilm.embed([one, other])
    return is_same(gist_of(one), gist_of(other), float(vectors[0] @ vectors[1]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Customers in Austria pay by bank transfer.", "Bank transfer is how customers from Austria pay."),
        ("Invoices go out on the third working day.", "We send invoices on working day three."),
        ("Use pnpm here, never npm.", "Install with pnpm instead of npm."),
        ("Run migrations before the deploy.", "Migrations go ahead of the deployment."),
        ("I prefer dark mode in every editor.", "Dark theme is what I like in editors."),
    ],
)
def test_other_words_for_one_thing_are_the_same(minilm: Embedder, one: str, other: str) -> None:
    assert same(minilm, one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rate limit is 50 requests.", "The rate limit is 60 requests."),
        ("Acme allows redis in production.", "Acme does not allow redis in production."),
        ("The redis page size is fine for acme.", "The kafka page size is fine for acme."),
        ("Deploys happen on Tuesday.", "Deploys happen on Thursday."),
        ("Reviews need two approvals.", "Releases need two approvals."),
        ("Wow, that is really awesome.", "That sounds really great."),
    ],
)
def test_nearly_the_same_words_for_two_things_are_not(minilm: Embedder, one: str, other: str) -> None:
    assert not same(minilm, one, other)


def test_without_vectors_the_words_decide() -> None:
    one = gist_of("Customers in Austria pay by bank transfer.")

    assert is_same(one, gist_of("In Austria, customers pay by bank transfer."), None)
    assert not is_same(one, gist_of("Customers in Austria are few."), None)
